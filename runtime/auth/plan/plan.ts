import type { Findings } from "../../config/findings.js";
import type { Resolved } from "../../config/references.js";
import type { Secret } from "../../config/secret.js";
import type { Environment } from "../../host.js";
import type { Expand, Permissions } from "../permissions.js";
import type { IsPublic } from "./public-endpoints.js";

export interface PlanSource extends Pick<Resolved, "referred" | "unset"> {
  readonly findings: Findings;
  readonly env: Environment;
  /** The address to listen on. */
  readonly host: string;
  readonly now: number;
}

/** A key that clients may send. Only its digest is stored. */
export interface KeyEntry {
  /** Its name in the file, or the name of its variable. */
  readonly name: string;
  readonly source: "file" | "environment";
  readonly digest: Buffer;
  readonly permissions: Permissions;
  readonly userId: string;
  readonly roles: readonly string[];
  /** The graphs, or folders of them, that it is limited to; null without a limit. */
  readonly graphs: readonly string[] | null;
  /** In milliseconds since 1970; null for no end. */
  readonly expiresAt: number | null;
}

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

/** The checks of tokens of the identity service. */
export interface IdentityPlan {
  readonly url: string;
  readonly secret: Secret | null;
  readonly anonKey: Secret | null;
  readonly roles: ReadonlyMap<string, Permissions>;
  /** The names of the fields in a token. */
  readonly fields: { readonly user_id: string; readonly username: string; readonly role: string };
}

/** The rules for all requests. */
export interface AuthPlan {
  /** `off`: every request may do everything; `bypass`: requests from this machine need no credential. */
  readonly mode: "on" | "off" | "bypass";
  readonly keys: readonly KeyEntry[];
  readonly isPublic: IsPublic;
  readonly publicEndpoints: readonly string[];
  /** For routes of the surrounding application. */
  readonly isPublicOfHost: IsPublic;
  readonly expand: Expand;
  readonly jwt: JwtPlan | null;
  readonly identity: IdentityPlan | null;
  readonly allowQueryKey: boolean;
  /** A key may also come as a bearer token. Then no other tokens are taken. */
  readonly takesBearerKeys?: boolean;
}
