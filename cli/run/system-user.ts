import { userInfo } from "node:os";
import type { Answerer } from "../../runtime/graph/suspend/answerer.js";

/** Who works on the command line: `os:ada`. No credential of a server can have such an id. */
export function systemUser(): string {
  try {
    return `os:${userInfo().username}`;
  } catch {
    // Users without an entry have no name, as in some containers.
    return "os:unknown";
  }
}

/** Roles are of credentials, which a command has none of. */
export const systemAnswerer = (): Answerer => ({ user: systemUser(), roles: [], isAdmin: false });
