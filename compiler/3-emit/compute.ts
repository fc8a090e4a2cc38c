import type { ComputeTree, NodeIR } from "../ir.js";
import { braces, type Doc, layOut, line, WIDTH } from "./layout.js";
import { isPlainName, propertyKey, propertyRead, stringLiteral, templateText } from "./literals.js";
import { longTemplate } from "./long-text.js";
import { isWord, type Scope } from "./scope.js";

/** How closely the signs of JavaScript bind; a larger number binds more closely. */
const ATOM = 20;
const RANK: ReadonlyMap<string, number> = new Map([
  ["?:", 1],
  ["??", 2],
  ["||", 3],
  ["&&", 4],
  ["===", 5],
  ["!==", 5],
  ["<", 6],
  ["<=", 6],
  [">", 6],
  [">=", 6],
  ["+", 7],
  ["-", 7],
  ["*", 8],
  ["/", 8],
  ["!", 9],
  ["negate", 9],
]);

const METHODS: ReadonlyMap<string, string> = new Map([
  ["length", ".length"],
  ["lower", ".toLowerCase()"],
  ["upper", ".toUpperCase()"],
]);

const OF_MATH: ReadonlyMap<string, string> = new Map([
  ["floor", "Math.floor"],
  ["abs", "Math.abs"],
]);

/** Signs between two values. */
const SIGNS: ReadonlySet<string> = new Set(["===", "!==", "<", "<=", ">", ">=", "+", "-", "*", "/"]);

/** Parts that have a form of their own. */
const NO_CALLS: ReadonlySet<string> = new Set(["join", "tables", "{}", "isUnset"]);

/** Prints `compute: ({ amount }) => amount * 1.19 > 1000 ? "high" : "low"`. */
export function emitCompute({ compute }: NodeIR, scope: Scope): readonly Doc[] {
  if (compute === undefined) return [];
  const printer = new Printer(compute.tree, scope);
  const { params, unpacked } = printer;
  const hasTables = compute.tables.length > 0;
  const inputs: Doc = params.length === 0 ? (hasTables ? "_" : "") : unpacked ? braces(params) : "inputs";
  return [["compute: (", inputs, hasTables ? ", tables" : "", ") =>", printer.body(compute.tree)]];
}

class Printer {
  readonly params: readonly string[];
  /** Inputs are variables, unless one would hide a function. */
  readonly unpacked: boolean;
  readonly #scope: Scope;

