import { jsonText } from "../../compiler/diagnostics/json-text.js";
import { mintIdentityToken, mintOwnToken, type TokenWish } from "../../runtime/auth/mint.js";
import { isPermission, PERMISSIONS, type Permission } from "../../runtime/auth/permissions.js";
import type { AuthPlan } from "../../runtime/auth/plan/plan.js";
import { isoInstant } from "../../runtime/auth/plan/section.js";
import { meantText } from "../../runtime/config/findings.js";
import { openConfiguration } from "../commands/validate-config.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";

const DEFAULT_MINUTES = 60;

/** `flowsheet auth token`: a token for tests, signed with the secret of the configuration. */
export async function mintToken(context: Context, given: Given): Promise<number> {
  const { file, checked } = openConfiguration(context);
  const plan = checked.configuration?.auth;
  if (plan === undefined)
    throw new UsageError(`${file} cannot be used`, "flowsheet validate --section authentication says why");
  const wish = readWish(given, plan);
  const token = await mint(plan, wish, file);
  const expiresAt = isoInstant(wish.now + wish.seconds * 1_000);
  if (given.flag("json"))
    context.stdout.write(jsonText({ token, user_id: wish.userId, expires_at: expiresAt }));
  else {
    context.stdout.write(`${token}\n`);
    if (given.text("minutes") !== null && wish.seconds < minutesOf(given) * 60)
      context.note(`${file} takes tokens of ${wish.seconds / 60} minutes at most: this one ends then`);
    context.note(`a token of ${wish.userId}, until ${expiresAt}; send it as Authorization: Bearer TOKEN`);
  }
  return EXIT.done;
}

async function mint(plan: AuthPlan, wish: TokenWish, file: string): Promise<string> {
  const { jwt, identity } = plan;
  if (wish.role !== null && wish.permissions.length > 0)
    throw new UsageError("--role and --permission cannot be used together");
  const hosted = identity !== null && (jwt === null || wish.role !== null);
  if (jwt === null && identity === null)
    throw new UsageError(`${file} accepts no tokens`, "write authentication.jwt with a secret: env:NAME");
  if (wish.role !== null && !hosted)
    throw new UsageError("--role is for the identity service, which is not configured", "use --permission");
  const token = hosted
    ? await mintIdentityToken(identity, wish)
    : jwt === null
      ? null
      : await mintOwnToken(jwt, wish);
  if (token !== null) return token;
  throw new UsageError(
    `${file} checks tokens with a public key: only who has the private key can make one`,
    "ask the service that signs them",
  );
}

function minutesOf(given: Given): number {
  const minutes = Number(given.text("minutes") ?? DEFAULT_MINUTES);
  if (Number.isInteger(minutes) && minutes >= 1) return minutes;
  throw new UsageError("--minutes must be a whole number, 1 or more");
}

function readWish(given: Given, { jwt }: AuthPlan): TokenWish {
  const longest = jwt?.maxAgeSeconds ?? Number.POSITIVE_INFINITY;
  return {
    userId: given.text("user") ?? "test",
    permissions: given.list("permission").map(readPermission),
    role: given.text("role"),
    seconds: Math.min(minutesOf(given) * 60, longest),
    now: Date.now(),
  };
}

export function readPermission(text: string): Permission {
  if (isPermission(text)) return text;
  throw new UsageError(
    `${JSON.stringify(text)} is no permission`,
    meantText(text, PERMISSIONS) ?? `permissions are ${PERMISSIONS.join(", ")}`,
  );
}
