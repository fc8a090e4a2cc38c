import type { ComputeTree } from "../ir.js";
import { BOOLEAN, UNKNOWN } from "../types/field-type.js";
import { fitOf, isAnything, joined, NEVER } from "../types/kinds.js";
import { truth } from "./binary.js";
import { type Call, type FormulaFunction, MANY } from "./function.js";
import type { Expression } from "./tree.js";
import { calling, constantOf, eitherFacts, type Facts, literal, type Typed, withFact } from "./typed.js";

/** A condition: TRUE or FALSE, and what is known where it is either. */
function condition({ checker }: Pick<Call, "checker">, tree: Expression, facts: Facts, who: string): Typed {
  const typed = checker.need(checker.check(tree, facts), "boolean", who);
  if (tree.kind === "literal" && typeof tree.value === "boolean")
    checker.note(tree, tree.value, "it is a constant");
  return typed;
}

/** One of two values, by a condition. */
function either({ checker, tree, facts }: Call, test: Typed, [yes, no]: readonly [Typed, Typed]): Typed {
  if ([test, yes, no].some(({ isBroken }) => isBroken)) return checker.broken(tree, facts);
  const known = constantOf(test);
  if (typeof known === "boolean") return { ...(known ? yes : no), at: { start: tree.start, end: tree.end } };
  const made = checker.made(calling("?:", test.tree, yes.tree, no.tree), joined(yes.type, no.type), {
    at: tree,
    facts,
  });
  // TypeScript sees no conditions through a choice between two.
  return { ...made, isWide: yes.isWide && no.isWide };
}

/** A value that is given on must be there. */
const given = ({ checker }: Call, tree: Expression, facts: Facts): Typed =>
  checker.needSet(checker.check(tree, facts), null);

function checkIf(call: Call): Typed {
  const [test, yes, no] = call.tree.args as readonly [Expression, Expression, Expression];
  const found = condition(call, test, call.facts, "IF");
  return either(call, found, [given(call, yes, found.whenTrue), given(call, no, found.whenFalse)]);
}

/** Conditions and values in turn; without one that holds, the node throws. */
function checkIfs(call: Call): Typed {
  const { checker, tree, facts } = call;
  const { args } = tree;
  if (args.length % 2 === 1) return oddPairs(call, "IFS has a condition without a value");
  const steps: { readonly test: Typed; readonly value: Typed }[] = [];
  let rest = facts;
  for (let i = 0; i < args.length; i += 2) {
    const test = conditionOfIfs(call, args[i] as Expression, { facts: rest, isLast: i === args.length - 2 });
    steps.push({ test, value: given(call, args[i + 1] as Expression, test.whenTrue) });
    rest = test.whenFalse;
  }
  return chained(call, steps, checker.made(calling("noMatch", literal("IFS")), NEVER, { at: tree, facts }));
}

/** The last condition is often TRUE: it stands for all else. */
function conditionOfIfs(
  call: Call,
  tree: Expression,
  { facts, isLast }: { readonly facts: Facts; readonly isLast: boolean },
): Typed {
  const isElse = isLast && tree.kind === "literal" && tree.value === true;
  return isElse ? call.checker.check(tree, facts) : condition(call, tree, facts, "IFS");
}

function oddPairs({ checker, tree, facts }: Call, message: string): Typed {
  checker.report("bad-formula", tree.nameAt, message, "write them in turn");
  for (const one of tree.args) checker.check(one, facts);
  return checker.broken(tree, facts);
}

function chained(
  call: Call,
  steps: readonly { readonly test: Typed; readonly value: Typed }[],
  last: Typed,
): Typed {
  return steps.reduceRight((rest, { test, value }) => {
    const found = either(call, test, [value, rest]);
    return rest === last && last.type === NEVER ? { ...found, type: value.type } : found;
  }, last);
}

