import type { Findings } from "../../config/findings.js";
import type { Referred } from "../../config/references.js";
import type { Secret } from "../../config/secret.js";
import type { Environment } from "../../host.js";
import type { Expand, Permission, Permissions } from "../permissions.js";
import type { IsPublic } from "./public-endpoints.js";

/** What a plan is read with. */
export interface PlanSource {
  /** Take what is wrong. */
  readonly findings: Findings;
  readonly env: Environment;
  /** Settings whose values came from variables, and those that are left out, as their variable is not set. */
  readonly referred: readonly Referred[];
  readonly unset: readonly Referred[];
  /** Where the server listens. */
  readonly host: string;
  readonly now: number;
}

/** A key that may be presented. Of the key itself only its digest is kept. */
export interface KeyEntry {
  /** Its name in the file, or the name of its variable. */
  readonly name: string;
  readonly source: "file" | "environment";
  readonly digest: Buffer;
  /** All that it may do. */
  readonly permissions: Permissions;
  readonly userId: string;
  /** When it ends, in milliseconds; null for never. */
  readonly expiresAt: number | null;
}

/** How tokens of the section `jwt` are checked. */
export interface JwtPlan {
  readonly algorithm: string;
  readonly material:
    | { readonly kind: "secret"; readonly secret: Secret }
    | { readonly kind: "public-key"; readonly pem: string }
    | { readonly kind: "jwks"; readonly url: string };
  readonly issuer: string | null;
  readonly audience: string | null;
  readonly maxAgeSeconds: number;
  readonly defaultPermissions: Permissions;
}

/** How tokens of the hosted identity service are checked. */
export interface IdentityPlan {
  readonly url: string;
  readonly secret: Secret | null;
  readonly anonKey: Secret | null;
  readonly roles: ReadonlyMap<string, Permissions>;
  readonly fields: { readonly userId: string; readonly username: string; readonly role: string };
}

/** All that decides about requests. */
export interface AuthPlan {
  /** `off`: everything is open; `bypass`: requests from this machine need no credential. */
  readonly mode: "on" | "off" | "bypass";
  readonly keys: readonly KeyEntry[];
  readonly isPublic: IsPublic;
  readonly publicEndpoints: readonly string[];
  /** The same for routes of an application around the service. */
  readonly isPublicOfHost: IsPublic;
  readonly expand: Expand;
  readonly jwt: JwtPlan | null;
  readonly identity: IdentityPlan | null;
  readonly allowQueryKey: boolean;
  /** What `execute` and `admin` were narrowed to. */
  readonly narrowing: { readonly execute: readonly Permission[]; readonly admin: readonly Permission[] };
}
