import { commentText, propertyKey } from "../3-emit/literals.js";
import type { AgentPlan, Part, Use } from "./agent-plan.js";
import { expectedValue, sampleValue } from "./sample.js";
import { type Filling, fillTemplate } from "./templates.js";

/** An agent's file and its test. */
export interface AgentFiles {
  readonly agent: string;
  readonly test: string;
}

/** Writes the text of an agent that runs at once, and of its test. `templates` is the folder of our templates. */
export function renderAgent(plan: AgentPlan, templates: string): AgentFiles {
  const filling = fillingOf(plan);
  return {
    agent: fillTemplate(templates, "agent/agent.ts.hbs", filling),
    test: fillTemplate(templates, "agent/agent.test.ts.hbs", filling),
  };
}

function fillingOf({ name, inputs, outputs, whole, uses }: AgentPlan): Filling {
  const texts = (outputs ?? []).filter(({ type }) => type.kind === "string");
  const hasPrompt = uses.some(({ prompt }) => prompt !== "");
  const isGeneric = outputs === null;
  const usesPrompt = isGeneric ? false : hasPrompt && texts.length > 0;
  const usesInputs = isGeneric || (!usesPrompt && texts.length > 0 && inputs !== null && inputs.length > 0);
  const text = usesPrompt ? 'context.prompt ?? ""' : usesInputs ? "JSON.stringify(inputs)" : '""';
  return {
    ...name,
    inputs: inputs ?? [],
    given: inputs === null ? ANY_INPUT : givenText(inputs.filter(({ optional }) => !optional)),
    takesAny: inputs === null,
    takesSome: inputs !== null && inputs.length > 0,
    outputs: (outputs ?? []).map((part) => outputOf(part, text)),
    isGeneric,
    whole,
    hasResult: whole || (outputs !== null && outputs.length > 0),
    usesPrompt,
    usesInputs,
    docs: docsOf(uses),
    mayFail: uses.some(({ onFailure }) => onFailure !== ""),
  };
}

const ANY_INPUT = '{ question: "Is it ready?" }';

function givenText(inputs: readonly Part[]): string {
  const entries = inputs.map(({ name, type }) => `${propertyKey(name)}: ${sampleValue(type, name)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

const outputOf = (part: Part, text: string) => ({
  ...part,
  value: part.type.kind === "string" ? text : sampleValue(part.type, ""),
  expected: expectedValue(part.type),
});

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
