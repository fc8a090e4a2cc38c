export { createAttempts } from "./attempts.js";
export {
  type Authenticator,
  type AuthenticatorOptions,
  type AuthRequest,
  createAuthenticator,
} from "./authenticator.js";
export { type CanonicalPath, canonicalPath } from "./canonical-path.js";
export { headerValues } from "./credential.js";
export { type Addressed, cutKey } from "./cut-key.js";
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
  readRequest,
} from "./middleware.js";
export { PERMISSIONS, type Permission, type Permissions } from "./permissions.js";
export type { AuthPlan, KeyEntry } from "./plan/plan.js";
export { describeStart, type StartNotes } from "./plan/start-notes.js";
export { type Described, type ProblemRequest, problemBody } from "./problem-body.js";
export { requestIdOf } from "./request-id.js";
export { type AuthResult, type Principal, REFUSALS, type Refusal, type RefusalCode } from "./result.js";
