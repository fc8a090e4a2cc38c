import { commentText, propertyKey, stringLiteral, wrapped } from "../3-emit/literals.js";
import { type FieldType, isOpen, isString, isUnion, type Json } from "../types/field-type.js";
import { sampleOf } from "../types/sample.js";
import { typeMembers } from "../types/typescript.js";
import type { AgentName, AgentPlan, Part, Use } from "./agent-plan.js";
import { type Filling, fillTemplate } from "./templates.js";

/** `templates` is the folder of our templates. `runtime` is the package that agents import. */
export function renderAgent(
  plan: AgentPlan,
  templates: string,
  runtime = "flowsheet",
): { readonly agent: string; readonly test: string } {
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

/** The result type is not a Promise: authors add `async` by hand. */
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

const emptyOf = (type: FieldType, text: string): Json => sampleOf(type, { text, number: 0, boolean: false });

/** Samples of lists are empty, so JSON is valid code. */
const code = (value: Json): string =>
  typeof value === "string" ? stringLiteral(value) : JSON.stringify(value);

/** Loose, so that the test still passes when the agent is written. */
function expectedValue(type: FieldType): string {
  if (isOpen(type) || isUnion(type)) return "expect.anything()";
  const value = sampleOf(type);
  const kind = Array.isArray(value) ? "array" : typeof value;
  return `expect.any(${kind.slice(0, 1).toUpperCase()}${kind.slice(1)})`;
}

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
  return [...descriptions, ...used, ...prompts, ...failures].slice(0, MOST_LINES).flatMap(docLines);
}

const MOST_LINES = 12;
const MOST_NODES = 5;
const DOC_WIDTH = 100;

const shorten = (nodes: readonly string[]): string =>
  nodes.length <= MOST_NODES
    ? nodes.join(", ")
    : `${nodes.slice(0, MOST_NODES).join(", ")} and ${nodes.length - MOST_NODES} more`;

/** Wrapping could join marks that the encoder had separated, so each line is encoded again. */
const docLines = (text: string): readonly string[] =>
  wrapped(commentText(text).split(" "), DOC_WIDTH)
    .map(commentText)
    .filter((line) => line !== "");

/** Formatters break longer lines, so new files do as well. */
const CODE_WIDTH = 110;

function entryLines({ name, type, optional }: Part): string {
  const head = `  readonly ${propertyKey(name)}${optional ? "?" : ""}:`;
  const known = typeMembers(type, { literal: stringLiteral });
  const members = optional && !known.includes("unknown") ? [...known, "undefined"] : known;
  const whole = `${head} ${members.join(" | ")};`;
  if (whole.length <= CODE_WIDTH || members.length === 1) return whole;
  return `${head}${members.map((member) => `\n    | ${member}`).join("")};`;
}

function classLines({ base, className }: AgentName): string {
  const types = [`${base}Inputs`, `${base}Result`];
  const whole = `export class ${className} extends Agent<${types.join(", ")}> {`;
  return whole.length <= CODE_WIDTH
    ? whole
    : `export class ${className} extends Agent<\n  ${types.join(",\n  ")}\n> {`;
}

function processLines(parameters: readonly string[], result: string): string {
  const whole = `  override process(${parameters.join(", ")}): ${result} {`;
  if (whole.length <= CODE_WIDTH) return whole;
  return `  override process(\n${parameters.map((one) => `    ${one},\n`).join("")}  ): ${result} {`;
}

/** `given` are the entries of the first argument, `more` the other arguments. */
function callLines(className: string, given: readonly string[], more: readonly string[]): string {
  const head = `  const result = await new ${className}().process(`;
  const object = given.length === 0 ? "{}" : `{ ${given.join(", ")} }`;
  const whole = `${head}${[object, ...more].join(", ")});`;
  if (whole.length <= CODE_WIDTH || given.length === 0) return whole;
  const indent = more.length === 0 ? "  " : "    ";
  const entries = given.map((entry) => `${indent}  ${entry},\n`).join("");
  const broken = `{\n${entries}${indent}}`;
  if (more.length === 0) return `${head}${broken});`;
  return `${head}\n    ${[broken, ...more].join(",\n    ")},\n  );`;
}