/** A value, then values that it may be, each with what it gives; the last one alone is for all others. */
function checkSwitch(call: Call): Typed {
  const { checker, tree, facts } = call;
  const [subject, ...rest] = tree.args as readonly [Expression, ...Expression[]];
  const isName = subject.kind === "name" || subject.kind === "literal";
  if (!isName && rest.length > MOST_CASES) {
    const message = `SWITCH looks at ${checker.shown(subject)} more than ${MOST_CASES / 2} times`;
    checker.report("bad-formula", subject, message, "let a node before it compute this value");
    return checker.broken(tree, facts);
  }
  const hasElse = rest.length % 2 === 1;
  const steps: { readonly test: Typed; readonly value: Typed }[] = [];
  let known = facts;
  const pairs = hasElse ? rest.slice(0, -1) : rest;
  for (let i = 0; i < pairs.length; i += 2) {
    const wanted = pairs[i] as Expression;
    const test = checker.check(
      {
        kind: "binary",
        sign: "=",
        at: wanted,
        left: subject,
        right: wanted,
        start: wanted.start,
        end: wanted.end,
      },
      known,
    );
    steps.push({ test, value: given(call, pairs[i + 1] as Expression, test.whenTrue) });
    known = test.whenFalse;
  }
  const otherwise = rest.at(-1) as Expression;
  const last = hasElse
    ? given(call, otherwise, known)
    : checker.made(calling("noMatch", literal("SWITCH")), NEVER, { at: tree, facts });
  return chained(call, steps, last);
}

/** A value that is no name is computed anew for each case. */
const MOST_CASES = 16;

/** AND stops at the first FALSE, OR at the first TRUE: what is known by then holds for the rest. */
function checkAll(call: Call, isAnd: boolean): Typed {
  const { checker, tree, facts } = call;
  const stops = !isAnd;
  let known = facts;
  let stopped: Facts = { ...facts, isDead: true };
  let isBroken = false;
  const parts: ComputeTree[] = [];
  let isStopped = false;
  for (const arg of tree.args) {
    const test = condition(call, arg, known, tree.name);
    isBroken ||= test.isBroken;
    known = isAnd ? test.whenTrue : test.whenFalse;
    stopped = eitherFacts(stopped, isAnd ? test.whenFalse : test.whenTrue);
    const value = constantOf(test);
    if (value === stops) isStopped = true;
    else if (value === undefined && !isStopped) parts.push(test.tree);
  }
  if (isBroken) return checker.broken(tree, facts);
  const at = { at: tree, facts };
  if (isStopped) return truth(checker.made(literal(stops), BOOLEAN, at), stops, facts);
  const [only] = parts;
  if (only === undefined) return truth(checker.made(literal(isAnd), BOOLEAN, at), isAnd, facts);
  const made = checker.made(parts.length === 1 ? only : calling(isAnd ? "&&" : "||", ...parts), BOOLEAN, at);
  return isAnd
    ? { ...made, whenTrue: known, whenFalse: stopped }
    : { ...made, whenTrue: stopped, whenFalse: known };
}

function checkNot(call: Call): Typed {
  const { checker, tree, facts } = call;
  const test = condition(call, tree.args[0] as Expression, facts, "NOT");
  if (test.isBroken) return checker.broken(tree, facts);
  const value = constantOf(test);
  const made = typeof value === "boolean" ? literal(!value) : negated(test.tree);
  return {
    ...checker.made(made, BOOLEAN, { at: tree, facts }),
    whenTrue: test.whenFalse,
    whenFalse: test.whenTrue,
  };
}

function negated(tree: ComputeTree): ComputeTree {
  if (tree.is !== "call") return calling("!", tree);
  if (tree.name === "!") return tree.args[0] as ComputeTree;
  if (tree.name === "===" || tree.name === "!==")
    return calling(tree.name === "===" ? "!==" : "===", ...tree.args);
  return calling("!", tree);
}

function checkIsBlank(call: Call): Typed {
  const { checker, tree, facts } = call;
  const of = checker.check(tree.args[0] as Expression, facts);
  if (of.isBroken) return checker.broken(tree, facts);
  const at = { at: tree, facts };
  const param = of.tree.is === "read" && of.tree.path.length === 0 ? of.tree.param : null;
  const isOpen = isAnything(of.type);
  const isUnset = param !== null && facts.of.get(param) === "unset";
  if (isUnset || (!of.mayBeUnset && !isOpen)) {
    const shown = checker.shown(of.at);
    checker.note(tree, isUnset, isUnset ? `${shown} is never set here` : `${shown} is always set here`);
    return truth(checker.made(literal(isUnset), BOOLEAN, at), isUnset, facts);
  }
  const made = checker.made(calling(isOpen ? "isBlank" : "isUnset", of.tree), BOOLEAN, at);
  if (param === null) return made;
  return { ...made, whenTrue: withFact(facts, param, "unset"), whenFalse: withFact(facts, param, "set") };
}

