import { jsonText } from "../../compiler/diagnostics/json-text.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import type { Permission } from "../../runtime/auth/permissions.js";

export interface ShownKey {
  readonly name: string;
  readonly key: string;
  readonly permissions: readonly Permission[];
  readonly userId: string;
  readonly expiresAt: string | null;
}

const FIRST = ["admin", "readonly", "executor", "developer"];

export function inOrder<K extends { readonly name: string }>(keys: readonly K[]): readonly K[] {
  const rank = ({ name }: K): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return [...keys].sort((a, b) => rank(a) - rank(b));
}

export function keysText(keys: readonly ShownKey[]): string {
  const width = keys.reduce((most, { name }) => Math.max(most, visible(name).length), 0);
  return keys.map(({ name, key }) => `${visible(name).padEnd(width)}  ${key}\n`).join("");
}

export function keysJson(keys: readonly ShownKey[]): string {
  return jsonText({
    keys: keys.map(({ name, key, permissions, userId, expiresAt }) => ({
      name,
      key,
      permissions,
      user_id: userId,
      expires_at: expiresAt,
    })),
  });
}
