import { loadPackage, missingPackages, missingText } from "../optional-packages.js";

/** The package of the protocol, which the user installs. */
const MCP_SERVER = "@modelcontextprotocol/server";

export type Sdk = typeof import("@modelcontextprotocol/server");
export type StdioSdk = typeof import("@modelcontextprotocol/server/stdio");

/** What keeps it from being loaded; null when it is there. */
export function sdkLack(root: string): string | null {
  const missing = missingPackages([MCP_SERVER], root);
  return missing.length === 0 ? null : missingText(missing);
}

export const loadSdk = async (root: string): Promise<Sdk> => (await loadPackage(MCP_SERVER, root)) as Sdk;

export const loadStdioSdk = async (root: string): Promise<StdioSdk> =>
  (await loadPackage(`${MCP_SERVER}/stdio`, root)) as StdioSdk;
