export { type BodyKind, classifyBody } from "./classify-body.ts"
export { type FetchBodyOptions, fetchBodyReader } from "./fetch-body.ts"
export { type BodyOptions, type BodyReceipt, type OpenedBody, openBodyReader } from "./open-body-reader.ts"
