import { type Comment, type TokenKind, Tokens } from "./tokens.js";

export function refuse(text: string, what: string, position: number): never {
  const start = text.lastIndexOf("\n", position - 1) + 1;
  const shown = JSON.stringify(text.slice(start, start + 200).split("\n")[0]);
  throw new Error(`the module of a sheet holds ${what}, which no module may hold: ${shown}`);
}

/** A parser: false, with nothing read, where something else is next. It throws when a rule that has begun fails. */
type Rule = () => boolean;

const CALLED = /^(?:node|nodeOf|branchNode\d*|defineGraph|subgraph|subgraphEach|text|at)$/;

/** The functions of formulas; a number follows where a graph has the name. */
const OF_FORMULAS =
  /^(?:as(?:Boolean|List|Number|Text)|isBlank|isNumber|noMatch|compare|exact|same|dateAdd|dateDif|filterBy|item|json|lookup(?:Row)?|sorted|unique|average|count|divide|finite|max|min|mod|power|round|sum|toNumber|contains|formatted|left|mid|right|split|substitute|textJoin|trim)\d*$|^(?:text|at)$/;
const BETWEEN: ReadonlySet<string> = new Set("+ - * / < <= > >= === !== && || ??".split(" "));
const METHODS: ReadonlySet<string> = new Set(["toLowerCase", "toUpperCase"]);
const OF_MATH: ReadonlySet<string> = new Set(["floor", "abs"]);

const SOURCE = /^(?:flowsheet(?:-runtime)?\/(?:graph|agents)|\.{1,2}\/.*)$/s;

const TYPES: ReadonlySet<string> = new Set("string number boolean unknown never undefined null".split(" "));
const CONSTANTS: ReadonlySet<string> = new Set(["true", "false", "null"]);

/** Parser combinators over tokens. Rules are made once, before any token is read. */
function createReader(text: string) {
  const tokens = new Tokens(text, (what, position) => refuse(text, what, position));
  const no = (what = `the token ${tokens.word}`): never => refuse(text, what, tokens.start);
  const next = (): true => tokens.next();
  const is = (wanted: string): boolean => tokens.word === wanted;
  const isKind = (wanted: TokenKind): boolean => tokens.kind === wanted;
  const isName = (): boolean => tokens.isName();

  const rule = (part: string | Rule): Rule => (typeof part === "string" ? () => is(part) && next() : part);
  const any = (...parts: readonly (string | Rule)[]): Rule => {
    const rules = parts.map(rule);
    return () => {
      for (const one of rules) if (one()) return true;
      return false;
    };
  };
  const all = (...parts: readonly (string | Rule)[]): Rule => {
    const [first, ...others] = parts.map(rule);
    return () => {
      if (!first!()) return false;
      for (const one of others) if (!one()) no();
      return true;
    };
  };
  /** The rule for the kind of the next token. */
  const byKind =
    (rules: { readonly [kind in TokenKind]?: Rule }): Rule =>
    () =>
      rules[tokens.kind]?.() === true;
  const wordOf =
    (words: ReadonlySet<string>): Rule =>
    () =>
      words.has(tokens.word) && next();
  const maybe = (part: string | Rule): Rule => any(part, () => true);
  const many = (part: Rule) => (): boolean => {
    while (part());
    return true;
  };
  const list = (open: string, item: Rule, close: string): Rule =>
    all(
      open,
      many(
        all(
          item,
          any(",", () => is(close)),
        ),
      ),
      close,
    );

  return {
    ...{ comments: tokens.comments, no, next, is, isKind, isName },
    ...{ any, all, byKind, wordOf, maybe, many, list },
    word: () => tokens.word,
    endHole: () => tokens.endHole(),
    string: (): boolean => isKind("string") && next(),
    number: (): boolean => isKind("number") && next(),
    anyWord: (): boolean => isKind("word") && next(),
    name: (): boolean => isName() && next(),
  };
}

type Reader = ReturnType<typeof createReader>;

const valueIn =
  ({ word, name }: Reader, values: ReadonlySet<string>): Rule =>
  () =>
    values.has(word()) && name();

