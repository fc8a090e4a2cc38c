import type { Environment } from "../../runtime/host.js";

/** Under npx and npm the program is installed in a project, so a shell does not find its plain name. */
export const calledAs = (env: Environment): string =>
  env["npm_command"] === undefined ? "flowsheet" : "npx flowsheet";
