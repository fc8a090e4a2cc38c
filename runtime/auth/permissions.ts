/** What a credential may do. */
export type Permission = "read" | "write" | "execute" | "admin";
export type Permissions = ReadonlySet<Permission>;

/** All permissions there are. */
export const PERMISSIONS: readonly Permission[] = ["read", "write", "execute", "admin"];

/** Whether a value names a permission. */
export const isPermission = (value: unknown): value is Permission =>
  PERMISSIONS.some((permission) => permission === value);

/** What each permission includes. */
const INCLUDED: { readonly [P in Permission]: Permissions } = {
  read: new Set(["read"]),
  write: new Set(["read", "write"]),
  execute: new Set(["read", "execute"]),
  admin: new Set(PERMISSIONS),
};

/** What `execute` and `admin` mean in a configuration. */
export interface Narrowing {
  readonly execute: readonly Permission[];
  readonly admin: readonly Permission[];
}

/** Works out what somebody who was given these permissions may do. */
export type Expand = (given: Iterable<Permission>) => Permissions;

/** The rules of inclusion; a configuration may make them narrower, never wider. */
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

/** What cannot be part of the meaning of a permission, as that would widen it. */
export function widened(
  permission: "execute" | "admin",
  wanted: readonly Permission[],
): readonly Permission[] {
  return wanted.filter((one) => !INCLUDED[permission].has(one));
}
