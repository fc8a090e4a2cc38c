import type { Environment } from "../../runtime/host.js";

/** What to type for this program: npx and npm start it from a project, where no shell finds it by its name alone. */
export const calledAs = (env: Environment): string =>
  env["npm_command"] === undefined ? "flowsheet" : "npx flowsheet";
