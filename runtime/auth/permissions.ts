export type Permission = "read" | "write" | "execute" | "admin";
export type Permissions = ReadonlySet<Permission>;

export const PERMISSIONS: readonly Permission[] = ["read", "write", "execute", "admin"];

export const isPermission = (value: unknown): value is Permission =>
  PERMISSIONS.some((permission) => permission === value);

/** The permissions that each permission includes. */
const INCLUDED: { readonly [P in Permission]: Permissions } = {
  read: new Set(["read"]),
  write: new Set(["read", "write"]),
  execute: new Set(["read", "execute"]),
  admin: new Set(PERMISSIONS),
};

/** The permissions that `execute` and `admin` include in a configuration. */
export interface Narrowing {
  readonly execute: readonly Permission[];
  readonly admin: readonly Permission[];
}

/** Adds the included permissions. */
export type Expand = (given: Iterable<Permission>) => Permissions;

/** Makes the rules of inclusion. A configuration may narrow them, never widen them. */
export function createExpand(narrowing: Narrowing): Expand {
  const narrowed: { readonly [P in Permission]: Permissions } = {
    ...INCLUDED,
    execute: within(INCLUDED.execute, narrowing.execute),
    admin: within(INCLUDED.admin, narrowing.admin),
  };
  return (given) => new Set([...given].flatMap((permission) => [...narrowed[permission]]));
}

const within = (all: Permissions, kept: readonly Permission[]): Permissions =>
  new Set(kept.filter((permission) => all.has(permission)));

/** The permissions that a configuration adds to a permission, which is an error. */
export function widened(
  permission: "execute" | "admin",
  wanted: readonly Permission[],
): readonly Permission[] {
  return wanted.filter((one) => !INCLUDED[permission].has(one));
}