function typeRules(reader: Reader, values: ReadonlySet<string>) {
  const { is, any, all, byKind, wordOf, maybe, many, list, string, anyWord, name } = reader;
  const type: Rule = () => anyType();
  const typeArguments = maybe(list("<", type, ">"));
  const index = all("[", any(string, all(name, ":", type)), "]");
  const key = any(anyWord, string, index);
  /** A member may be named `readonly`. */
  const member = all(
    any(all("readonly", maybe(key)), key),
    maybe("?"),
    ":",
    type,
    any(";", () => is("}")),
  );
  const members = all("{", many(member), "}");
  const plain: Rule = byKind({
    string,
    sign: any(members, all("(", type, ")")),
    word: any(
      wordOf(TYPES),
      all(any("readonly", "keyof"), () => plain()),
      all("typeof", valueIn(reader, values), typeArguments),
      all(name, typeArguments),
    ),
  });
  const operand = all(plain, many(all("[", maybe(type), "]")));
  const operands = all(operand, many(all(any("|", "&"), operand)));
  const anyType = any(all("|", operands), operands);
  return { type, typeArguments, members };
}

type Types = ReturnType<typeof typeRules>;

function expressionRule(reader: Reader, values: ReadonlySet<string>, { type, typeArguments }: Types): Rule {
  const { no, next, is, isKind, isName, word, any, all, byKind, wordOf, maybe, many, list } = reader;
  const { string, number, anyWord, name } = reader;
  let parameters: readonly string[] = [];
  const expression: Rule = () => anyExpression();
  const stands = (): boolean => isName() && (values.has(word()) || parameters.includes(word()));
  const given = list("(", expression, ")");
  const maybeGiven = maybe(given);
  /** A name that stands for a value, and may be called. */
  const valueOrCall: Rule = () => {
    const called = word();
    if (!stands()) return false;
    next();
    typeArguments();
    if (!is("(")) return true;
    if (!CALLED.test(called) || !values.has(called)) no(`a call of ${called}`);
    given();
    // `defineGraph` is called twice: without arguments, then with the graph.
    return called !== "defineGraph" || maybeGiven();
  };
  /** A parameter, or what it has under a name. */
  const part = all(name, maybe(any(all(".", anyWord), all("[", string, "]"))));
  const read: Rule = () =>
    (is("inputs") || is("state") || is("run")) && parameters.includes(word()) && part();
  /** A template holds calls of `text` and `at` alone. */
  const template: Rule = () => {
    if (!isKind("template")) return false;
    while (word().endsWith("${")) {
      next();
      if ((!is("text") && !is("at")) || !valueOrCall() || !is("}")) no("an expression in a template");
      reader.endHole();
    }
    return next();
  };
  const piece = any(string, template);
  /** `name: value`, or the name alone of what stands for a value. */
  const valued = all(":", expression);
  const computed = all(
    ":",
    any(() => formulaArrow(), expression),
  );
  const named: Rule = () => {
    const isShort = stands();
    const isComputed = is("compute");
    return anyWord() && ((isComputed ? computed() : valued()) || isShort || no());
  };
  const object = list("{", any(named, all(any(string, all("[", string, "]")), ":", expression)), "}");
  const text = all(piece, many(all("+", piece)));
  const plain = byKind({
    string: text,
    template: text,
    number,
    sign: any(object, list("[", expression, "]"), all("-", number)),
    word: any(wordOf(CONSTANTS), read, valueOrCall),
  });
  const parameter: Rule = () => {
    if (isName()) parameters = [...parameters, word()];
    return name();
  };
  const bound = all(any(list("{", parameter, "}"), parameter), maybe(all(":", type)));
  const head = all(list("(", bound, ")"), "=>");
  const enclosed = all("(", object, ")");
  /** A function of names, or of names out of an object, that gives a value: it has no block, and makes no function. */
  const arrow: Rule = () => {
    const around = parameters;
    if (!head()) return false;
    if (is("{") || (!enclosed() && !plain())) no("a function that does more than give a value");
    parameters = around;
    return true;
  };
  const formula = formulaRule(reader, values, () => parameters);
  /** The one function that computes. */
  const formulaArrow: Rule = () => {
    const around = parameters;
    if (!head()) return false;
    if (!formula()) no();
    parameters = around;
    return true;
  };
  const anyExpression = any(arrow, plain);
  return expression;
}