  constructor(tree: ComputeTree, scope: Scope) {
    this.#scope = scope;
    const params = new Set<string>();
    const called = new Set<string>();
    walk(tree, (part) => {
      if (part.is === "read") params.add(part.param);
      for (const name of this.#calledBy(part)) called.add(name);
    });
    this.params = [...params];
    this.unpacked = this.params.every((name) => isPlainName(name) && !isWord(name) && !called.has(name));
  }

  /** The local names of functions that a part calls. */
  #calledBy(part: ComputeTree): readonly string[] {
    if (part.is === "read") return part.path.length === 0 ? [] : [this.#scope.call("at")];
    if (part.is === "value" || part.is === "rows" || part.name === "{}") return [];
    if (part.name === "tables") return ["tables"];
    if (part.name === "join") return [];
    if (part.name === "text") return [this.#scope.call("text")];
    if (OF_MATH.has(part.name)) return ["Math"];
    return RANK.has(part.name) || METHODS.has(part.name) || part.name === "isUnset"
      ? []
      : [this.#scope.helper(part.name)];
  }

  /** On the line of the arrow where it fits, else below it. */
  body(tree: ComputeTree): Doc {
    const flat = this.#print(tree, 0);
    return {
      kind: "fitted",
      flat: ` ${flat}`,
      broken: (indent) => this.#broken(tree, indent + 2),
    };
  }

  /** Choices, values of functions and conditions of many parts stand on lines of their own. */
  #broken(tree: ComputeTree, indent: number): string {
    const flat = this.#print(tree, 0);
    if (indent + flat.length < WIDTH || tree.is !== "call") return `${line(indent)}${flat}`;
    if (tree.name === "join") return layOut(longTemplate(this.#pieces(tree.args)), wide(indent - 2));
    if (tree.name === "&&" || tree.name === "||") return this.#brokenParts(tree.name, tree.args, indent);
    if (tree.name === "lookupRow") return this.#brokenRows(tree.args, indent);
    if (SIGNS.has(tree.name)) return this.#brokenSum(tree, indent);
    if (tree.name !== "?:") return `${line(indent)}${this.#brokenCall(tree, indent) ?? flat}`;
    const [test, yes, no] = choiceOf(tree) as Choice;
    if (choiceOf(no) !== null) return `${line(indent)}${this.#brokenChain(tree, indent)}`;
    const signs = indent + 2;
    return `${line(indent)}${this.#print(test, 3)}${this.#choice("?", yes, signs)}${this.#choice(":", no, signs)}`;
  }

  /** One sign of a choice on a line of its own, and what is chosen. */
  #choice(sign: string, part: ComputeTree, indent: number): string {
    const choice = choiceOf(part);
    const isLong = indent + 2 + this.#print(part, 0).length >= WIDTH;
    // The signs of a choice in a choice stand two further in, as formatters put them.
    const within = choice !== null && choiceOf(choice[2]) === null && isLong ? indent : indent + 2;
    return `${line(indent)}${sign} ${this.#broken(part, within).trimStart()}`;
  }

  /** A choice whose last part is one again, and so on: a case on each line, as in a table. */
  #brokenChain(tree: ComputeTree, indent: number): string {
    const lines: string[] = [];
    let rest = tree;
    for (let choice = choiceOf(rest); choice !== null; choice = choiceOf(rest)) {
      const [test, yes, no] = choice;
      const asked = `${lines.length === 0 ? "" : ": "}${this.#print(test, 3)}`;
      const flat = `${asked} ? ${this.#print(yes, 2)}`;
      lines.push(indent + flat.length < WIDTH ? flat : asked + this.#choice("?", yes, indent + 2));
      rest = no;
    }
    return lines.join(line(indent)) + this.#choice(":", rest, indent);
  }

  /** A row of the table on each line. */
  #brokenRows([table, ...rest]: readonly ComputeTree[], indent: number): string {
    const rows = table?.is === "rows" ? table.rows : [];
    const within = line(indent + 4);
    const printed = rest.map((part) => this.#print(part, 0)).join(`,${line(indent + 2)}`);
    const lines = rows.map((row) => `${within}${rowText(row)},`).join("");
    return `${line(indent)}${this.#scope.helper("lookupRow")}(${line(indent + 2)}[${lines}${line(indent + 2)}],${line(indent + 2)}${printed},${line(indent)})`;
  }

  /** Each value of a function on a line; null for what is no call in JavaScript. */
  #brokenCall({ name, args }: Call, indent: number): string | null {
    const called = this.#nameOf(name);
    if (called === null || args.length === 0) return null;
    const values = args.map((arg) => `${this.#broken(arg, indent + 2)},`).join("");
    return `${called}(${values}${line(indent)})`;
  }

  /** What is called for a function; null for a sign and the like. */
  #nameOf(name: string): string | null {
    if (RANK.has(name) || METHODS.has(name) || NO_CALLS.has(name)) return null;
    return OF_MATH.get(name) ?? (name === "text" ? this.#scope.call(name) : this.#scope.helper(name));
  }

  /** What stands between signs of one rank, each on a line. */
  #brokenSum(tree: Call, indent: number): string {
    const rank = RANK.get(tree.name) as number;
    const lines: string[] = [];
    let rest: ComputeTree = tree;
    while (rest.is === "call" && SIGNS.has(rest.name) && RANK.get(rest.name) === rank) {
      const [left, right] = rest.args as readonly [ComputeTree, ComputeTree];
      lines.unshift(` ${rest.name}${line(indent)}${this.#inBrackets(right, rank + 1, indent)}`);
      rest = left;
    }
    return line(indent) + this.#inBrackets(rest, rank, indent) + lines.join("");
  }

  /** A part between signs. A choice that is longer than the line stands in brackets of many lines. */
  #inBrackets(tree: ComputeTree, around: number, indent: number): string {
    const flat = this.#print(tree, around);
    if (choiceOf(tree) === null || indent + flat.length + 3 < WIDTH) return flat;
    return `(${this.#broken(tree, indent + 2)}${line(indent)})`;
  }

