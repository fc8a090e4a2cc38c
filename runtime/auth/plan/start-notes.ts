import type { Configuration } from "../../config/configuration.js";
import type { AuthPlan } from "./plan.js";

/** The lines on authentication that a server prints at its start, without secrets. */
export function describeStart({ auth, hasAuthentication }: Configuration) {
  const { keys, mode } = auth;
  const warnings: string[] = [];
  const hints: string[] = [];
  if (mode === "off") warnings.push("authentication is off: everybody may do everything");
  if (mode === "bypass") warnings.push("authentication is bypassed for requests from this machine");
  if (mode === "on" && !hasAuthentication && keys.length === 0)
    hints.push(
      "there is no section authentication: protected routes answer 401; flowsheet auth init makes keys",
    );
  const powerless = keys.filter(({ permissions }) => permissions.has("write") && !permissions.has("execute"));
  if (mode === "on" && powerless.length > 0) {
    const names = powerless.map(({ name }) => name).join(", ");
    hints.push(`write does not include execute: ${names} cannot run workflows`);
  }
  return { methods: methodsText(auth), warnings, hints };
}

/** One line: `2 API keys, 1 key of the environment, JWT (HS256)`. */
function methodsText({ mode, keys, jwt, identity }: AuthPlan): string {
  if (mode === "off") return "off";
  const count = (source: "file" | "environment"): number =>
    keys.filter((key) => key.source === source).length;
  const [inFile, inEnvironment] = [count("file"), count("environment")];
  const parts: string[] = [];
  if (inFile > 0) parts.push(`${inFile} API key${inFile === 1 ? "" : "s"}`);
  if (inEnvironment > 0)
    parts.push(`${inEnvironment} key${inEnvironment === 1 ? "" : "s"} of the environment`);
  if (jwt !== null) parts.push(`JWT (${jwt.algorithm})`);
  if (identity !== null) parts.push("tokens of the identity service");
  const methods = parts.join(", ") || "no credential is known";
  return mode === "bypass" ? `bypassed on this machine; else ${methods}` : methods;
}
