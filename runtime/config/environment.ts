import type { Environment } from "../host.js";

/** What a text that begins with `env:` stands for. */
export type Reference =
  | { readonly kind: "value"; readonly name: string; readonly value: string; readonly byDefault: boolean }
  | { readonly kind: "unset"; readonly name: string }
  | { readonly kind: "malformed"; readonly name: string };

const PREFIX = "env:";
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Whether a text is a reference to a variable. */
export const isReference = (text: string): boolean => text.startsWith(PREFIX);

/**
 * Looks up `env:NAME` or `env:NAME:default`; null for any other text. A variable that is set to nothing counts as
 * unset. What a variable holds is never looked at again, also when it begins with `env:` itself.
 */
export function readReference(text: string, env: Environment): Reference | null {
  if (!isReference(text)) return null;
  const rest = text.slice(PREFIX.length);
  const colon = rest.indexOf(":");
  const name = colon === -1 ? rest : rest.slice(0, colon);
  if (!NAME.test(name)) return { kind: "malformed", name };
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (value !== undefined && value !== "") return { kind: "value", name, value, byDefault: false };
  if (colon === -1) return { kind: "unset", name };
  return { kind: "value", name, value: rest.slice(colon + 1), byDefault: true };
}
