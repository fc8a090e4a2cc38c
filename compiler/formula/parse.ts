import type { Range } from "../ir.js";
import { type Token, Tokens } from "./tokens.js";
import {
  type BinarySign,
  DEEPEST,
  type Expression,
  type Fault,
  LONGEST_FORMULA,
  MOST_SIGNS,
} from "./tree.js";

export type Parsed = { readonly tree: Expression } | { readonly fault: Fault };

/** How closely signs bind. Signs of one rank are read from the left, as in Excel also those of powers. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ...["=", "<>", "<", "<=", ">", ">="].map((sign) => [sign, 1] as const),
  ["&", 2],
  ["+", 3],
  ["-", 3],
  ["*", 4],
  ["/", 4],
  ["^", 5],
]);

/** Reads a formula; a leading `=` is left out, also behind the apostrophe that makes a cell text. Linear in the text. */
export function parseFormula(text: string): Parsed {
  const lead = /^[\s\ufeff]*(?:'?=(?![=<>])[\s\ufeff]*)?/.exec(text)?.[0].length ?? 0;
  const end = text.trimEnd().length;
  const whole = { start: Math.min(lead, end), end: Math.max(lead, end) };
  if (lead >= end)
    return {
      fault: bad(
        { start: 0, end: text.length },
        "there is no formula",
        "write a formula, such as amount * 1.19",
      ),
    };
  if (end - lead > LONGEST_FORMULA)
    return {
      fault: bad(
        whole,
        `the formula is longer than ${LONGEST_FORMULA} characters`,
        "let a node before it compute a part",
      ),
    };
  const value = text.slice(lead, end);
  // A cell of a date says so; behind a sign it is a subtraction, as in a spreadsheet.
  if (DATE.test(text.slice(0, end).trimStart())) return { tree: { kind: "literal", value, ...whole } };
  return new Parser(text.slice(0, end), lead).parse();
}

/** Words that other languages write between two conditions. */
const INFIX: ReadonlyMap<string, string> = new Map([
  ["AND", "AND"],
  ["OR", "OR"],
  ["UND", "AND"],
  ["ODER", "OR"],
]);

const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2})?$/;

const bad = (at: Range, message: string, help: string | null): Fault => ({
  code: "bad-formula",
  message,
  help,
  start: at.start,
  end: at.end,
});

/** Thrown inside of the parser alone. */
class Stop {
  readonly fault: Fault;
  constructor(fault: Fault) {
    this.fault = fault;
  }
}

