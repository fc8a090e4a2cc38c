import type { At, Json } from "../contract/contract.js";
import { AgentError } from "../contract/errors.js";
import { COUNTED, rememberSize, VALUE_LIMIT } from "./size.js";

export const DEPTH_LIMIT = 200;

/** Names that no field, node or graph may have, such as `__proto__`. */
export function isReserved(name: string): boolean {
  return name === "__proto__" || name === "prototype" || name === "constructor";
}

/** True for a plain object. */
export function isMapping(value: unknown): value is { readonly [key: string]: unknown } {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  // A plain object of another realm: its prototype has no prototype, and is neither Array's nor Function's.
  return Object.getPrototypeOf(prototype) === null && !Array.isArray(value);
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { readonly then?: unknown }).then === "function"
  );
}

/** The consumer of a value, which refuses what is not data. */
export interface Taker {
  /** `what` is a phrase such as "a function". */
  readonly refuse: (what: string) => never;
  /** The largest size of a value, in characters and entries. */
  readonly limit?: number;
  /** Called with the size of a large value. */
  readonly took?: (size: number) => void;
}

/** For answers of agents: a value that is not data fails the node. */
export const fromAgent: Taker = {
  refuse: (what) => {
    throw new AgentError("bad_value", `the agent returned ${what}`);
  },
};

/** True for data that needs no copy and no count, as most values do not. */
export function isPlain(value: unknown): value is string | number | boolean {
  if (typeof value === "string") return value.length < COUNTED;
  return typeof value === "number" ? Number.isFinite(value) : typeof value === "boolean";
}

/**
 * A frozen copy of a value as JSON data. Dates become ISO text, undefined properties are dropped, other values are
 * refused. Cost: linear in the value, which is limited in size and depth.
 */
export function dataOf(value: unknown, taker: Taker = fromAgent): Json | undefined {
  if (isPlain(value) || value === undefined || value === null) return value;
  if (typeof value === "number") return taker.refuse(notData(String(value), []));
  if (typeof value === "string") return countText(value, taker);
  return copyData(value, taker);
}

function countText(text: string, taker: Taker): string {
  const { limit = VALUE_LIMIT } = taker;
  if (text.length > limit) taker.refuse(tooLarge(limit));
  taker.took?.(text.length);
  return text;
}

function copyData(value: unknown, taker: Taker): Json {
  const copier = new Copier(taker);
  const copy = copier.copy(value);
  const { size } = copier;
  if (size >= COUNTED) {
    taker.took?.(size);
    rememberSize(copy, size);
  }
  return copy;
}

/** The key of an entry or the index of an item. */
type Step = string | number;

/** A copied part of a value. */
interface Part {
  readonly copy: Json;
  readonly size: number;
  /** The depth of nesting inside it. */
  readonly height: number;
}

/** Smaller parts are not remembered: copying them again is cheap. */
const REMEMBERED = 64;

const tooLarge = (limit: number): string => `a value of more than ${limit} characters`;

function notData(what: string, trail: readonly Step[]): string {
  return `${what}${trail.length === 0 ? "" : ` (at ${trail.join(".")})`}, which is no JSON data`;
}

/**
 * Copies one value and remembers shared parts. A shared part is copied once but counts each time: nested lists can
 * expand to billions of items.
 */
class Copier {
  size = 0;
  private readonly taker: Taker;
  private readonly limit: number;
  /** The objects around the current one, to find cycles. */
  private readonly open = new Set<object>();
  /** The largest depth so far inside the current object. */
  private deepest = 0;
  /** Copied parts that may be shared; null until there is one. */
  private parts: Map<object, Part> | null = null;
  private readonly trail: Step[] = [];

  constructor(taker: Taker) {
    this.taker = taker;
    this.limit = taker.limit ?? VALUE_LIMIT;
  }

