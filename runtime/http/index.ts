export {
  type Auth,
  type AuthOptions,
  createAuth,
  type Handler,
  type MiddlewareRequest,
  type Permission,
  type Principal,
} from "../auth/index.js";
export { createFlowsheetServer, type FlowsheetServer, type ServerOptions } from "./flowsheet-server.js";
export { createRouter, type RouterOptions } from "./router.js";
export { ListenError, type RunningServer } from "./server.js";