class Parser {
  readonly #text: string;
  readonly #tokens: Tokens;
  #token: Token;
  #last: Range;
  #depth = 0;
  #signs = 0;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#tokens = new Tokens(text, start);
    this.#last = { start, end: start };
    this.#token = this.#tokens.next();
  }

  parse(): Parsed {
    try {
      this.#check();
      const tree = this.#expression(1);
      if (this.#token.kind !== "end") this.#stop(this.#token, ...this.#surplus(this.#token));
      this.#check();
      return { tree };
    } catch (thrown) {
      if (thrown instanceof Stop) return { fault: thrown.fault };
      throw thrown;
    }
  }

  #check(): void {
    if (this.#tokens.fault !== null) throw new Stop(this.#tokens.fault);
  }

  #stop(at: Range, message: string, help: string | null = null): never {
    throw new Stop(this.#tokens.fault ?? bad(at, message, help));
  }

  #surplus(token: Token): readonly [message: string, help: string | null] {
    const shown = this.#text.slice(token.start, token.end);
    if (shown === ")") return ["there is no open bracket for this one", "remove it, or open one before"];
    if (shown === "," || shown === ";")
      return [
        `${shown} stands between the values of a function`,
        "the fraction of a number is written with a point: 1.5",
      ];
    if (this.#text.slice(this.#last.start, this.#last.end) === "%")
      return [
        `a sign is missing before ${shown}`,
        "% is a hundredth: write MOD(one, other) for what is left",
      ];
    const sign = INFIX.get(shown.toUpperCase());
    const help = sign === undefined ? "such as +, *, & or a comma" : `write ${sign}(one, other)`;
    return [`a sign is missing before ${shown}`, help];
  }

  #advance(): void {
    this.#last = this.#token;
    this.#token = this.#tokens.next();
    this.#check();
  }

  #isSign(sign: string): boolean {
    return this.#token.kind === "sign" && this.#token.sign === sign;
  }

  #deeper<T>(at: Range, read: () => T): T {
    this.#depth += 1;
    if (this.#depth > DEEPEST)
      this.#stop(at, `the formula is more than ${DEEPEST} deep here`, "let a node before it compute a part");
    const found = read();
    this.#depth -= 1;
    return found;
  }

  /** A name in brackets keeps its own place, so stretches begin and end at tokens, not at parts. */
  #expression(lowest: number): Expression {
    const from = this.#token.start;
    let left = this.#operand();
    while (this.#token.kind === "sign") {
      const { sign, start, end } = this.#token;
      const rank = RANKS.get(sign);
      if (rank === undefined || rank < lowest) return left;
      this.#signs += 1;
      if (this.#signs > MOST_SIGNS)
        this.#stop(
          { start, end },
          `the formula has more than ${MOST_SIGNS} signs between values`,
          "let a node before it compute a part",
        );
      this.#advance();
      const right = this.#expression(rank + 1);
      left = {
        kind: "binary",
        sign: sign as BinarySign,
        at: { start, end },
        left,
        right,
        start: from,
        end: this.#last.end,
      };
    }
    return left;
  }

  /** A sign before a value binds more closely than any between two: `-2^2` is 4. */
  #operand(): Expression {
    const token = this.#token;
    if (token.kind === "sign" && (token.sign === "-" || token.sign === "+")) {
      const { sign, start } = token;
      this.#advance();
      const of = this.#deeper(token, () => this.#operand());
      return { kind: "unary", sign, of, start, end: this.#last.end };
    }
    return this.#percents(token.start, this.#primary());
  }

  #percents(from: number, of: Expression): Expression {
    let found = of;
    let count = 0;
    while (this.#isSign("%")) {
      const { start, end } = this.#token;
      count += 1;
      if (count + this.#depth > DEEPEST)
        this.#stop({ start, end }, `the formula is more than ${DEEPEST} deep here`, null);
      this.#advance();
      found = { kind: "unary", sign: "%", of: found, start: from, end };
    }
    return found;
  }

  #primary(): Expression {
    const token = this.#token;
    const { start, end } = token;
    switch (token.kind) {
      case "number":
      case "text":
        this.#advance();
        return { kind: "literal", value: token.value, start, end };
      case "name":
        this.#advance();
        return this.#named(token);
      case "sign":
        if (token.sign === "(") return this.#bracketed(token);
        return this.#stop(token, ...this.#noValue(token.sign));
      default:
        return this.#stop(this.#atEnd(), "the formula ends too early", "a value is missing here");
    }
  }

  /** The end of a formula is shown at its last token. */
  #atEnd(): Range {
    return this.#last.end > this.#last.start
      ? this.#last
      : { start: this.#token.start, end: this.#token.end };
  }

  #noValue(sign: string): readonly [message: string, help: string | null] {
    if (sign === ")" || sign === "," || sign === ";") return [`a value is missing before ${sign}`, null];
    return [`a value is missing before ${sign}`, sign === "=" ? "write = once to compare" : null];
  }

  #bracketed(open: Token): Expression {
    this.#advance();
    const inner = this.#deeper(open, () => this.#expression(1));
    if (!this.#isSign(")")) this.#unclosed(open);
    const { end } = this.#token;
    this.#advance();
    // A name keeps its own place: it may be exchanged.
    return inner.kind === "name" ? inner : { ...inner, start: open.start, end };
  }

  #unclosed(open: Range): never {
    if (this.#token.kind === "end" || this.#isBetween())
      this.#stop(open, "this bracket is never closed", "write ) where it ends");
    const [message, help] = this.#surplus(this.#token);
    return this.#stop(this.#token, message, help);
  }

  /** A comma or a semicolon that belongs to the brackets around the open one, and to no number. */
  #isBetween(): boolean {
    const { start, end } = this.#token;
    const shown = this.#text.slice(start, end);
    if (shown === ";") return true;
    if (shown !== ",") return false;
    const isInNumber = /^\d,\d$/.test(this.#text.slice(start - 1, end + 1));
    const bare = this.#text.replace(/"[^"]*"/g, "");
    return !isInNumber || bare.split("(").length > bare.split(")").length;
  }

  /** `ROUND(net*1,19;2)`: where semicolons stand between values, a comma between digits is that of a fraction. */
  #refuseFraction(between: readonly Token[]): void {
    const shown = ({ start, end }: Range): string => this.#text.slice(start, end);
    if (!between.some((one) => shown(one) === ";")) return;
    const comma = between.find(
      ({ start, end }) =>
        shown({ start, end }) === "," && /^\d,\d$/.test(this.#text.slice(start - 1, end + 1)),
    );
    if (comma === undefined) return;
    const help = "the fraction of a number is written with a point: 1.5";
    this.#stop(comma, ", and ; stand between the values of one function", help);
  }

  #named(token: Extract<Token, { kind: "name" }>): Expression {
    const { path, quoted, start, end } = token;
    const [head = ""] = path;
    const word = head.toUpperCase();
    if (!quoted && this.#isSign("(")) return this.#call(token, this.#text.slice(start, end).toUpperCase());
    const isTruth = !quoted && path.length === 1 && (word === "TRUE" || word === "FALSE");
    if (isTruth) return { kind: "literal", value: word === "TRUE", start, end };
    return { kind: "name", path, start, end };
  }

  #call({ start, end }: Range, name: string): Expression {
    const open = this.#token;
    this.#advance();
    const args: Expression[] = [];
    const between: Token[] = [];
    if (!this.#isSign(")")) {
      for (;;) {
        args.push(this.#deeper(open, () => this.#expression(1)));
        if (!this.#isSign(",") && !this.#isSign(";")) break;
        between.push(this.#token);
        this.#advance();
      }
    }
    this.#refuseFraction(between);
    if (!this.#isSign(")")) this.#unclosed(open);
    const close = this.#token.end;
    this.#advance();
    if (args.length === 0 && (name === "TRUE" || name === "FALSE"))
      return { kind: "literal", value: name === "TRUE", start, end: close };
    return { kind: "call", name, nameAt: { start, end }, args, start, end: close };
  }
}
