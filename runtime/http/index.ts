export type { Permission } from "../auth/permissions.js";
export type { Principal } from "../auth/result.js";
export { ListenError, type RunningServer } from "./listener.js";
export {
  type Auth,
  type AuthOptions,
  createAuth,
  type Handler,
  type MiddlewareRequest,
} from "./middleware.js";
export { createRouter, type RouterOptions } from "./router.js";
export { createFlowsheetServer, type FlowsheetServer, type ServerOptions } from "./server.js";
