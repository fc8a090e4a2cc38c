import { userInfo } from "node:os";

/** Who works on the command line: `os:ada`. No credential of a server can have such an id. */
export function systemUser(): string {
  try {
    return `os:${userInfo().username}`;
  } catch {
    // Users without an entry have no name, as in some containers.
    return "os:unknown";
  }
}
