import { z } from "zod";
import { DEFAULT_PUBLIC_PATHS } from "../auth/plan/public-endpoints.js";
import { flag, formed, listOf, named, oneOf, secret, settings, text, whole } from "./leaves.js";

const JWT_ALGORITHMS = [
  "HS256",
  "HS384",
  "HS512",
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
] as const;

/** What stands inside an entry is looked at one by one: a bad entry is dead, and the others live. */
const apiKey = z.record(z.string(), z.unknown(), { error: "a mapping with key, permissions and user_id" });

const permissionList = listOf(z.unknown(), "a list of permissions, such as [read, execute]");
const url = formed(/^https?:\/\/[^\s/?#]+[^\s]*$/i, "an address that begins with https://");

const jwt = settings({
  secret: secret("text of 32 characters or more").optional(),
  public_key: text("a public key in PEM form").optional(),
  jwks_url: url.optional(),
  algorithm: oneOf(JWT_ALGORITHMS).default("HS256"),
  expiry_hours: whole(1, 87_600).default(24),
  issuer: text().optional(),
  audience: text().optional(),
});

const supabase = settings({
  url,
  anon_key: secret().optional(),
  jwt_secret: secret("text of 32 characters or more").optional(),
  role_mapping: named(permissionList).default({}),
  metadata_mapping: settings({
    user_id: text("the name of a field, such as id").default("id"),
    username: text("the name of a field, such as email").default("email"),
    role: text("the name of a field, such as role").default("role"),
  }).prefault({}),
});

export const authenticationSchema = settings({
  enabled: flag().default(true),
  allow_query_key: flag().default(true),
  api_keys: named(apiKey).default({}),
  jwt: jwt.optional(),
  supabase: supabase.optional(),
  public_endpoints: listOf(z.unknown(), "a list of paths, such as [/health, /static/*]").default([
    ...DEFAULT_PUBLIC_PATHS,
  ]),
  embedded_mode: settings({
    enabled: flag().default(false),
    bypass_auth: flag().default(false),
  }).prefault({}),
  permissions: settings({
    default_permissions: permissionList.default(["read"]),
    admin_permissions: permissionList.default(["read", "write", "execute", "admin"]),
    execution_permissions: permissionList.default(["read", "execute"]),
  }).prefault({}),
});

export type AuthenticationSettings = z.infer<typeof authenticationSchema>;
