const { contextBridge, ipcRenderer, webUtils } = require("electron")

contextBridge.exposeInMainWorld("reader", {
  read: (parameters) => ipcRenderer.invoke("read", parameters),
  choose: () => ipcRenderer.invoke("choose"),
  pathOf: (file) => webUtils.getPathForFile(file),
})
