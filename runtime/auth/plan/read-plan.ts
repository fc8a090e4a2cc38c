import { type Findings, showPath } from "../../config/findings.js";
import type { Referred } from "../../config/references.js";
import type { Settings } from "../../config/schema.js";
import type { AuthenticationSettings } from "../../config/schema-authentication.js";
import type { Environment } from "../../host.js";
import { isLoopbackBind } from "../network.js";
import { createExpand, type Permission, widened } from "../permissions.js";
import { createIsPublic, protectedRoutesIn, publicEntryFault } from "../public-endpoints.js";
import { hostEntries } from "./default-public.js";
import { type EnvironmentKeys, readEnvironmentKeys, type VariableNote } from "./environment-keys.js";
import type { AuthPlan, KeyEntry } from "./plan.js";
import { readKeys, readPermissions } from "./read-keys.js";
import { readIdentity, readJwt } from "./read-tokens.js";

export interface PlanReading {
  readonly findings: Findings;
  readonly env: Environment;
  readonly referred: readonly Referred[];
  readonly unset: readonly Referred[];
  readonly server: Settings["server"];
  readonly now: number;
}

/** A plan, and what is odd about variables of the environment. */
export interface ReadPlan {
  readonly plan: AuthPlan;
  readonly notes: readonly VariableNote[];
}

const AUTH = "authentication";

/** What a token permits that names no permission. An empty list is no slip here: such a token is to permit nothing. */
function readDefaults(
  { permissions: { default_permissions: list } }: AuthenticationSettings,
  findings: PlanReading["findings"],
): readonly Permission[] {
  if (Array.isArray(list) && list.length === 0) return [];
  return readPermissions(list, [AUTH, "permissions", "default_permissions"], findings) ?? [];
}

/** Makes a plan of the section `authentication`: what is wrong in it is reported and out of force. */
export function readPlan(settings: AuthenticationSettings, reading: PlanReading): ReadPlan {
  const { findings } = reading;
  const narrowing = {
    execute: readNarrowing("execution_permissions", settings, findings),
    admin: readNarrowing("admin_permissions", settings, findings),
  };
  const expand = createExpand(narrowing);
  const defaults = expand(readDefaults(settings, findings));
  const tokens = { ...reading, expand };
  const fileKeys = readKeys(settings.api_keys, tokens);
  const fromEnv = environmentKeys(fileKeys, reading, expand);
  const plan: AuthPlan = {
    mode: modeOf(settings),
    keys: [...fileKeys, ...fromEnv.keys],
    isPublic: createIsPublic(settings.public_endpoints),
    publicEndpoints: readEntries(settings.public_endpoints, findings),
    isPublicOfHost: createIsPublic(hostEntries(settings.public_endpoints)),
    expand,
    jwt: settings.jwt === undefined ? null : readJwt(settings.jwt, defaults, tokens),
    identity: settings.supabase === undefined ? null : readIdentity(settings.supabase, tokens),
    allowQueryKey: settings.allow_query_key,
    narrowing,
  };
  reportOpenness(settings, fromEnv.keys.length, reading);
  return { plan, notes: fromEnv.notes };
}

/** The plan of a server whose configuration has no section `authentication`: closed but for keys of the environment. */
export function planWithoutSection(env: Environment, publicEndpoints: readonly string[]): ReadPlan {
  const narrowing = {
    execute: ["read", "execute"],
    admin: ["read", "write", "execute", "admin"],
  } as const;
  const expand = createExpand(narrowing);
  const { keys, notes } = readEnvironmentKeys(env, new Set(), expand);
  const plan: AuthPlan = {
    mode: "on",
    keys,
    isPublic: createIsPublic(publicEndpoints),
    publicEndpoints,
    isPublicOfHost: createIsPublic(hostEntries(publicEndpoints)),
    expand,
    jwt: null,
    identity: null,
    allowQueryKey: true,
    narrowing,
  };
  return { plan, notes };
}

