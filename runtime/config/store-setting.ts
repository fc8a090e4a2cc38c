import { createSecret, type Secret } from "./secret.js";

/** What keeps the runs: a file of this machine, or a PostgreSQL server, whose address may hold a password. */
export type StoreSetting = "sqlite" | Secret;

export const STORE =
  "sqlite, or the address of a PostgreSQL server, such as env:DATABASE_URL with postgres://…";

/** Null when `runs.store` may have this value. It completes the sentence `runs.store must be …`. */
export const storeFault = (value: unknown): string | null =>
  value === "sqlite" || (typeof value === "string" && isPostgres(value)) ? null : STORE;

const SECRET_PARTS = ["password", "sslpassword"] as const;

/** What stands in the file, a reference with its default included, is read by more people than a variable. */
export function holdsPassword(written: unknown): boolean {
  if (typeof written !== "string") return false;
  const url = addressIn(written);
  return url !== null && (url.password !== "" || SECRET_PARTS.some((name) => url.searchParams.has(name)));
}

export const PASSWORD_FAULT = "runs.store holds a password, which must not stand in this file";
export const PASSWORD_HELP = "put the address into a variable, and write store: env:DATABASE_URL";

export const storeOf = (value: string): StoreSetting => (value === "sqlite" ? value : createSecret(value));

export const isPostgres = (value: string): boolean =>
  /^postgres(?:ql)?:\/\//i.test(value) && addressIn(value)?.hostname.includes(",") === false;

/** A URL must have a host behind a user's name, the address of a socket need not. */
export const NO_HOST = "_";

/** Null without one. */
export function addressIn(text: string): URL | null {
  const [, address = ""] = /([a-z][a-z0-9+.-]*:\/\/.*)$/is.exec(text) ?? [];
  const whole = address.replace("@/", `@${NO_HOST}/`);
  return URL.canParse(whole) ? new URL(whole) : null;
}
