import type { Permission } from "../permissions.js";
import { DEFAULT_PUBLIC_PATHS } from "./public-endpoints.js";

export interface NewKey {
  readonly name: string;
  readonly key: string;
  /** The form in the file: `sha256:…` or `env:NAME`. */
  readonly stored: string;
  readonly permissions: readonly Permission[];
  readonly userId: string;
  readonly expiresAt: string | null;
  readonly description: string;
}

const DAY_MS = 86_400_000;
export const DEVELOPER_DAYS = 90;

/** The keys that `auth init` makes, in the order of its output. */
export const STANDARD_KEYS: readonly (Pick<NewKey, "name" | "permissions" | "description"> & {
  readonly days: number | null;
})[] = [
  { name: "admin", permissions: ["admin"], description: "Everything", days: null },
  { name: "readonly", permissions: ["read"], description: "Looks at workflows", days: null },
  { name: "executor", permissions: ["read", "execute"], description: "Runs workflows", days: null },
  {
    name: "developer",
    permissions: ["read", "write"],
    description: "Changes workflows",
    days: DEVELOPER_DAYS,
  },
];

/** A time as configuration files hold it: ISO 8601 without fractions of a second. */
export const isoInstant = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, "Z");

export const daysAfter = (now: number, days: number): string => isoInstant(now + days * DAY_MS);

/** The section `authentication` as text, with `\n` line ends. */
export function formatSection(keys: readonly NewKey[], now: number): string {
  return `authentication:
  enabled: true
  # What stands here is not the key itself: that was shown when it was made.
  api_keys:
${keys.map((key) => formatKey(key, now)).join("")}  # Tokens: uncomment, and set the variable to 32 characters or more.
  # jwt:
  #   secret: env:FLOWSHEET_JWT_SECRET
  #   algorithm: HS256
  #   expiry_hours: 24
  # Paths that need no credential; /static/* stands for all that is below /static/.
  public_endpoints:
${DEFAULT_PUBLIC_PATHS.map((path) => `    - ${path}\n`).join("")}  # For work on this machine only: enabled and bypass_auth let it in without a credential.
  embedded_mode:
    enabled: false
    bypass_auth: false
  permissions:
    default_permissions: [read]
    admin_permissions: [read, write, execute, admin]
    execution_permissions: [read, execute]
`;
}

function formatKey(
  { name, stored, permissions, userId, expiresAt, description }: NewKey,
  now: number,
): string {
  const expiry = expiresAt === null ? "" : `      expires_at: ${JSON.stringify(expiresAt)}\n`;
  return `    ${name}:
      key: ${JSON.stringify(stored)}
      permissions: [${permissions.join(", ")}]
      user_id: ${userId}
${expiry}      metadata:
        description: ${description}
        created: ${JSON.stringify(isoInstant(now))}
        created_by: flowsheet auth init
`;
}
