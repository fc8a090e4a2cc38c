import type { ComputeTree, FieldType, FoundTable, Range } from "../ir.js";
import { isBoolean, isNumber, NUMBER, UNKNOWN } from "../types/field-type.js";
import {
  constantType,
  fitOf,
  isSingle,
  KIND_TYPES,
  KIND_WORDS,
  type Kind,
  resultType,
  typeWords,
} from "../types/kinds.js";
import { binary } from "./binary.js";
import type { Checking, Where } from "./checking.js";
import { meantBy } from "./elsewhere.js";
import { FUNCTIONS } from "./functions.js";
import { sampleOf } from "./lookup.js";
import type { Expression, Fault } from "./tree.js";
import { calling, clipped, constantOf, type Facts, literal, NO_FACTS, type Typed } from "./typed.js";

/** An input as a formula sees it. */
export interface Named {
  readonly param: string;
  readonly type: FieldType;
  /** A way leads here on which nothing has written it. */
  readonly mayBeUnset: boolean;
}

/** What a formula is told of its surroundings. */
export interface Surroundings {
  /** The text that the offsets count in. */
  readonly text: string;
  readonly nameOf: (head: string) => Named | null;
  readonly names: readonly string[];
  /** A table by its name; null where tables are not looked up. */
  readonly table: ((name: string) => FoundTable | null) | null;
}

/** What is said of a formula, all with offsets. */
export interface Findings {
  readonly faults: readonly Fault[];
  /** Names that no input has. */
  readonly unknown: readonly (Range & { readonly path: readonly string[] })[];
  /** Inputs that may be unset where a value is needed. */
  readonly unset: readonly (Range & {
    readonly name: string;
    readonly always: boolean;
    readonly kind: Kind | null;
  })[];
  /** Conditions that are always the same. */
  readonly constant: readonly (Range & { readonly value: boolean | null; readonly why: string })[];
}

export interface Checked extends Findings {
  /** The files that a run reads before it computes. */
  readonly tables: readonly string[];
  /** The tables that were found, as they must be found again for the same types. */
  readonly checkedWith: { readonly [name: string]: FoundTable };
  readonly type: FieldType;
  /** Null for a formula with a fault. */
  readonly tree: ComputeTree | null;
}

/** Finds the types of a formula, and all that is wrong with it. Linear in the tree. */
export function checkFormula(tree: Expression, around: Surroundings): Checked {
  const checker = new Checker(around);
  const found = checker.needSet(checker.check(tree, NO_FACTS), null);
  const { faults, unknown, unset, constant } = checker;
  const isWhole = faults.length + unknown.length + unset.length === 0;
  return {
    faults,
    unknown,
    unset,
    constant,
    tables: [...checker.tables],
    checkedWith: Object.fromEntries(checker.found),
    type: resultType(found.type),
    tree: isWhole ? found.tree : null,
  };
}

class Checker implements Checking {
  readonly faults: Fault[] = [];
  readonly unknown: Findings["unknown"][number][] = [];
  readonly unset: Findings["unset"][number][] = [];
  readonly constant: Findings["constant"][number][] = [];
  readonly tables = new Set<string>();
  readonly found = new Map<string, FoundTable>();
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  check(tree: Expression, facts: Facts): Typed {
    switch (tree.kind) {
      case "literal":
        return this.#literal(tree, facts);
      case "name":
        return this.#name(tree, facts);
      case "unary":
        return this.#unary(tree, facts);
      case "binary":
        return binary(this, tree, facts);
      case "call":
        return this.#call(tree, facts);
    }
  }

  made(tree: ComputeTree, type: FieldType, { at, facts }: Where): Typed {
    return {
      tree,
      type,
      mayBeUnset: false,
      isBroken: false,
      isWide: tree.is !== "value",
      at: { start: at.start, end: at.end },
      whenTrue: facts,
      whenFalse: facts,
    };
  }

  broken(at: Range, facts: Facts): Typed {
    return { ...this.made(literal(""), UNKNOWN, { at, facts }), isBroken: true };
  }

