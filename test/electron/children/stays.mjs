// Has nothing to do, and a promise that nobody looks at.
Promise.reject(new Error("nobody looks"))
