import type { ModelRequest } from "../graph/contract/services.js";

/** The system's text for a request: the author's, and how to answer. Every provider understands it. */
export function systemFor({
  system,
  choices,
  schema,
}: Pick<ModelRequest, "system" | "choices" | "schema">): string | undefined {
  const parts = [
    ...(system === undefined || system.trim() === "" ? [] : [system]),
    ...(choices === undefined ? [] : [choiceText(choices)]),
    ...(schema === undefined ? [] : [schemaText(schema)]),
  ];
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

const choiceText = (choices: readonly string[]): string =>
  [
    "Answer with exactly one of these, word for word, and nothing else:",
    ...choices.map((choice) => `- ${choice}`),
  ].join("\n");

const schemaText = (schema: object): string =>
  `Answer with one JSON object and nothing else. It must fit this JSON schema:\n${JSON.stringify(schema)}`;