/**
 * A formula: its inputs, literals, and signs between them, calls of the functions of formulas, and the few methods and
 * functions of JavaScript that these are made of.
 */
function formulaRule(reader: Reader, values: ReadonlySet<string>, parameters: () => readonly string[]): Rule {
  const { no, next, is, isKind, isName, word, any, all, byKind, wordOf, list, string, number, name } = reader;
  const { many, anyWord, endHole } = reader;
  const formula: Rule = () => whole();
  const given = list("(", formula, ")");
  const method = all(".", () => {
    if (is("length")) return next();
    return METHODS.has(word()) && next() && all("(", ")")();
  });
  const math = all("Math", ".", wordOf(OF_MATH), given);
  const called: Rule = () => values.has(word()) && OF_FORMULAS.test(word()) && name() && (given() || no());
  const isParameter = (): boolean => isName() && parameters().includes(word());
  /** What all inputs are called has the inputs as its parts. */
  const part = any(all(".", anyWord), all("[", string, "]"));
  const read: Rule = () => {
    if (!isParameter()) return false;
    const isAll = is("inputs") && parameters().length === 1;
    return name() && (!isAll || part() || true);
  };
  const template: Rule = () => {
    if (!isKind("template")) return false;
    while (word().endsWith("${")) {
      next();
      if (!formula() || !is("}")) no("an expression in a template");
      endHole();
    }
    return next();
  };
  /** Rows of a table, of literals alone. */
  const rows = list("[", list("[", any(string, number, all("-", number)), "]"), "]");
  const primary = byKind({
    string,
    number,
    template,
    sign: any(all("(", formula, ")"), list("{", all(anyWord, ":", formula), "}"), rows),
    word: any(wordOf(CONSTANTS), "undefined", math, read, called),
  });
  const signed: Rule = () => (is("!") || is("-")) && next() && (signed() || primary() || no());
  const operand = all(
    any(signed, primary),
    many(() => is(".") && method()),
  );
  const operands = all(
    operand,
    many(() => BETWEEN.has(word()) && isKind("sign") && next() && (operand() || no())),
  );
  const choice = all("?", formula, ":", formula);
  const whole = all(
    operands,
    any(choice, () => true),
  );
  return formula;
}

/**
 * Reads a module by a grammar that is a small part of TypeScript, throws at everything else, and returns the comments.
 * `values` are the local names that stand for values.
 */
export function readModule(text: string, values: ReadonlySet<string>): readonly Comment[] {
  const reader = createReader(text);
  const { no, next, isKind, word, any, all, maybe, many, list, string, name } = reader;
  const types = typeRules(reader, values);
  const expression = expressionRule(reader, values, types);
  const value = valueIn(reader, values);
  /** `name`, `name as local`, and each with `type` before it, which may be a name, too. */
  const importedName: Rule = () => {
    const words: string[] = [];
    for (; isKind("word"); next()) words.push(word());
    return /^(?:type )?\S+(?: as \S+)?$/.test(words.join(" "));
  };
  const importedNames = list("{", importedName, "}");
  const imported = any(importedNames, all(value, maybe(all(",", importedNames))));
  const source: Rule = () => (SOURCE.test(word().slice(1, -1)) ? string() : no("an import from elsewhere"));
  const declaration = any(
    all("interface", name, maybe(all("extends", name)), types.members),
    all("type", name, "=", types.type, ";"),
    all("const", value, maybe(all(":", types.type)), "=", expression, ";"),
  );
  const line = all("import", maybe("type"), imported, "from", source, ";");
  next();
  many(any(line, all("export", declaration), declaration))();
  return isKind("end") ? reader.comments : no("a statement");
}
