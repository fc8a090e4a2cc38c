import { showPath } from "../../config/findings.js";
import { type AuthenticationSettings, authenticationSchema } from "../../config/schema.js";
import { isLoopbackBind } from "../network.js";
import { createExpand, INCLUDED, type Permission } from "../permissions.js";
import { readEnvironmentKeys, type VariableNote } from "./environment-keys.js";
import type { AuthPlan, KeyEntry, PlanSource } from "./plan.js";
import { createIsPublic, hostEntries, protectedRoutesIn, publicEntryFault } from "./public-endpoints.js";
import { readKeys, readPermissions } from "./read-keys.js";
import { readIdentity, readJwt } from "./read-tokens.js";

const AUTH = "authentication";

/**
 * Reads the section `authentication`. Entries with errors are reported and not used. Without the section, only keys
 * of the environment give access.
 */
export function readPlan(
  section: AuthenticationSettings | undefined,
  source: PlanSource,
): { readonly plan: AuthPlan; readonly notes: readonly VariableNote[] } {
  const { env, referred } = source;
  const settings = section ?? authenticationSchema.parse({});
  const expand = createExpand({
    execute: readNarrowed("execute", settings, source),
    admin: readNarrowed("admin", settings, source),
  });
  const defaults = expand(readDefaults(settings, source));
  const fileKeys = readKeys(settings.api_keys, source, expand);
  // A variable that the file refers to is no key of the environment.
  const used = section === undefined ? [] : referred.map(({ name }) => name);
  const { keys, notes } = readEnvironmentKeys(env, new Set(used), expand);
  if (section !== undefined) reportEqual([...fileKeys, ...keys], source);
  const { public_endpoints: entries, jwt, supabase } = settings;
  const plan: AuthPlan = {
    mode: modeOf(settings),
    keys: [...fileKeys, ...keys],
    isPublic: createIsPublic(entries),
    publicEndpoints: readEntries(entries, source),
    isPublicOfHost: createIsPublic(hostEntries(entries)),
    expand,
    jwt: jwt === undefined ? null : readJwt(jwt, defaults, source),
    identity: supabase === undefined ? null : readIdentity(supabase, expand, source),
    allowQueryKey: settings.allow_query_key,
  };
  if (section !== undefined) reportOpenness(section, keys.length, source);
  return { plan, notes };
}

function modeOf({ enabled, embedded_mode: embedded }: AuthenticationSettings): AuthPlan["mode"] {
  if (!enabled) return "off";
  return embedded.enabled && embedded.bypass_auth ? "bypass" : "on";
}

/** The permissions of a token that names none. An empty list is valid: such a token may do nothing. */
function readDefaults(
  { permissions: { default_permissions: list } }: AuthenticationSettings,
  { findings }: PlanSource,
): readonly Permission[] {
  if (list.length === 0) return [];
  return readPermissions(list, [AUTH, "permissions", "default_permissions"], findings) ?? [];
}

/** The permissions that a permission includes: the configuration may take some away, but add none. */
function readNarrowed(
  permission: "execute" | "admin",
  { permissions }: AuthenticationSettings,
  { findings }: PlanSource,
): readonly Permission[] {
  const name = permission === "admin" ? "admin_permissions" : "execution_permissions";
  const path = [AUTH, "permissions", name];
  const wanted = readPermissions(permissions[name], path, findings) ?? [];
  const wider = wanted.filter((one) => !INCLUDED[permission].includes(one));
  if (wider.length > 0) {
    findings.error("config-bad-permission", path, {
      message: `${showPath(path)} may make ${permission} narrower, not wider: ${wider.join(", ")} has no effect`,
      help: `${permission} includes ${permission === "admin" ? "all permissions" : "read, execute and answer"}`,
      effect: "dead",
    });
  }
  return wanted.filter((one) => !wider.includes(one));
}

/** Keys with the same value could have different permissions, so the server does not start. */
function reportEqual(keys: readonly KeyEntry[], { findings }: PlanSource): void {
  const first = new Map<string, string>();
  for (const { name, digest, source } of keys) {
    const hex = digest.toString("hex");
    const other = first.get(hex);
    if (other === undefined) first.set(hex, name);
    else if (source === "file")
      findings.error("config-equal-keys", [AUTH, "api_keys", name, "key"], {
        message: `the keys ${JSON.stringify(other)} and ${JSON.stringify(name)} have one value`,
        help: "give each its own: flowsheet auth update makes new ones",
        effect: "stop",
      });
    else
      findings.error("config-equal-keys", [AUTH, "api_keys"], {
        message: `the environment variable ${name} has the value of the key ${JSON.stringify(other)}`,
        help: `let the key refer to it (key: env:${name}), or give one of them another value`,
        effect: "stop",
      });
  }
}

function readEntries(entries: readonly unknown[], { findings }: PlanSource): readonly string[] {
  return entries.filter((entry, index): entry is string => {
    const path = [AUTH, "public_endpoints", index];
    const shown = JSON.stringify(entry)?.slice(0, 80) ?? "nothing";
    const fault = publicEntryFault(entry);
    if (fault !== null)
      findings.error("config-bad-endpoint", path, {
        message: `the public endpoint ${shown} opens nothing: ${fault}`,
        help: "write a path such as /health, or /static/* for all that is below /static/",
        effect: "dead",
      });
    const opened = fault === null ? protectedRoutesIn(String(entry)) : [];
    if (opened.length > 0)
      findings.warn("config-open-endpoint", path, {
        message: `the public endpoint ${shown} lets everybody use ${opened.join(", ")}`,
        help: "remove it, unless that is meant",
      });
    return fault === null;
  });
}

function reportOpenness(
  settings: AuthenticationSettings,
  environmentKeys: number,
  { findings, host }: PlanSource,
): void {
  const mode = modeOf(settings);
  if (mode === "off")
    findings.warn("config-open-server", [AUTH, "enabled"], {
      message: "authentication is off: everybody may do everything",
      help: "write enabled: true",
    });
  if (mode === "bypass" && !isLoopbackBind(host))
    findings.error("config-open-server", ["server", "host"], {
      message: `bypass_auth needs a server that is reached from this machine only, not on ${host}`,
      help: "write host: 127.0.0.1, or bypass_auth: false",
    });
  const { api_keys: keys, jwt, supabase } = settings;
  const methods = Object.keys(keys).length + environmentKeys;
  if (mode === "on" && methods === 0 && jwt === undefined && supabase === undefined)
    findings.warn("config-no-method", [AUTH], {
      message:
        "no authentication methods configured: authentication is on, and nobody can present a credential",
      help: "flowsheet auth init --force makes keys; or write jwt, or supabase",
      spot: "key",
    });
}