  #brokenParts(sign: string, parts: readonly ComputeTree[], indent: number): string {
    const rank = (RANK.get(sign) as number) + 1;
    return `${line(indent)}${parts.map((part) => this.#print(part, rank)).join(` ${sign}${line(indent)}`)}`;
  }

  #template(args: readonly ComputeTree[]): string {
    const codes = this.#pieces(args).map((part) =>
      "text" in part ? templateText(part.text) : `\${${part.read}}`,
    );
    return `\`${codes.join("")}\``;
  }

  #pieces(args: readonly ComputeTree[]) {
    return args.map((part) =>
      part.is === "value" ? { text: String(part.value) } : { read: this.#print(part, 0) },
    );
  }

  /** The text of a part; in brackets where it binds less closely than what is around it. */
  #print(tree: ComputeTree, around: number): string {
    if (tree.is === "value") return literalText(tree.value, around);
    if (tree.is === "read") return this.#read(tree);
    if (tree.is === "rows") return `[${tree.rows.map(rowText).join(", ")}]`;
    const rank = rankOf(tree);
    const text = this.#call(tree);
    return rank < around ? `(${text})` : text;
  }

  #read({ param, path }: Extract<ComputeTree, { is: "read" }>): string {
    const value = this.unpacked ? param : propertyRead("inputs", param);
    return path.length === 0
      ? value
      : `${this.#scope.call("at")}(${[value, ...path.map(stringLiteral)].join(", ")})`;
  }

  #call({ name, args }: Call): string {
    const [a, b, c] = args as readonly [ComputeTree, ComputeTree, ComputeTree];
    const method = METHODS.get(name);
    if (method !== undefined) return `${this.#print(a, ATOM)}${method}`;
    const rank = RANK.get(name);
    // A choice between the signs of another one is read more easily in brackets.
    if (name === "?:") return `${this.#print(a, 3)} ? ${this.#print(b, 2)} : ${this.#print(c, 1)}`;
    // JavaScript wants brackets where `??` meets `||`; around all of its parts they are never wrong.
    if (name === "??") return `${this.#print(a, 10)} ?? ${this.#print(b, 10)}`;
    if (name === "tables") return name;
    if (name === "{}") return this.#named(args);
    if (name === "isUnset") return `${this.#print(a, 6)} === undefined`;
    if (name === "!") return this.#not(a);
    if (name === "negate") return `-${this.#print(a, 10)}`;
    if (name === "join") return this.#template(args);
    if (rank !== undefined)
      return args.map((arg, i) => this.#print(arg, i === 0 ? rank : rank + 1)).join(` ${name} `);
    return `${this.#nameOf(name)}(${args.map((arg) => this.#print(arg, 0)).join(", ")})`;
  }

  /** Names and values in turn. */
  #named(args: readonly ComputeTree[]): string {
    const entries = args.flatMap((arg, i) =>
      i % 2 === 1 || arg.is !== "value"
        ? []
        : [`${propertyKey(String(arg.value))}: ${this.#print(args[i + 1] as ComputeTree, 0)}`],
    );
    return `{ ${entries.join(", ")} }`;
  }

  #not(of: ComputeTree): string {
    if (of.is === "call" && of.name === "isUnset")
      return `${this.#print(of.args[0] as ComputeTree, 6)} !== undefined`;
    return `!${this.#print(of, 9)}`;
  }
}

type Call = Extract<ComputeTree, { is: "call" }>;
type Choice = readonly [test: ComputeTree, yes: ComputeTree, no: ComputeTree];

/** The parts of a choice; null for anything else. */
const choiceOf = (tree: ComputeTree): Choice | null =>
  tree.is === "call" && tree.name === "?:" ? (tree.args as Choice) : null;

const rowText = ([key, value]: readonly [string | number, string | number]): string =>
  `[${literalText(key, 0)}, ${literalText(value, 0)}]`;

/** A spot where nothing fits on the rest of the line. */
const wide = (indent: number) => ({ indent, column: WIDTH, tail: 0 });

function rankOf(tree: Call): number {
  if (tree.name === "isUnset") return 5;
  const [of] = tree.args;
  if (tree.name === "!" && of?.is === "call" && of.name === "isUnset") return 5;
  return RANK.get(tree.name) ?? ATOM;
}

/** A number with a sign is put in brackets where a sign stands before it, or a point after it. */
function literalText(value: string | number | boolean, around: number): string {
  if (typeof value === "string") return stringLiteral(value);
  if (typeof value === "boolean") return String(value);
  const text = JSON.stringify(value);
  return Object.is(value, -0) ? "0" : value < 0 && around >= 9 ? `(${text})` : text;
}

function walk(tree: ComputeTree, see: (part: ComputeTree) => void): void {
  see(tree);
  if (tree.is === "call") for (const arg of tree.args) walk(arg, see);
}
