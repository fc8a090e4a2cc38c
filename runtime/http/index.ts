export { createService } from "./create-service.js";
export { createHandler } from "./handler.js";
export { createRouteTable } from "./route.js";
export { routes } from "./routes/index.js";
export { createApp, startServer } from "./server.js";
