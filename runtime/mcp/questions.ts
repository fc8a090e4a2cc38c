import type { ElicitRequestFormParams, InputRequests, ServerContext } from "@modelcontextprotocol/server";
import { choicesOf } from "../../compiler/types/field-type.js";
import { typeSchema } from "../../compiler/types/json-schema.js";
import { questionsOf } from "../agents/asking/questions.js";
import { aboutOf } from "../durable/legs/open-wait.js";
import type { Answers, Json } from "../graph/contract/contract.js";
import { refusalOf } from "../graph/suspend/answerer.js";
import { isMapping } from "../graph/values/values.js";
import { answererOf } from "../http/run-access.js";
import type { Waiting } from "../runs/result.js";
import { graphsOf, type Workflow } from "../workflows/catalogue.js";
import type { McpCaller } from "./caller.js";
import type { Told } from "./runs.js";

type Result = Extract<Told, { kind: "result" }>;
type Schema = ElicitRequestFormParams["requestedSchema"];
type Property = Schema["properties"][string];

/** The questions of a run that the caller may answer. */
export function ownQuestions(caller: McpCaller, { result, waits, starter }: Result): readonly Waiting[] {
  const answerer = answererOf(caller);
  return result.waiting.filter((waiting) => {
    const wait = waits.find(({ waiting: { node }, ending }) => node === waiting.node && ending === null);
    return wait === undefined || refusalOf(waiting.node, aboutOf(wait), { starter, answerer }) === null;
  });
}

/** What the client asks its user, by node. `problem` says what was wrong with the answer before. */
export function inputRequests(
  caller: McpCaller,
  workflow: Workflow | null,
  questions: readonly Waiting[],
  problem: string | null,
): InputRequests {
  const asked = questions.map((waiting) => {
    const message = [problem, waiting.prompt || waiting.node].filter((text) => text !== null).join("\n\n");
    const requestedSchema = schemaOf(waiting, entriesOf(caller, workflow, waiting));
    return [
      waiting.node,
      { method: "elicitation/create" as const, params: { message, requestedSchema } },
    ] as const;
  });
  return Object.fromEntries(asked);
}

/** The entries of an answer that has several; null where it is one value. */
function entriesOf(caller: McpCaller, workflow: Workflow | null, { node, type }: Waiting) {
  if (workflow === null || type === null || typeSchema(type)["type"] !== "object") return null;
  const known = questionsOf(workflow.ir, graphsOf(caller.service.catalogue.list()));
  const schema = known.find((one) => one.node === node.replace(/\[\d+\]/g, "[*]"))?.answer;
  const properties = schema?.["properties"];
  return isMapping(properties) ? Object.entries(properties) : null;
}

function schemaOf(waiting: Waiting, entries: readonly (readonly [string, unknown])[] | null): Schema {
  const properties: [string, Property][] =
    entries === null
      ? [["answer", propertyOf(waiting)]]
      : entries.map(([name, schema]) => [name, propertyFor(isMapping(schema) ? schema : {})]);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
  };
}

function propertyOf({ options, type }: Waiting): Property {
  const words = options ?? choicesOf(type ?? undefined);
  if (words.length > 0) return { type: "string", enum: [...words] };
  return propertyFor(type === null ? {} : typeSchema(type));
}

/** Forms of the protocol hold single values. A list or an object is written as JSON. */
function propertyFor(schema: { readonly [keyword: string]: unknown }): Property {
  const { type, enum: words } = schema;
  if (Array.isArray(words)) return { type: "string", enum: words.map(String) };
  if (type === "number" || type === "boolean") return { type };
  if (type === "string" || type === undefined) return { type: "string" };
  return { type: "string", description: "as JSON" };
}

/** The answers that the client's user has given, by node. Whoever declines answers nothing. */
export function answersIn({ mcpReq: { inputResponses = {} } }: ServerContext): Answers {
  const answers: { [node: string]: Json } = Object.create(null);
  for (const [node, response] of Object.entries(inputResponses)) {
    if (!isMapping(response) || response["action"] !== "accept" || !isMapping(response["content"])) continue;
    const content = response["content"] as { readonly [name: string]: Json };
    answers[node] = Object.hasOwn(content, "answer") ? (content["answer"] as Json) : content;
  }
  return answers;
}
