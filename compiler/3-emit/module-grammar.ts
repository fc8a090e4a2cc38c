import { compilerApi, type ts } from "../typescript.js";

/** Refuses a module for something at a place of its text. */
export function refuse(text: string, what: string, position: number): never {
  const start = text.lastIndexOf("\n", position - 1) + 1;
  const shown = JSON.stringify(text.slice(start, start + 200).split("\n")[0]);
  throw new Error(`the module of a sheet holds ${what}, which no module may hold: ${shown}`);
}

/** A module token by token: `kind` and `word` are those of the token that is next. */
export class Tokens {
  readonly kinds: typeof ts.SyntaxKind;
  readonly comments: { readonly text: string; readonly start: number }[] = [];
  readonly text: string;
  kind: ts.SyntaxKind;
  /** As it is written. */
  word = "";
  private readonly scanner: ts.Scanner;

  constructor(text: string) {
    const { SyntaxKind, ScriptTarget, LanguageVariant, createScanner } = compilerApi();
    this.kinds = SyntaxKind;
    this.text = text;
    this.scanner = createScanner(ScriptTarget.ESNext, false, LanguageVariant.Standard, text);
    this.kind = SyntaxKind.Unknown;
    this.next();
  }

  /** What a text says. */
  get value(): string {
    return this.scanner.getTokenValue();
  }

  next(): void {
    const { kinds, scanner, comments } = this;
    let kind = scanner.scan();
    for (; kind >= kinds.FirstTriviaToken && kind <= kinds.LastTriviaToken; kind = scanner.scan()) {
      const isComment = kind === kinds.SingleLineCommentTrivia || kind === kinds.MultiLineCommentTrivia;
      if (isComment) comments.push({ text: scanner.getTokenText(), start: scanner.getTokenStart() });
      else if (kind !== kinds.WhitespaceTrivia && kind !== kinds.NewLineTrivia) this.refuse();
    }
    this.take(kind);
  }

  /** Takes the `}` that is next for the end of an expression in a template: the rest of its text follows. */
  rescanTemplate(): void {
    this.take(this.scanner.reScanTemplateToken(false));
  }

  private take(kind: ts.SyntaxKind): void {
    this.kind = kind;
    this.word = this.scanner.getTokenText();
    if (this.scanner.isUnterminated()) this.refuse("a text without end");
  }

  refuse(what = `the token ${this.word}`): never {
    return refuse(this.text, what, this.scanner.getTokenStart());
  }
}

/** Functions that a module calls. */
const CALLED: ReadonlySet<string> = new Set(
  "node nodeOf defineGraph subgraph subgraphEach text at".split(" "),
);
const isCalled = (name: string): boolean => CALLED.has(name) || /^branchNode\d*$/.test(name);

/** Where a module may import from. */
const SOURCE = /^(?:flowsheet(?:-runtime)?\/(?:graph|agents)|\.{1,2}\/.*)$/s;

/** Types that have a word of their own. */
const TYPES: ReadonlySet<string> = new Set("string number boolean unknown never undefined null".split(" "));

/** Each method reads what it is called after, and refuses everything else. */
export class Grammar {
  private readonly tokens: Tokens;
  private readonly values: ReadonlySet<string>;
  /** The parameters of the function that is read. */
  private parameters: ReadonlySet<string> = new Set();

  constructor(tokens: Tokens, values: ReadonlySet<string>) {
    this.tokens = tokens;
    this.values = values;
  }

  module(): void {
    while (this.tokens.kind !== this.tokens.kinds.EndOfFileToken) this.statement();
  }

  private statement(): void {
    const isExported = this.has("export");
    if (!isExported && this.has("import")) this.importLine();
    else if (this.has("interface")) {
      this.name();
      if (this.has("extends")) this.name();
      this.members();
    } else if (this.has("type")) {
      this.name();
      this.expect("=");
      this.type();
      this.expect(";");
    } else if (this.has("const")) {
      this.value();
      if (this.has(":")) this.type();
      this.expect("=");
      this.expression();
      this.expect(";");
    } else this.tokens.refuse("a statement");
  }

