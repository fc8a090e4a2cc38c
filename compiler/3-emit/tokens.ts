/** What a token is: a word, a text in double quotes, a number, a sign, a piece of a template, or the end of the file. */
export type TokenKind = "word" | "string" | "number" | "sign" | "template" | "end";

export interface Comment {
  readonly text: string;
  readonly start: number;
}

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;
const STRING = /"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"/y;
/** No letter or digit may follow: `1n` and `0x1` are other numbers. */
const NUMBER = /(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?(?![\w$.])/y;
const SIGNS = "{}()[]<>:;,.?=|&+-*/!";
/** Signs of more than one character, the longer ones first. */
const LONG_SIGNS = ["===", "!==", "=>", "<=", ">=", "&&", "||", "??"];
/** From a quote or the end of a hole, to the next hole or quote. */
const TEMPLATE = /[`}][^`\\$]*(?:(?:\\[\s\S]|\$(?!\{))[^`\\$]*)*(?:`|\$\{)/y;

/** Words that no variable may have for a name in a module. */
const RESERVED = new Set(
  `await break case catch class const continue debugger default delete do else enum export extends false finally for
function if implements import in instanceof interface let new null package private protected public return static
super switch this throw true try typeof var void while with yield`.split(/\s/),
);

/**
 * Cuts a generated module into tokens. It knows less than TypeScript does and refuses what it does not know: a test
 * holds that TypeScript finds the same tokens. TypeScript's own scanner takes a tenth of a second to load.
 */
export class Tokens {
  readonly comments: Comment[] = [];
  readonly #text: string;
  readonly #refuse: (what: string, position: number) => never;
  #end = 0;
  start = 0;
  kind: TokenKind = "end";
  word = "";

  constructor(text: string, refuse: (what: string, position: number) => never) {
    this.#text = text;
    this.#refuse = refuse;
  }

  next(): true {
    this.#skip();
    const first = this.#text.charCodeAt(this.start);
    if (Number.isNaN(first)) return this.#take("end", this.start);
    if (isLetter(first)) return this.#readWord();
    if (first === QUOTE) return this.#read("string", STRING);
    if (first === BACKTICK) return this.#read("template", TEMPLATE);
    return isDigit(first) ? this.#read("number", NUMBER) : this.#readSign();
  }

  isName(): boolean {
    return this.kind === "word" && !RESERVED.has(this.word);
  }

  /** Takes the `}` that was read for the end of a hole in a template. */
  endHole(): true {
    return this.#read("template", TEMPLATE);
  }

  #skip(): void {
    for (;;) {
      let at = this.#end;
      for (let code = this.#text.charCodeAt(at); code === SPACE || code === LF; )
        code = this.#text.charCodeAt(++at);
      this.start = at;
      if (this.#text.charCodeAt(at) !== SLASH || !isOfComment(this.#text.charCodeAt(at + 1))) return;
      this.#read("sign", COMMENT);
      this.comments.push({ text: this.word, start: this.start });
    }
  }

  /** Nearly all words are ASCII, and are read without the pattern. */
  #readWord(): true {
    let end = this.start;
    let code = this.#text.charCodeAt(end);
    while (code <= 127 && (isLetter(code) || isDigit(code))) code = this.#text.charCodeAt(++end);
    return code > 127 ? this.#read("word", WORD) : this.#take("word", end);
  }

  #readSign(): true {
    for (const sign of LONG_SIGNS)
      if (this.#text.startsWith(sign, this.start)) return this.#take("sign", this.start + sign.length);
    return SIGNS.includes(this.#text[this.start] as string)
      ? this.#take("sign", this.start + 1)
      : this.#refuseSign();
  }

  #read(kind: TokenKind, pattern: RegExp): true {
    pattern.lastIndex = this.start;
    return pattern.test(this.#text) ? this.#take(kind, pattern.lastIndex) : this.#refuseSign();
  }

  #refuseSign(): never {
    return this.#refuse(`the sign ${JSON.stringify(this.#text[this.start] ?? "")}`, this.start);
  }

  #take(kind: TokenKind, end: number): true {
    this.kind = kind;
    this.#end = end;
    this.word = this.#text.slice(this.start, end);
    return true;
  }
}

const [LF, SPACE, QUOTE, STAR, SLASH, BACKTICK] = [10, 32, 34, 42, 47, 96];

const isOfComment = (code: number): boolean => code === SLASH || code === STAR;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const isLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36 || code > 127;