  copy(value: unknown): Json {
    this.take(1);
    switch (typeof value) {
      case "string":
        this.take(value.length);
        return value;
      case "boolean":
        return value;
      case "number":
        return Number.isFinite(value) ? value : this.refuse(String(value));
      case "object":
        return value === null ? null : this.copyObject(value);
      default:
        return this.refuse(`a ${typeof value}`);
    }
  }

  private copyObject(value: object): Json {
    if (value instanceof Date) return this.copyDate(value);
    if (this.open.has(value)) this.refuse("a value that contains itself");
    const known = this.parts?.get(value);
    return known === undefined ? this.copyPart(value) : this.repeat(known);
  }

  private copyPart(value: object): Json {
    const { open, size, deepest: outside } = this;
    const depth = this.reach(open.size + 1);
    this.deepest = depth;
    open.add(value);
    const copy = Array.isArray(value) ? this.copyList(value) : this.copyMapping(value);
    open.delete(value);
    if (this.size - size >= REMEMBERED) {
      this.parts ??= new Map();
      this.parts.set(value, { copy, size: this.size - size, height: this.deepest - depth });
    }
    if (outside > this.deepest) this.deepest = outside;
    return copy;
  }

  private repeat({ copy, size, height }: Part): Json {
    this.take(size);
    const depth = this.reach(this.open.size + 1 + height);
    if (depth > this.deepest) this.deepest = depth;
    return copy;
  }

  private reach(depth: number): number {
    if (depth > DEPTH_LIMIT) this.taker.refuse(`data nested more than ${DEPTH_LIMIT} deep`);
    return depth;
  }

  private copyDate(date: Date): string {
    const time = date.getTime();
    return Number.isNaN(time) ? this.refuse("an invalid date") : new Date(time).toISOString();
  }

  private copyList(list: readonly unknown[]): Json {
    this.take(list.length);
    const copy: Json[] = new Array(list.length);
    for (let i = 0; i < list.length; i++) {
      const item = list[i];
      copy[i] = item === undefined ? null : this.copyEntry(i, item);
    }
    return Object.freeze(copy);
  }

  private copyMapping(value: object): Json {
    if (!isMapping(value)) this.refuse(`an instance of ${className(value)}`);
    const copy: { [key: string]: Json } = {};
    for (const key of Object.keys(value)) {
      if (key === "__proto__") this.refuse('an entry named "__proto__"');
      const item = (value as { readonly [key: string]: unknown })[key];
      if (item === undefined) continue;
      this.take(key.length);
      copy[key] = this.copyEntry(key, item);
    }
    return Object.freeze(copy);
  }

  private copyEntry(step: Step, item: unknown): Json {
    this.trail.push(step);
    const copy = this.copy(item);
    this.trail.pop();
    return copy;
  }

  private take(size: number): void {
    this.size += size;
    if (this.size > this.limit) this.taker.refuse(tooLarge(this.limit));
  }

  private refuse(what: string): never {
    return this.taker.refuse(notData(what, this.trail));
  }
}

function className(value: object): string {
  const made: unknown = (value as { readonly constructor?: unknown }).constructor;
  return typeof made === "function" && made.name !== "" ? made.name : "a class";
}

/**
 * The value at a path; undefined when there is none. Only own entries are read. The type argument is the type that
 * the sheet names for the path.
 */
export function at<V, const P extends readonly string[]>(value: V, ...path: P): At<V, P>;
export function at<T>(value: unknown, ...path: readonly string[]): T;
export function at(value: unknown, ...path: readonly string[]): unknown {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== "object" || inner === null) return undefined;
    if (Array.isArray(inner) ? !isIndex(key) : !Object.hasOwn(inner, key)) return undefined;
    inner = (inner as { readonly [key: string]: unknown })[key];
  }
  return inner;
}

function isIndex(key: string): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(key);
}

/** A value as text of a prompt: text as it is, nothing for unset and null, else JSON. */
export function text(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  return JSON.stringify(value) ?? "";
}
