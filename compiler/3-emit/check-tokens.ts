import { ORDER } from "./literals.js";
import { compilerApi, type ts } from "./source-file.js";

/** What a module may hold beside its syntax. */
export interface Allowed {
  /** Local names that stand for values. */
  readonly values: ReadonlySet<string>;
  /** The comments that begin the file. */
  readonly header: string;
}

/** Refuses a module for something at a place of its text. */
export type Refuse = (what: string, position: number) => never;

/** Functions that a module calls. */
const CALLED: ReadonlySet<string> = new Set(
  "node nodeOf defineGraph subgraph subgraphEach text at".split(" "),
);
export const isCalled = (name: string): boolean => CALLED.has(name) || /^branchNode\d*$/.test(name);

/** A token that a rule looks back at. */
interface Seen {
  readonly kind: ts.SyntaxKind;
  readonly text: string;
  readonly start: number;
}

interface Reading {
  readonly kinds: typeof ts.SyntaxKind;
  readonly values: ReadonlySet<string>;
  readonly refuse: Refuse;
  /** The last tokens, the newest first. */
  last: Seen;
  before: Seen;
  beforeThat: Seen;
  /** For each open bracket, whether it belongs to a template. */
  readonly open: boolean[];
  /** What stands before each open `<`, and before the one that was closed last. */
  readonly angles: string[];
  closedAngle: string;
  /** A word that only the name of a property may be: what follows must say so. */
  word: Seen | null;
  /** The declaration has its `=`. */
  assigned: boolean;
}

/**
 * Reads a module token by token: no word but those of declarations, no call but of what makes graphs, no assignment, no
 * block of statements, and no comment but our own. Cost: linear, a tenth of parsing.
 */
export function checkTokens(text: string, { values, header }: Allowed, refuse: Refuse): void {
  const compiler = compilerApi();
  const kinds = compiler.SyntaxKind;
  const scanner = compiler.createScanner(
    compiler.ScriptTarget.ESNext,
    false,
    compiler.LanguageVariant.Standard,
    text,
  );
  const none: Seen = { kind: kinds.SemicolonToken, text: "", start: 0 };
  const reading: Reading = {
    kinds,
    values,
    refuse,
    last: none,
    before: none,
    beforeThat: none,
    open: [],
    angles: [],
    closedAngle: "",
    word: null,
    assigned: false,
  };
  const comments: { readonly text: string; readonly start: number }[] = [];
  const words = wordsOf(kinds);
  for (let kind = scanner.scan(); kind !== kinds.EndOfFileToken; kind = scanner.scan()) {
    if (kind === kinds.WhitespaceTrivia || kind === kinds.NewLineTrivia) continue;
    if (kind === kinds.SingleLineCommentTrivia || kind === kinds.MultiLineCommentTrivia) {
      comments.push({ text: scanner.getTokenText(), start: scanner.getTokenStart() });
      continue;
    }
    if (kind === kinds.CloseBraceToken && reading.open.at(-1) === true)
      kind = scanner.reScanTemplateToken(false);
    if (scanner.isUnterminated()) refuse("a text without end", scanner.getTokenStart());
    if (kind === kinds.StringLiteral && reading.open.length === 0)
      checkSource(reading, scanner.getTokenValue(), scanner.getTokenStart());
    const word = scanner.getTokenText();
    if (
      kind > kinds.LastFutureReservedWord &&
      kind <= kinds.LastKeyword &&
      isName(word, { values, words, kind })
    )
      kind = kinds.Identifier;
    takeToken(reading, { kind, text: word, start: scanner.getTokenStart() }, words);
  }
  if (reading.open.length > 0) refuse("a bracket without end", text.length);
  checkComments(comments, header, refuse);
}

interface Word {
  readonly values: ReadonlySet<string>;
  readonly words: Words;
  readonly kind: ts.SyntaxKind;
}

/** Words such as `out` and `set` mean something in some places only: they may name what a module declares or imports. */
const isName = (word: string, { values, words, kind }: Word): boolean =>
  !words.plain.has(kind) && values.has(word);

/** What each kind of token is to a module: allowed, a word of declarations, or the name of a property at most. */
interface Words {
  readonly plain: ReadonlySet<ts.SyntaxKind>;
  /** Only where a declaration begins. */
  readonly leading: ReadonlySet<ts.SyntaxKind>;
}