  private importLine(): void {
    this.has("type");
    if (!this.is("{")) this.value();
    if (this.is("{") || this.has(",")) this.list("{", "}", () => this.importedName());
    this.expect("from");
    const source = this.tokens.value;
    if (!this.isString() || !SOURCE.test(source)) this.tokens.refuse("an import from elsewhere");
    this.tokens.next();
    this.expect(";");
  }

  /** `name`, `name as local`, and each with `type` before it, which may be a name, too. */
  private importedName(): void {
    const words: string[] = [];
    while (!this.is(",") && !this.is("}")) words.push(this.word());
    const names = words[0] === "type" && words.length % 2 === 0 ? words.slice(1) : words;
    if (names.length !== 1 && (names.length !== 3 || names[1] !== "as")) this.tokens.refuse();
  }

  /** The members of an interface or of a type. */
  private members(): void {
    this.expect("{");
    while (!this.has("}")) {
      // A member may be named `readonly`.
      const isNamed = this.has("readonly") && (this.is(":") || this.is("?"));
      if (!isNamed && !this.indexOrKey()) this.tokens.refuse();
      this.has("?");
      this.expect(":");
      this.type();
      if (!this.is("}")) this.expect(";");
    }
  }

  /** `[key: string]`, or the key of a member. */
  private indexOrKey(): boolean {
    if (!this.has("[")) return this.key();
    if (this.isString()) this.tokens.next();
    else {
      this.name();
      this.expect(":");
      this.type();
    }
    this.expect("]");
    return true;
  }

  private type(): void {
    this.has("|");
    do this.operand();
    while (this.has("|") || this.has("&"));
  }

  private operand(): void {
    while (this.has("readonly") || this.has("keyof"));
    if (this.has("typeof")) {
      this.value();
      this.typeArguments();
    } else if (this.is("{")) this.members();
    else if (this.has("(")) {
      this.type();
      this.expect(")");
    } else if (this.isString() || TYPES.has(this.tokens.word)) this.tokens.next();
    else {
      this.name();
      this.typeArguments();
    }
    while (this.has("[")) {
      if (!this.is("]")) this.type();
      this.expect("]");
    }
  }

  private typeArguments(): void {
    if (this.is("<")) this.list("<", ">", () => this.type());
  }

  private expression(): void {
    const { tokens } = this;
    const { kinds } = tokens;
    if (this.is("(")) this.arrow();
    else if (this.is("{")) this.list("{", "}", () => this.property());
    else if (this.is("[")) this.list("[", "]", () => this.expression());
    else if (this.isString() || this.isTemplate()) this.sum();
    else if (this.has("true") || this.has("false") || this.has("null")) return;
    else if (this.has("-") || tokens.kind === kinds.NumericLiteral) {
      if (tokens.kind !== kinds.NumericLiteral) tokens.refuse("a difference");
      tokens.next();
    } else if (this.reads()) this.member();
    else this.valueOrCall();
  }

  private property(): void {
    const name = this.tokens.word;
    const isShort = this.isName();
    if (!this.key()) {
      this.expect("[");
      if (!this.isString()) this.tokens.refuse("a computed key");
      this.tokens.next();
      this.expect("]");
    }
    if (this.has(":")) this.expression();
    else if (!isShort || !this.stands(name)) this.tokens.refuse();
  }

  /** Texts and templates with a `+` between them. */
  private sum(): void {
    do {
      if (this.isString()) this.tokens.next();
      else if (this.isTemplate()) this.template();
      else this.tokens.refuse("a sum");
    } while (this.has("+"));
  }

  /** A template holds calls of `text` and `at` alone. */
  private template(): void {
    const { tokens } = this;
    const { kinds } = tokens;
    while (tokens.kind !== kinds.NoSubstitutionTemplateLiteral && tokens.kind !== kinds.TemplateTail) {
      tokens.next();
      if ((!this.is("text") && !this.is("at")) || !this.valueOrCall())
        tokens.refuse("an expression in a template");
      if (!this.is("}")) tokens.refuse("an expression in a template");
      tokens.rescanTemplate();
    }
    tokens.next();
  }