function checkIfBlank(call: Call): Typed {
  const { checker, tree, facts } = call;
  const [first, second] = tree.args as readonly [Expression, Expression];
  const of = checker.check(first, facts);
  const param = of.tree.is === "read" && of.tree.path.length === 0 ? of.tree.param : null;
  const otherwise = given(
    call,
    second,
    param === null || !of.mayBeUnset ? facts : withFact(facts, param, "unset"),
  );
  if (of.isBroken || otherwise.isBroken) return checker.broken(tree, facts);
  const isOpen = isAnything(of.type);
  if (param !== null && facts.of.get(param) === "unset") return otherwise;
  if (!of.mayBeUnset && !isOpen) {
    checker.note(tree, null, `${checker.shown(of.at)} is always set here`);
    return of;
  }
  const type = isOpen ? UNKNOWN : joined(of.type, otherwise.type);
  const made = checker.made(calling("??", of.tree, otherwise.tree), type, { at: tree, facts });
  return { ...made, isWide: of.isWide };
}

function checkIsNumber(call: Call): Typed {
  const { checker, tree, facts } = call;
  const of = checker.check(tree.args[0] as Expression, facts);
  if (of.isBroken) return checker.broken(tree, facts);
  const fit = fitOf(of.type, "number");
  const at = { at: tree, facts };
  if (fit === "some" || (fit === "all" && of.mayBeUnset))
    return checker.made(calling("isNumber", of.tree), BOOLEAN, at);
  const value = fit === "all";
  checker.note(tree, value, `${checker.shown(of.at)} is ${value ? "always" : "never"} a number`);
  return truth(checker.made(literal(value), BOOLEAN, at), value, facts);
}

export const LOGIC: readonly FormulaFunction[] = [
  {
    name: "IF",
    signature: "IF(condition, then, else)",
    about: "One of two values, by a condition.",
    example: ['IF(3 > 2, "more", "less")', "more"],
    least: 3,
    most: 3,
    lack: { code: "formula-type", help: "say what else: IF(condition, then, else)" },
    check: checkIf,
  },
  {
    name: "IFS",
    signature: "IFS(condition, value, condition, value, …)",
    about: "The value of the first condition that holds; end with TRUE for all others.",
    example: ['IFS(5 > 9, "high", 5 > 3, "mid", TRUE, "low")', "mid"],
    least: 2,
    most: MANY,
    check: checkIfs,
  },
  {
    name: "SWITCH",
    signature: "SWITCH(value, case, result, case, result, …, other)",
    about: "The result of the case that equals the value; the last one is for all others.",
    example: ['SWITCH("DE", "DE", "EUR", "CH", "CHF", "USD")', "EUR"],
    least: 3,
    most: MANY,
    check: checkSwitch,
  },
  {
    name: "AND",
    signature: "AND(condition, …)",
    about: "TRUE when all conditions hold; it stops at the first that does not.",
    example: ["AND(1 < 2, 2 < 3)", "TRUE"],
    least: 1,
    most: MANY,
    check: (call) => checkAll(call, true),
  },
  {
    name: "OR",
    signature: "OR(condition, …)",
    about: "TRUE when a condition holds; it stops at the first that does.",
    example: ["OR(1 > 2, 2 < 3)", "TRUE"],
    least: 1,
    most: MANY,
    check: (call) => checkAll(call, false),
  },
  {
    name: "NOT",
    signature: "NOT(condition)",
    about: "TRUE for FALSE, FALSE for TRUE.",
    example: ["NOT(1 > 2)", "TRUE"],
    least: 1,
    most: 1,
    check: checkNot,
  },
  {
    name: "ISBLANK",
    signature: "ISBLANK(value)",
    about: "TRUE for a field that is not set; empty text is set.",
    example: ['ISBLANK("")', "FALSE"],
    least: 1,
    most: 1,
    check: checkIsBlank,
  },
  {
    name: "IFBLANK",
    signature: "IFBLANK(value, other)",
    about: "The value, or the other one where it is not set.",
    example: ['IFBLANK("a", "b")', "a"],
    least: 2,
    most: 2,
    check: checkIfBlank,
  },
  {
    name: "ISNUMBER",
    signature: "ISNUMBER(value)",
    about: "TRUE for a number; text that reads as one is text.",
    example: ['ISNUMBER("5")', "FALSE"],
    least: 1,
    most: 1,
    check: checkIsNumber,
  },
];
