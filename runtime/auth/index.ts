export { createAttempts } from "./attempts.js";
export {
  type Authenticator,
  type AuthenticatorOptions,
  type AuthRequest,
  createAuthenticator,
} from "./authenticator.js";
export { type CanonicalPath, canonicalPath, withoutKey } from "./canonical-path.js";
export {
  createLiveAuthenticator,
  type LiveAuthenticator,
  type LiveOptions,
  StartRefusedError,
} from "./live.js";
export {
  type Auth,
  type AuthOptions,
  createAuth,
  type Handler,
  type MiddlewareRequest,
  problemBody,
  readRequest,
} from "./middleware.js";
export { PERMISSIONS, type Permission, type Permissions } from "./permissions.js";
export type { AuthPlan, KeyEntry } from "./plan.js";
export type { AuthResult, Principal, Refusal, RefusalCode } from "./result.js";
export { describeStart, type StartNotes } from "./start-notes.js";