  /** A function of names, or of names out of an object, that gives a value; it has no block and makes no function. */
  private arrow(): void {
    const names = new Set<string>();
    const parameter = (): void => {
      if (this.is("{")) this.list("{", "}", () => names.add(this.name()));
      else names.add(this.name());
      if (this.has(":")) this.type();
    };
    this.list("(", ")", parameter);
    this.expect("=>");
    if (this.is("{")) this.tokens.refuse("a block");
    const around = this.parameters;
    this.parameters = new Set([...around, ...names]);
    const isBracketed = this.has("(");
    if (this.is(isBracketed ? "{" : "(") === isBracketed) this.expression();
    else this.tokens.refuse("a function");
    if (isBracketed) this.expect(")");
    this.parameters = around;
  }

  private reads(): boolean {
    return (this.is("inputs") || this.is("state")) && this.parameters.has(this.tokens.word);
  }

  /** A parameter, or what it has under a name. */
  private member(): void {
    this.tokens.next();
    if (this.has(".")) this.word();
    else if (this.has("[")) {
      if (!this.isString()) this.tokens.refuse("a computed member");
      this.tokens.next();
      this.expect("]");
    }
  }

  /** A name that stands for a value, which may be called; gives whether it is. */
  private valueOrCall(): boolean {
    const name = this.tokens.word;
    if (!this.isName() || !this.stands(name)) this.tokens.refuse(`the name ${name}`);
    this.tokens.next();
    this.typeArguments();
    if (!this.is("(")) return false;
    if (!isCalled(name) || !this.values.has(name)) this.tokens.refuse(`a call of ${name}`);
    const given = (): void => this.list("(", ")", () => this.expression());
    given();
    // What makes a graph is made by a call without arguments.
    if (name === "defineGraph" && this.is("(")) given();
    return true;
  }

  /** Items with commas between them, and perhaps one behind the last. */
  private list(open: string, close: string, item: () => void): void {
    this.expect(open);
    while (!this.has(close)) {
      item();
      if (!this.is(close)) this.expect(",");
    }
  }

  private is(word: string): boolean {
    return this.tokens.word === word;
  }

  private has(word: string): boolean {
    if (!this.is(word)) return false;
    this.tokens.next();
    return true;
  }

  private expect(word: string): void {
    if (!this.has(word)) this.tokens.refuse();
  }

  /** The name of a type or of a parameter. */
  private name(): string {
    if (!this.isName()) this.tokens.refuse();
    return this.word();
  }

  /** A name that the module gives a value. */
  private value(): void {
    if (!this.values.has(this.name())) this.tokens.refuse("a name of nothing");
  }

  private word(): string {
    const { word } = this.tokens;
    if (!this.isWord()) this.tokens.refuse();
    this.tokens.next();
    return word;
  }

  private key(): boolean {
    if (!this.isWord() && this.tokens.kind !== this.tokens.kinds.StringLiteral) return false;
    this.tokens.next();
    return true;
  }

  private stands(name: string): boolean {
    return this.values.has(name) || this.parameters.has(name);
  }

  private isTemplate(): boolean {
    const { kind, kinds } = this.tokens;
    return kind === kinds.TemplateHead || kind === kinds.NoSubstitutionTemplateLiteral;
  }

  private isString(): boolean {
    return this.tokens.kind === this.tokens.kinds.StringLiteral;
  }

  private isWord(): boolean {
    const { kind, kinds, word } = this.tokens;
    const isKeyword = kind >= kinds.FirstKeyword && kind <= kinds.LastKeyword;
    return (kind === kinds.Identifier || isKeyword) && !word.includes("\\");
  }

  /** Words such as `out` and `set` mean something in some places only: they may be names. */
  private isName(): boolean {
    const { kind, kinds } = this.tokens;
    return this.isWord() && (kind === kinds.Identifier || kind > kinds.LastFutureReservedWord);
  }
}