const wordsOf = (kinds: typeof ts.SyntaxKind): Words => ({
  plain: new Set([
    kinds.Identifier,
    kinds.StringLiteral,
    kinds.NumericLiteral,
    kinds.NoSubstitutionTemplateLiteral,
    kinds.TemplateHead,
    kinds.TemplateMiddle,
    kinds.TemplateTail,
    kinds.OpenBraceToken,
    kinds.CloseBraceToken,
    kinds.OpenParenToken,
    kinds.CloseParenToken,
    kinds.OpenBracketToken,
    kinds.CloseBracketToken,
    kinds.LessThanToken,
    kinds.GreaterThanToken,
    kinds.CommaToken,
    kinds.SemicolonToken,
    kinds.ColonToken,
    kinds.QuestionToken,
    kinds.DotToken,
    kinds.EqualsToken,
    kinds.EqualsGreaterThanToken,
    kinds.BarToken,
    kinds.AmpersandToken,
    kinds.PlusToken,
    kinds.MinusToken,
    kinds.ExtendsKeyword,
    kinds.TypeOfKeyword,
    kinds.KeyOfKeyword,
    kinds.ReadonlyKeyword,
    kinds.TypeKeyword,
    kinds.FromKeyword,
    kinds.AsKeyword,
    kinds.TrueKeyword,
    kinds.FalseKeyword,
    kinds.NullKeyword,
    kinds.StringKeyword,
    kinds.NumberKeyword,
    kinds.BooleanKeyword,
    kinds.UnknownKeyword,
    kinds.NeverKeyword,
    kinds.UndefinedKeyword,
  ]),
  leading: new Set([kinds.ImportKeyword, kinds.ExportKeyword, kinds.ConstKeyword, kinds.InterfaceKeyword]),
});

function takeToken(reading: Reading, token: Seen, words: Words): void {
  const { kinds, refuse, last, word } = reading;
  if (word !== null) {
    // Before `as` it is what another module exports.
    const isNamed = [kinds.ColonToken, kinds.QuestionToken, kinds.AsKeyword].includes(token.kind);
    if (!isNamed) refuse(`the word ${word.text}`, word.start);
    reading.word = null;
  }
  if (!words.plain.has(token.kind)) {
    const leads = words.leading.has(token.kind) && reading.open.length === 0;
    // After a dot, or before a colon, any word is a name.
    if (!leads && last.kind !== kinds.DotToken) reading.word = token;
    if (token.text === "" || !/^[a-z]+$/.test(token.text)) refuse(`the token ${token.text}`, token.start);
  }
  if (reading.open.length === 0) checkStatement(reading, token, words);
  checkToken(reading, token);
  reading.beforeThat = reading.before;
  reading.before = last;
  reading.last = token;
}

/** Outside of all brackets: declarations follow each other, and each has one `=` at most. */
function checkStatement(reading: Reading, { kind, start }: Seen, { leading }: Words): void {
  const { kinds, last, refuse } = reading;
  const leads = leading.has(kind);
  if (last.kind === kinds.SemicolonToken && !leads) refuse("a statement", start);
  if (
    last.kind === kinds.CloseBraceToken &&
    !leads &&
    kind !== kinds.SemicolonToken &&
    kind !== kinds.FromKeyword
  )
    refuse("a statement", start);
  if (last.kind === kinds.SemicolonToken || last.kind === kinds.CloseBraceToken) reading.assigned = false;
  if (kind !== kinds.EqualsToken) return;
  if (reading.assigned || (last.kind !== kinds.Identifier && last.kind !== kinds.GreaterThanToken))
    refuse("an assignment", start);
  reading.assigned = true;
}

/** Where a module may import from. */
export const SOURCE = /^(?:flowsheet(?:-runtime)?\/(?:graph|agents)|\.{1,2}\/.*)$/s;

/** Outside of all brackets a text names what is imported from, or it is a value or a type. */
function checkSource({ kinds, refuse, last }: Reading, source: string, start: number): void {
  if (last.kind === kinds.ImportKeyword) refuse("an import of nothing", start);
  if (last.kind === kinds.FromKeyword && !SOURCE.test(source)) refuse("an import from elsewhere", start);
}