function modeOf({ enabled, embedded_mode: embedded }: AuthenticationSettings): AuthPlan["mode"] {
  if (!enabled) return "off";
  return embedded.enabled && embedded.bypass_auth ? "bypass" : "on";
}

function readNarrowing(
  name: "execution_permissions" | "admin_permissions",
  { permissions }: AuthenticationSettings,
  findings: Findings,
): readonly Permission[] {
  const path = [AUTH, "permissions", name];
  const wanted = readPermissions(permissions[name], path, findings) ?? [];
  const permission = name === "admin_permissions" ? "admin" : "execute";
  const wider = widened(permission, wanted);
  if (wider.length > 0) {
    findings.error("config-bad-permission", path, {
      message: `${showPath(path)} may make ${permission} narrower, not wider: ${wider.join(", ")} has no effect`,
      help: `${permission} includes ${permission === "admin" ? "all permissions" : "read and execute"}`,
      effect: "dead",
    });
  }
  return wanted;
}

/** A key of the environment with a value of the file's would have two sets of permissions: the start is refused. */
function environmentKeys(
  fileKeys: readonly KeyEntry[],
  { env, referred, findings }: PlanReading,
  expand: AuthPlan["expand"],
): EnvironmentKeys {
  const used = new Set(referred.map(({ name }) => name));
  const found = readEnvironmentKeys(env, used, expand);
  const known = new Map(fileKeys.map(({ name, digest }) => [digest.toString("hex"), name]));
  for (const { name, digest } of found.keys) {
    const hex = digest.toString("hex");
    const other = known.get(hex);
    if (other === undefined) known.set(hex, name);
    else {
      findings.error("config-equal-keys", [AUTH, "api_keys"], {
        message: `the environment variable ${name} has the value of the key ${JSON.stringify(other)}`,
        help: `let the key refer to it (key: env:${name}), or give one of them another value`,
        effect: "stop",
      });
    }
  }
  return found;
}

function readEntries(entries: readonly unknown[], findings: Findings): readonly string[] {
  const good: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const path = [AUTH, "public_endpoints", index];
    const shown = JSON.stringify(entry)?.slice(0, 80) ?? "nothing";
    const fault = publicEntryFault(entry);
    if (fault !== null) {
      findings.error("config-bad-endpoint", path, {
        message: `the public endpoint ${shown} opens nothing: ${fault}`,
        help: "write a path such as /health, or /static/* for all that is below /static/",
        effect: "dead",
      });
    } else if (typeof entry === "string") {
      good.push(entry);
      const routes = protectedRoutesIn(entry);
      if (routes.length > 0)
        findings.warn("config-open-endpoint", path, {
          message: `the public endpoint ${shown} lets everybody use ${routes.join(", ")}`,
          help: "remove it, unless that is meant",
        });
    }
  }
  return good;
}

function reportOpenness(
  settings: AuthenticationSettings,
  environmentCount: number,
  reading: PlanReading,
): void {
  const { findings, server } = reading;
  const mode = modeOf(settings);
  if (mode === "off") {
    findings.warn("config-open-server", [AUTH, "enabled"], {
      message: "authentication is off: everybody may do everything",
      help: "write enabled: true",
    });
    return;
  }
  if (mode === "bypass" && !isLoopbackBind(server.host)) {
    findings.error("config-open-server", ["server", "host"], {
      message: `bypass_auth needs a server that is reached from this machine only, not on ${server.host}`,
      help: "write host: 127.0.0.1, or bypass_auth: false",
    });
  }
  const none =
    Object.keys(settings.api_keys).length + environmentCount === 0 &&
    settings.jwt === undefined &&
    settings.supabase === undefined;
  if (none && mode === "on") {
    findings.warn("config-no-method", [AUTH], {
      message:
        "no authentication methods configured: authentication is on, and nobody can present a credential",
      help: "flowsheet auth init --force makes keys; or write jwt, or supabase",
      spot: "key",
    });
  }
}
