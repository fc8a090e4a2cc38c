import { refuse, shown } from "./refuse.js";

/** A value whose type is not known before a run. `name` is how the formula calls it. */
export function asNumber(value: unknown, name: string): number {
  return typeof value === "number" ? value : unfit(value, name, "a number");
}

export function asText(value: unknown, name: string): string {
  return typeof value === "string" ? value : unfit(value, name, "text");
}

export function asBoolean(value: unknown, name: string): boolean {
  return typeof value === "boolean" ? value : unfit(value, name, "TRUE or FALSE");
}

export function asList(value: unknown, name: string): readonly unknown[] {
  return Array.isArray(value) ? value : unfit(value, name, "a list");
}

function unfit(value: unknown, name: string, wanted: string): never {
  if (isBlank(value)) return refuse(`${name} is not set, ${wanted} is needed`);
  return refuse(`${name} is ${shown(value)}, ${wanted} is needed`);
}

/** Empty text is a value. */
export const isBlank = (value: unknown): boolean => value === undefined || value === null;

export const isNumber = (value: unknown): boolean => typeof value === "number";

/** No condition of IFS and no case of SWITCH fits. */
export const noMatch = (name: string): never => refuse(`${name} finds nothing that fits`);
