import { commentText, propertyKey, stringLiteral } from "../3-emit/literals.js";
import { type FieldType, isOpen, isString, isUnion, type Json } from "../types/field-type.js";
import { sampleOf } from "../types/sample.js";
import { callLines, classLines, entryLines, processLines } from "./agent-lines.js";
import type { AgentPlan, Part, Use } from "./agent-plan.js";
import { type Filling, fillTemplate } from "./templates.js";

/** An agent's file and its test. */
export interface AgentFiles {
  readonly agent: string;
  readonly test: string;
}

/**
 * Writes the text of an agent that runs at once, and of its test. `templates` is the folder of our templates, `runtime`
 * the package that agents import.
 */
export function renderAgent(plan: AgentPlan, templates: string, runtime = "flowsheet"): AgentFiles {
  const filling = { ...fillingOf(plan), runtime };
  return {
    agent: fillTemplate(templates, "agent/agent.ts.hbs", filling),
    test: fillTemplate(templates, "agent/agent.test.ts.hbs", filling),
  };
}

function fillingOf(plan: AgentPlan): Filling {
  const { name, inputs, outputs, whole, uses } = plan;
  const source = sourceOf(plan);
  const given = inputs === null ? [ANY_INPUT] : givenEntries(inputs.filter(({ optional }) => !optional));
  return {
    ...name,
    ...headsOf(plan, source),
    inputs: (inputs ?? []).map(entryLines),
    call: callLines(name.className, given, source === "prompt" ? ["context"] : []),
    takesAny: inputs === null,
    takesSome: inputs !== null && inputs.length > 0,
    outputs: (outputs ?? []).map((part) => outputOf(part, TEXTS[source])),
    isGeneric: outputs === null,
    whole,
    hasResult: whole || (outputs !== null && outputs.length > 0),
    usesPrompt: source === "prompt",
    docs: docsOf(uses),
  };
}

const ANY_INPUT = 'question: "Is it ready?"';

/** What an agent makes a text of before it has been written. */
type Source = "prompt" | "inputs" | "nothing";
const TEXTS: { readonly [S in Source]: string } = {
  prompt: 'context.prompt ?? ""',
  inputs: "JSON.stringify(inputs)",
  nothing: '""',
};

function sourceOf({ inputs, outputs, uses }: AgentPlan): Source {
  if (outputs === null) return "inputs";
  if (!outputs.some(({ type }) => isString(type))) return "nothing";
  if (uses.some(({ prompt }) => prompt !== "")) return "prompt";
  return inputs !== null && inputs.length > 0 ? "inputs" : "nothing";
}

/**
 * Where the class and its method begin. An agent whose failure leads somewhere may answer one; its type is one that a
 * promise can hold, for the method is made async by hand.
 */
function headsOf({ name, uses }: AgentPlan, source: Source): Filling {
  const mayFail = uses.some(({ onFailure }) => onFailure !== "");
  const inputs = `${source === "inputs" ? "inputs" : "_inputs"}: ${name.base}Inputs`;
  const result = `${name.base}Result`;
  return {
    mayFail,
    classHead: classLines(name),
    processHead: processLines(
      source === "prompt" ? [inputs, "context: AgentContext"] : [inputs],
      mayFail ? `${result} | Failure` : result,
    ),
  };
}

const givenEntries = (inputs: readonly Part[]): readonly string[] =>
  inputs.map(({ name, type }) => `${propertyKey(name)}: ${code(emptyOf(type, name))}`);

const outputOf = (part: Part, text: string) => ({
  name: part.name,
  entry: entryLines(part),
  value: isString(part.type) ? text : code(emptyOf(part.type, "")),
  expected: expectedValue(part.type),
});

/** What stands for a value that nobody has worked out yet. */
const emptyOf = (type: FieldType, text: string): Json => sampleOf(type, { text, number: 0, boolean: false });

/** A value as code; a list of samples is empty. */
const code = (value: Json): string =>
  typeof value === "string" ? stringLiteral(value) : JSON.stringify(value);

/** What a test expects of such a value, also when the agent has been written. */
function expectedValue(type: FieldType): string {
  if (isOpen(type) || isUnion(type)) return "expect.anything()";
  const value = sampleOf(type);
  const kind = Array.isArray(value) ? "array" : typeof value;
  return `expect.any(${kind.slice(0, 1).toUpperCase()}${kind.slice(1)})`;
}

/** Lines of the class's comment, encoded: what its rows say of it. */
function docsOf(uses: readonly Use[]): readonly string[] {
  const descriptions = [...new Set(uses.map(({ description }) => description).filter((text) => text !== ""))];
  const nodes = uses.map(({ graph, node }) => `\`${node}\` of graph "${graph}"`);
  const prompts = uses
    .filter(({ prompt }) => prompt !== "")
    .map(({ node, prompt }) => `The prompt of \`${node}\`: ${prompt}`);
  const failures = uses
    .filter(({ onFailure }) => onFailure !== "")
    .map(({ node, onFailure }) => `A failure of \`${node}\` leads to \`${onFailure}\`: return fail("why").`);
  const used = nodes.length === 0 ? [] : [`Used by ${shorten(nodes)}.`];
  return [...descriptions, ...used, ...prompts, ...failures].slice(0, MOST_LINES).flatMap(wrapped);
}

const MOST_LINES = 12;
const MOST_NODES = 5;
const WIDTH = 100;

const shorten = (nodes: readonly string[]): string =>
  nodes.length <= MOST_NODES
    ? nodes.join(", ")
    : `${nodes.slice(0, MOST_NODES).join(", ")} and ${nodes.length - MOST_NODES} more`;

/** A text as lines of a comment that are not too wide. */
function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of commentText(text).split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  // Cutting at a space could bring marks together that the encoder had kept apart: each line is encoded again.
  return lines.map(commentText).filter((line) => line !== "");
}
