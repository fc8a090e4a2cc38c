import { propertyKey, stringLiteral } from "../3-emit/literals.js";
import { typeMembers } from "../types/typescript.js";
import type { AgentName, Part } from "./agent-plan.js";

/** Longer lines are broken, as formatters do it. */
const WIDTH = 110;

/** An entry of an interface; over several lines where its type has many members. */
export function entryLines({ name, type, optional }: Part): string {
  const head = `  readonly ${propertyKey(name)}${optional ? "?" : ""}:`;
  const known = typeMembers(type, { literal: stringLiteral });
  const members = optional && !known.includes("unknown") ? [...known, "undefined"] : known;
  const whole = `${head} ${members.join(" | ")};`;
  if (whole.length <= WIDTH || members.length === 1) return whole;
  return `${head}${members.map((member) => `\n    | ${member}`).join("")};`;
}

/** Where an agent's class begins. */
export function classLines({ base, className }: AgentName): string {
  const types = [`${base}Inputs`, `${base}Result`];
  const whole = `export class ${className} extends Agent<${types.join(", ")}> {`;
  return whole.length <= WIDTH
    ? whole
    : `export class ${className} extends Agent<\n  ${types.join(",\n  ")}\n> {`;
}

/** Where its method begins. */
export function processLines(parameters: readonly string[], result: string): string {
  const whole = `  override process(${parameters.join(", ")}): ${result} {`;
  if (whole.length <= WIDTH) return whole;
  return `  override process(\n${parameters.map((one) => `    ${one},\n`).join("")}  ): ${result} {`;
}

/** The call of its method in its test: what it is given, entry by entry, and more arguments. */
export function callLines(className: string, given: readonly string[], more: readonly string[]): string {
  const head = `  const result = await new ${className}().process(`;
  const object = given.length === 0 ? "{}" : `{ ${given.join(", ")} }`;
  const whole = `${head}${[object, ...more].join(", ")});`;
  if (whole.length <= WIDTH || given.length === 0) return whole;
  const indent = more.length === 0 ? "  " : "    ";
  const entries = given.map((entry) => `${indent}  ${entry},\n`).join("");
  const broken = `{\n${entries}${indent}}`;
  if (more.length === 0) return `${head}${broken});`;
  return `${head}\n    ${[broken, ...more].join(",\n    ")},\n  );`;
}