  /** Null where tables are not looked up. */
  table(name: string): FoundTable | null {
    const found = this.#around.table?.(name) ?? null;
    const isPart = found !== null && "rows" in found && found.isWorksheet;
    if (!isPart) this.tables.add(name);
    if (found !== null && "rows" in found) this.found.set(name, isPart ? found : sampleOf(found));
    return found;
  }

  /** The text of a stretch, for messages. */
  shown({ start, end }: Range): string {
    return this.#around.text.slice(start, end);
  }

  report(code: Fault["code"], at: Range, message: string, help: string | null, fix?: Fault["fix"]): void {
    this.faults.push({ code, message, help, start: at.start, end: at.end, fix });
  }

  note(at: Range, value: boolean | null, why: string): void {
    this.constant.push({ start: at.start, end: at.end, value, why });
  }

  /** A value that is there. */
  needSet(typed: Typed, kind: Kind | null): Typed {
    if (!typed.mayBeUnset || typed.isBroken) return typed;
    const { start, end } = typed.at;
    const always =
      typed.tree.is === "read" && typed.tree.path.length === 0 && isUnsetIn(typed.whenTrue, typed.tree.param);
    this.unset.push({ start, end, name: this.shown(typed.at), always, kind: kind ?? kindOf(typed.type) });
    return { ...typed, mayBeUnset: false, isBroken: true };
  }

  /** A value of a kind: one of another kind is a fault, one of an unknown type is looked at when it is there. */
  need(typed: Typed, kind: Kind, who: string): Typed {
    if (typed.isBroken) return typed;
    const set = this.needSet(typed, kind);
    if (set.isBroken) return set;
    const fit = fitOf(set.type, kind);
    if (fit === "all") return set;
    if (fit === "none") return this.#unfit(set, kind, who);
    const name = literal(this.shown(set.at));
    return { ...set, tree: calling(CHECKS[kind], set.tree, name), type: KIND_TYPES[kind], isWide: true };
  }

