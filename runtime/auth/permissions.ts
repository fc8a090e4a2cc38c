export type Permission = "read" | "write" | "execute" | "answer" | "admin";
export type Permissions = ReadonlySet<Permission>;

export const PERMISSIONS: readonly Permission[] = ["read", "write", "execute", "answer", "admin"];

export const isPermission = (value: unknown): value is Permission =>
  PERMISSIONS.some((permission) => permission === value);

type Included = { readonly [P in Permission]: readonly Permission[] };

/** The permissions that each permission includes. */
export const INCLUDED: Included = {
  read: ["read"],
  write: ["read", "write"],
  execute: ["read", "execute", "answer"],
  answer: ["answer"],
  admin: PERMISSIONS,
};

/** Adds the included permissions. */
export type Expand = (given: Iterable<Permission>) => Permissions;

/**
 * Makes the rules of inclusion. A configuration may narrow those of `execute` and `admin`. Whoever may execute may
 * answer: lists from before there was `answer` name only `execute`.
 */
export function createExpand(narrowed: Pick<Included, "execute" | "admin">): Expand {
  const included = { ...INCLUDED, ...narrowed };
  return (given) => {
    const all = new Set([...given].flatMap((permission) => included[permission]));
    return all.has("execute") ? all.add("answer") : all;
  };
}