/** The rules for a token after those before it. */
function checkToken(reading: Reading, token: Seen): void {
  const { kinds, refuse, last, open } = reading;
  const no = (what: string): never => refuse(what, token.start);
  const afterTemplate = last.kind === kinds.TemplateHead || last.kind === kinds.TemplateMiddle;
  if (afterTemplate && !(token.kind === kinds.Identifier && (token.text === "text" || token.text === "at")))
    no("an expression in a template");
  if (last.kind === kinds.PlusToken && !isText(kinds, token.kind) && token.kind !== kinds.TemplateHead)
    no("a sum");
  if (isTemplate(kinds, token.kind) && !BEFORE_TEMPLATE.has(last.text)) no("a tagged template");
  if (last.kind === kinds.MinusToken && token.kind !== kinds.NumericLiteral) no("a difference");
  switch (token.kind) {
    case kinds.OpenBraceToken:
      if (last.kind === kinds.EqualsGreaterThanToken || last.kind === kinds.CloseParenToken) no("a block");
      open.push(false);
      break;
    case kinds.OpenParenToken:
      checkCall(reading, no);
      open.push(false);
      break;
    case kinds.OpenBracketToken:
      if (last.kind === kinds.Identifier && reading.before.kind === kinds.DotToken) no("a computed member");
      open.push(false);
      break;
    case kinds.TemplateHead:
      open.push(true);
      break;
    case kinds.CloseBraceToken:
    case kinds.CloseParenToken:
    case kinds.CloseBracketToken:
    case kinds.TemplateTail:
      if (open.pop() === undefined) no("a bracket too many");
      break;
    case kinds.LessThanToken:
      reading.angles.push(last.text);
      break;
    case kinds.GreaterThanToken:
      reading.closedAngle = reading.angles.pop() ?? "";
      break;
    case kinds.DotToken:
      if (last.kind !== kinds.Identifier || (last.text !== "inputs" && last.text !== "state")) no("a member");
      break;
    case kinds.EqualsToken:
      if (open.length > 0) no("an assignment");
      break;
    case kinds.PlusToken:
      if (!isText(kinds, last.kind)) no("a sum");
      break;
    default:
      break;
  }
}

const isTemplate = (kinds: typeof ts.SyntaxKind, kind: ts.SyntaxKind): boolean =>
  kind === kinds.TemplateHead || kind === kinds.NoSubstitutionTemplateLiteral;

/** After anything else a template would be given to a function. */
const BEFORE_TEMPLATE: ReadonlySet<string> = new Set([":", ",", "(", "[", "=>", "+", "="]);

const isText = (kinds: typeof ts.SyntaxKind, kind: ts.SyntaxKind): boolean =>
  kind === kinds.StringLiteral || kind === kinds.NoSubstitutionTemplateLiteral || kind === kinds.TemplateTail;

/** An opening parenthesis after a name or a type argument calls something. */
function checkCall(
  { kinds, last, before, beforeThat, values, closedAngle }: Reading,
  no: (what: string) => never,
): void {
  const mayCall = (name: string): boolean => isCalled(name) && values.has(name);
  if (last.kind === kinds.Identifier && (before.kind === kinds.DotToken || !mayCall(last.text)))
    no(`a call of ${last.text}`);
  if (last.kind === kinds.GreaterThanToken && !mayCall(closedAngle)) no(`a call of ${closedAngle}`);
  // What makes a graph is made by a call without arguments.
  const isMade =
    before.kind === kinds.OpenParenToken &&
    beforeThat.kind === kinds.GreaterThanToken &&
    closedAngle === "defineGraph";
  if (last.kind === kinds.CloseParenToken && !isMade) no("a call of what was called");
  if (last.kind === kinds.ImportKeyword) no("an import that is called");
  if (last.kind === kinds.CloseBracketToken || last.kind === kinds.StringLiteral) no("a call of a member");
}

/** One doc comment, on one line or on several. */
const DOC = /^\/\*\* (?:[^\n]*) \*\/$|^\/\*\*\n(?: *\* [^\n]*\n)+ *\*\/$/;

/** What ends or begins a script in a page that a module is put into. */
const MARKUP = /<\/script|<!--|-->/i;

function checkComments(
  comments: readonly { readonly text: string; readonly start: number }[],
  header: string,
  refuse: Refuse,
): void {
  const [first, second, third, ...others] = comments;
  if (first?.start !== 0 || `${first.text}\n${second?.text}\n${third?.text}\n` !== header)
    refuse("another header", 0);
  for (const { text, start } of others) {
    const isDoc = DOC.test(text) && !text.includes("@") && !MARKUP.test(text) && !ORDER.test(text.slice(3));
    if (!isDoc) refuse("a comment that is not ours", start);
  }
}