  #unfit(typed: Typed, kind: Kind, who: string): Typed {
    const shown = this.shown(typed.at);
    const message = `${clipped(shown)} is ${typeWords(typed.type)}, ${who} needs ${KIND_WORDS[kind]}`;
    const since = kind === "number" ? (typed.textSince ?? null) : null;
    const help = since ?? helpFor(typed, kind, clipped(shown));
    const fix = since === null ? fixFor(typed, kind, shown) : undefined;
    this.report("formula-type", typed.at, message, help, fix);
    return { ...typed, isBroken: true };
  }

  #literal(tree: Extract<Expression, { kind: "literal" }>, facts: Facts): Typed {
    const { value } = tree;
    const made = this.made(literal(value), constantType(value), { at: tree, facts });
    if (typeof value !== "boolean") return made;
    const dead = { ...facts, isDead: true };
    return { ...made, whenTrue: value ? facts : dead, whenFalse: value ? dead : facts };
  }

  #name(tree: Extract<Expression, { kind: "name" }>, facts: Facts): Typed {
    const [head = "", ...path] = tree.path;
    const named = this.#around.nameOf(head);
    if (named === null) {
      this.unknown.push({ start: tree.start, end: tree.end, path: tree.path });
      return this.broken(tree, facts);
    }
    const { param } = named;
    const read: ComputeTree = { is: "read", param, path };
    const fact = facts.of.get(param);
    if (path.length > 0) return this.#inside(tree, { named, read }, facts);
    const mayBeUnset = fact === "unset" || (named.mayBeUnset && fact !== "set");
    const made = this.made(read, named.type, { at: tree, facts });
    return { ...made, mayBeUnset, isWide: fact !== "fixed" };
  }

  #inside(
    tree: Extract<Expression, { kind: "name" }>,
    { named, read }: { readonly named: Named; readonly read: ComputeTree },
    facts: Facts,
  ): Typed {
    const { type } = named;
    if (isSingle(type)) {
      const head = this.shown(tree).split(".")[0] ?? "";
      const message = `${head} is ${typeWords(type)}, there is nothing inside of it`;
      this.report("formula-type", tree, message, `write ${head} alone`);
      return this.broken(tree, facts);
    }
    return this.made(read, UNKNOWN, { at: tree, facts });
  }

  #unary(tree: Extract<Expression, { kind: "unary" }>, facts: Facts): Typed {
    const who = tree.sign === "%" ? "%" : `the sign ${tree.sign}`;
    const of = this.need(this.check(tree.of, facts), "number", who);
    if (of.isBroken) return { ...this.broken(tree, facts) };
    const value = constantOf(of);
    const at = { at: tree, facts };
    if (typeof value === "number")
      return this.made(
        literal(tree.sign === "-" ? -value : tree.sign === "%" ? value / 100 : value),
        NUMBER,
        at,
      );
    if (tree.sign === "+") return { ...of, at: { start: tree.start, end: tree.end } };
    const made = tree.sign === "-" ? calling("negate", of.tree) : calling("/", of.tree, literal(100));
    return this.made(made, NUMBER, at);
  }

  #call(tree: Extract<Expression, { kind: "call" }>, facts: Facts): Typed {
    const row = FUNCTIONS.get(tree.name);
    if (row === undefined) return this.#unknownFunction(tree, facts);
    const { length } = tree.args;
    if (length < row.least || length > row.most) {
      const wants =
        row.least === row.most
          ? `${row.least}`
          : row.most > MOST
            ? `${row.least} or more`
            : `${row.least} to ${row.most}`;
      const message = `${row.name} has ${length} ${length === 1 ? "value" : "values"}, it takes ${wants}`;
      const lack = length < row.least ? row.lack : undefined;
      this.report(lack?.code ?? "bad-formula", tree.nameAt, message, lack?.help ?? `write ${row.signature}`);
      for (const one of tree.args) this.check(one, facts);
      return this.broken(tree, facts);
    }
    return row.check({ checker: this, tree, facts });
  }

  #unknownFunction(tree: Extract<Expression, { kind: "call" }>, facts: Facts): Typed {
    const name = clipped(this.shown(tree.nameAt));
    const meant = meantBy(tree.name, FUNCTIONS);
    const message = `there is no function ${name}`;
    const fix = meant.name === null ? undefined : { text: meant.name, safe: false };
    this.report("unknown-function", tree.nameAt, message, meant.help, fix);
    for (const one of tree.args) this.check(one, facts);
    return this.broken(tree, facts);
  }
}

/** No function has a limit above this that anybody meets. */
const MOST = 200;

const isUnsetIn = (facts: Facts, param: string): boolean => facts.of.get(param) === "unset";

const kindOf = (type: FieldType): Kind | null =>
  (["number", "text", "boolean", "list"] as const).find((kind) => fitOf(type, kind) === "all") ?? null;

/** The functions that look at a value when it is there. */
const CHECKS: { readonly [kind in Kind]: string } = {
  number: "asNumber",
  text: "asText",
  boolean: "asBoolean",
  list: "asList",
};

function helpFor({ type }: Typed, kind: Kind, shown: string): string | null {
  const isText = fitOf(type, "text") === "all";
  if (kind === "number" && isText) return `write VALUE(${shown}) for text that is a number`;
  if (kind === "number" && isBoolean(type)) return `write IF(${shown}, 1, 0)`;
  if (kind === "text" && isNumber(type)) return `write TEXT(${shown}, "0.00"), or ${shown} & ""`;
  if (kind === "boolean" && isNumber(type)) return `compare it, as in ${shown} > 0`;
  if (kind === "boolean" && isText) return `compare it, as in ${shown} = "yes"`;
  if (kind === "list" && isText) return `write SPLIT(${shown}, ",") for text with commas`;
  return null;
}

function fixFor({ type, tree }: Typed, kind: Kind, shown: string): Fault["fix"] {
  if (kind !== "number" || fitOf(type, "text") !== "all") return undefined;
  if (tree.is !== "value") return { text: `VALUE(${shown})`, safe: false };
  const number =
    typeof tree.value === "string" && /^\s*-?\d+(?:\.\d+)?\s*$/.test(tree.value) ? tree.value.trim() : null;
  return number === null ? undefined : { text: number, safe: false };
}
