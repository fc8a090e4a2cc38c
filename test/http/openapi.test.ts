import { Validator } from "@seriousme/openapi-schema-validator";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keepDocuments } from "../../runtime/http/openapi/kept-documents.js";
import type { Workflow } from "../../runtime/workflows/catalogue.js";
import { howMany } from "../how-many.js";
import { type RawAnswer, request } from "./raw.js";
import { KEYS, startService, type TestService } from "./service.js";

const RUNS = howMany(1_000, 60);

let service: TestService;
let document: Document;
beforeAll(async () => {
  service = await startService();
  const { json } = await request(service.port, "GET /openapi.json", [`X-API-Key: ${KEYS.admin}`]);
  document = json as unknown as Document;
});
afterAll(() => service.stop());

interface Operation {
  readonly responses: {
    readonly [status: string]: { readonly content?: { readonly [type: string]: unknown } };
  };
  readonly requestBody?: { readonly content: { readonly [type: string]: unknown } };
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}
interface Document {
  readonly openapi: string;
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components: { readonly schemas: { readonly [name: string]: unknown } };
}

test("the description is OpenAPI 3.1, with and without workflows", async () => {
  const stranger = (await request(service.port, "GET /openapi.json")).json;
  for (const one of [document, stranger]) {
    const { valid, errors } = await new Validator().validate({ ...one });
    expect([valid, errors]).toEqual([true, undefined]);
  }
});

test("every reference of the description leads somewhere, and names of components are names", () => {
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
  const known = Object.keys(document.components.schemas);
  expect(references.length).toBeGreaterThan(10);
  for (const [, name = ""] of references) expect(known).toContain(name);
  for (const name of known) expect(name).toMatch(/^[A-Za-z0-9._-]+$/);
});

interface Tried {
  readonly example: { readonly graph_name?: string; readonly answers?: object };
}
const exampleOf = (of: Document, path: string): Tried["example"] =>
  (of.paths[path]!["post"]!.requestBody!.content["application/json"] as Tried).example;

test("the examples can be sent as they are, and a stranger's names no workflow", async () => {
  const headers = [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json"];
  const ran = await request(
    service.port,
    "POST /execute",
    headers,
    JSON.stringify(exampleOf(document, "/execute")),
  );
  expect([200, 202]).toContain(ran.status);
  expect(exampleOf(document, "/runs/{run_id}/resume")).toEqual({ answers: expect.any(Object) });
  const stranger = (await request(service.port, "GET /openapi.json")).json as unknown as Document;
  expect(exampleOf(stranger, "/execute").graph_name).toBe("MyWorkflow");
  expect(JSON.stringify(stranger)).not.toMatch(/Hello|Asking/);
});

test("both answers of / are described", () => {
  const { content = {} } = document.paths["/"]?.["get"]?.responses["200"] ?? {};
  expect(Object.keys(content)).toEqual(["application/json", "text/html"]);
});

const operations = (): readonly (readonly [method: string, path: string, operation: Operation])[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method, path, operation] as const),
  );

const json = fc.oneof(
  fc.json(),
  fc
    .record(
      {
        graph_name: fc.constantFrom("Hello", "Asking", "Nothing", "", "__proto__"),
        workflow: fc.string(),
        initial_state: fc.oneof(fc.object(), fc.constant({ name: "Ada" }), fc.anything()),
        options: fc.record(
          { timeout_ms: fc.integer(), max_steps: fc.integer(), trace: fc.boolean() },
          { requiredKeys: [] },
        ),
        answers: fc.object(),
        csv_content: fc.string(),
        [`__proto__`]: fc.string(),
      },
      { requiredKeys: [] },
    )
    .map((body) => JSON.stringify(body) ?? ""),
);
const word = fc.oneof(fc.constantFrom("Hello", "none", "a::b", "x y"), fc.string({ maxLength: 30 }));
const credential = fc.constantFrom(KEYS.admin, KEYS.executor, KEYS.readonly, "");

test("B34 no request gets an answer that the description does not know", async () => {
  const all = operations();
  await fc.assert(
    fc.asyncProperty(
      fc.nat(all.length - 1),
      fc.record({ body: json, word, credential }),
      async (at, given) => {
        const [method = "", path = "", operation] = all[at] ?? [];
        const filled = path.replace(/\{\w+\}/, () => encodeURIComponent(given.word));
        const types = Object.keys(operation?.requestBody?.content ?? {});
        const type = types.length === 0 ? [] : [`Content-Type: ${types[given.body.length % types.length]}`];
        const key = given.credential === "" ? [] : [`X-API-Key: ${given.credential}`];
        const body = types.length === 0 ? "" : given.body;
        const answer = await request(
          service.port,
          `${method.toUpperCase()} ${filled}`,
          [...key, ...type],
          body,
        );
        check(answer, operation, `${method} ${filled}`);
      },
    ),
    { numRuns: RUNS },
  );
});

function check(answer: RawAnswer, operation: Operation | undefined, shown: string): void {
  const documented = operation?.responses[`${answer.status}`];
  expect(documented, `${shown} answered ${answer.status}: ${answer.body.slice(0, 300)}`).toBeDefined();
  expect(answer.status, shown).toBeLessThan(500);
  const type = (answer.headers.get("content-type") ?? "").split(";")[0] ?? "";
  if (answer.status >= 400) expect(type).toBe("application/problem+json");
  if (answer.status >= 400)
    expect(answer.json).toMatchObject({
      status: answer.status,
      code: expect.any(String),
      request_id: expect.any(String),
    });
  expect(answer.body).not.toMatch(/\bat .+:\d+:\d+|\/tmp\/flowsheet/);
}

test("a document is made once for the same workflows, and anew when a sheet says something else", async () => {
  const made: string[] = [];
  const documentOf = keepDocuments(({ base }) => {
    made.push(base);
    return `document ${made.length}`;
  });
  const ir = {} as Workflow["ir"];
  const workflows = [{ name: "A", valid: true, ir }] as unknown as readonly Workflow[];
  const about = { version: "1", base: "", workflows };
  const same = { ...about, workflows: workflows.map((one) => ({ ...one })) };
  expect([documentOf(about), documentOf(same)]).toEqual(["document 1", "document 1"]);
  for (const more of [{ ir: { ...ir } }, { name: "B" }, { valid: false }])
    documentOf({ ...about, workflows: workflows.map((one) => ({ ...one, ...more })) });
  for (const other of [{ base: "/x" }, { version: "2" }, { workflows: [] }])
    documentOf({ ...about, ...other });
  expect([made.length, documentOf(about)]).toEqual([7, "document 1"]);
  for (let i = 0; i < 8; i++) documentOf({ ...about, base: `/${i}` });
  expect(documentOf(about)).toBe("document 16");

  const admin = [`X-API-Key: ${KEYS.admin}`];
  const read = async (): Promise<string> => (await request(service.port, "GET /openapi.json", admin)).body;
  const [before, again] = [await read(), await read()];
  expect([again === before, before.includes("Input.Newcomer")]).toEqual([true, false]);
  service.write("workflows/new.csv", "graph_name,node_name,agent_type\nNewcomer,A,echo\n");
  await expect.poll(read).toContain("Input.Newcomer");
});
