import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SERVER_PACKAGES } from "../../runtime/durable/open-store.js";
import { SDK } from "../../runtime/llm/packages.js";
import { packageRoot } from "../package-root.js";
import { version } from "../version.js";
import { type Findings, ok, problem } from "./finding.js";

/** The lowest supported version of Node, as in package.json. */
const NODE = [20, 19] as const;

export function checkVersions(node: string): Findings {
  const [major = 0, minor = 0] = node.replace(/^v/, "").split(".").map(Number);
  const isNew = major > NODE[0] || (major === NODE[0] && minor >= NODE[1]);
  const wanted = `${NODE.join(".")} or newer`;
  return [
    ok("flowsheet", version),
    isNew
      ? ok("node", `${node} (${wanted} is needed)`)
      : problem("node", `${node} is too old: ${wanted} is needed`, "install it from https://nodejs.org"),
  ];
}

const OPTIONAL: readonly (readonly [name: string, need: string])[] = [
  ["typescript", "for type-checking in your editor and in CI; --types brings its own"],
  ["ai", "for agents that ask a model"],
  ...SERVER_PACKAGES.map((name) => [name, "for runs on many machines"] as const),
  ...Object.entries(SDK).map(([kind, name]) => [name, `for models of kind ${kind}`] as const),
];

/** Optional packages. Those of a model provider are reported with the provider. */
export function checkPackages(root: string): Findings {
  return OPTIONAL.map(([name, need]) => {
    const found = versionOf(name, root) ?? versionOf(name, packageRoot());
    return ok(
      "package",
      found === null ? `${name} is not installed (optional, ${need})` : `${name} ${found}`,
    );
  });
}

/** The version of an installed package, found like Node finds it, without loading the package. */
function versionOf(name: string, from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    try {
      const text = readFileSync(join(folder, "node_modules", name, "package.json"), "utf8");
      const { version: found } = JSON.parse(text) as { readonly version?: unknown };
      if (typeof found === "string") return found;
    } catch {}
    if (dirname(folder) === folder) return null;
  }
}
