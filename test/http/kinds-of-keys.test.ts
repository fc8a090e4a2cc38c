import { createHash } from "node:crypto";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Route } from "../../runtime/http/route.js";
import { routes } from "../../runtime/http/routes/index.js";
import { studioRoutes } from "../../runtime/studio/routes.js";
import { ASKING, HELLO, startService, type TestService } from "./service.js";

const SECRET = "0123456789-0123456789-0123456789-0123456789";
const OTHER = `graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt
Other,Price,Ask,echo,secret,price,It costs {secret}
Other,Ask,Say,human,price,verdict,Is {price} right?
Other,Say,,echo,verdict|secret,reply,{verdict} {secret}
`;

/** Who asks, with what stands in their entries. Those with `graphs` may not use the graph that the table is about. */
const KEYS = {
  read: "permissions: [read]",
  write: "permissions: [read, write]",
  execute: "permissions: [execute]",
  answer: "permissions: [answer]",
  admin: "permissions: [admin]",
  limited: "permissions: [admin]\n      graphs: [Own]",
  folder: 'permissions: [write, execute]\n      graphs: ["team/*"]',
  asked: "permissions: [answer]\n      graphs: [Own]",
} as const;
const TOKENS = ["read", "write", "execute", "answer", "admin"] as const;
type Key = keyof typeof KEYS;
type Kind = "nobody" | Key | `token of ${(typeof TOKENS)[number]}`;

const keyOf = (kind: Key): string => `fsk_${kind}-0123456789-0123456789-0123456789`;
const digest = (key: string): string => createHash("sha256").update(key).digest("hex");
const entries = Object.entries(KEYS).map(
  ([name, more]) =>
    `    ${name}:\n      key: sha256:${digest(keyOf(name as Key))}\n      user_id: ${name}\n      ${more}\n`,
);
const JWT = `  jwt:\n    secret: ${SECRET}\n    algorithm: HS256\n`;

let service: TestService;
let tokens: ReadonlyMap<string, string>;
beforeAll(async () => {
  const issued = Math.floor(Date.now() / 1_000);
  const sign = (permission: string): Promise<string> =>
    new SignJWT({ sub: `${permission}-user`, permissions: [permission] })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuedAt(issued)
      .setExpirationTime(issued + 3_600)
      .sign(new TextEncoder().encode(SECRET));
  tokens = new Map(
    await Promise.all(TOKENS.map(async (one) => [`token of ${one}`, await sign(one)] as const)),
  );
  service = await startService({
    config: `server:\n  studio: edit\nauthentication:\n  enabled: true\n  api_keys:\n${entries.join("")}${JWT}`,
    files: {
      "workflows/other.csv": OTHER,
      "workflows/own.csv": ASKING.replaceAll("Asking", "Own"),
      "workflows/team/deep.csv": HELLO.replaceAll("Hello,", "Deep,"),
    },
  });
});
afterAll(() => service.stop());

const credential = (kind: Kind): { readonly [name: string]: string } => {
  if (kind === "nobody") return {};
  const token = tokens.get(kind);
  return token === undefined ? { "X-API-Key": keyOf(kind as Key) } : { Authorization: `Bearer ${token}` };
};

interface Told {
  readonly status: number;
  readonly body: string;
}

/** Streams are read until they are quiet. */
async function ask(kind: Kind, line: string, sent: object | string | null = null): Promise<Told> {
  const [method = "", path = ""] = line.split(" ");
  const gone = new AbortController();
  const isText = typeof sent === "string";
  const type: { readonly [name: string]: string } =
    sent === null ? {} : { "Content-Type": isText ? "text/csv" : "application/json" };
  const answer = await fetch(`${service.url}${path}`, {
    ...{ method, redirect: "manual", signal: gone.signal },
    headers: { ...credential(kind), ...type, ...(isText ? { "If-Match": '"old"' } : {}) },
    ...(sent === null ? {} : { body: isText ? sent : JSON.stringify(sent) }),
  });
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const body = isStream ? "" : await answer.text();
  gone.abort();
  return { status: answer.status, body };
}

const start = async (graph_name: string): Promise<string> => {
  const { body } = await ask("admin", "POST /execute", { graph_name, initial_state: { secret: "geheim" } });
  return (JSON.parse(body) as { readonly run_id: string }).run_id;
};

/** The statuses of an answer: with no permission but these, and for those whose graphs are others. */
interface Expected {
  readonly nobody: number;
  readonly read: number;
  readonly write: number;
  readonly execute: number;
  readonly answer: number;
  readonly admin: number;
  readonly limited: number;
  readonly asked: number;
  /** Without it the body is empty. A text is a sheet. */
  readonly sends?: object | string;
}

const row = (line: string, statuses: readonly number[], sends?: object | string): [string, Expected] => {
  const [nobody, read, write, execute, answer, admin, limited, asked] = statuses;
  const known = { nobody, read, write, execute, answer, admin, limited, asked } as Expected;
  return [line, sends === undefined ? known : { ...known, sends }];
};
/** What all may see, each as much of it as is theirs. */
const FOR_ALL = [401, 200, 200, 200, 200, 200, 200, 200];
const FOR_READERS = [401, 200, 200, 200, 403, 200, 200, 403];
/** What is about the graph that limited keys may not use. */
const OF_OTHER = [401, 200, 200, 200, 403, 200, 404, 403];
const CHANGES = (done: number): readonly number[] => [401, 403, 403, done, 403, done, 404, 403];

// nobody, read, write, execute, answer, admin; admin and answer whose graphs are others.
const TABLE = new Map([
  row("POST /execute", [401, 403, 403, 202, 403, 202, 404, 403], {
    graph_name: "Other",
    initial_state: { secret: "x" },
  }),
  row("GET /runs", FOR_ALL),
  row("GET /runs/{run_id}", [401, 200, 200, 200, 200, 200, 404, 404]),
  row("GET /runs/{run_id}/events", OF_OTHER),
  row("POST /runs/{run_id}/resume", [401, 403, 403, 422, 422, 422, 404, 404], { answers: { None: "yes" } }),
  row("POST /runs/{run_id}/cancel", CHANGES(202)),
  row("POST /runs/{run_id}/retry", CHANGES(409), {}),
  row("POST /runs/{run_id}/fork", CHANGES(202), { from: "Ask" }),
  row("GET /workflows", FOR_READERS),
  row("GET /workflows/{workflow_name*}", OF_OTHER),
  row("POST /validation/csv", FOR_READERS, OTHER),
  row("GET /metrics", [401, 403, 403, 403, 403, 200, 403, 403]),
  row("GET /studio/api/session", FOR_ALL),
  row("GET /studio/api/sheets", FOR_READERS),
  row("GET /studio/api/sheets/{sheet*}", OF_OTHER),
  row("PATCH /studio/api/sheets/{sheet*}", [401, 403, 200, 403, 403, 200, 404, 403], { edits: [] }),
  // Of a sheet that is not there the tag is never the right one.
  row("PUT /studio/api/sheets/{sheet*}", [401, 403, 412, 403, 403, 412, 412, 403], OTHER),
  row("GET /studio/api/world", FOR_READERS),
  // Only the Studio of one machine compiles, tests and debugs.
  row("GET /studio/api/sheets/{sheet*}/graphs/{graph}/module", [401, 404, 404, 404, 403, 404, 404, 403]),
  row("POST /studio/api/sheets/{sheet*}/compile", [401, 403, 404, 403, 403, 404, 404, 403]),
  row("GET /studio/api/tests", [401, 404, 404, 404, 403, 404, 404, 403]),
  row("POST /studio/api/tests", [401, 403, 403, 404, 403, 404, 404, 403], { sheet: "other.csv" }),
  row("POST /studio/api/debug", [401, 403, 403, 404, 403, 404, 404, 403], { workflow: "Other" }),
  row("GET /studio/api/debug/{id}/events", [401, 403, 403, 404, 403, 404, 404, 403]),
  row("POST /studio/api/debug/{id}/commands", [401, 403, 403, 404, 403, 404, 404, 403], { do: "quit" }),
  row("GET /studio/api/events", FOR_ALL),
]);

const named = ({ method, path }: Route): string => `${method} ${path}`;
const described = [...routes, ...studioRoutes].filter(({ operation }) => operation !== undefined);

/** The path with what stands for its parameters. */
async function lineOf(name: string): Promise<string> {
  const id = name.includes("{run_id}") ? await start("Other") : "";
  return name.replace("{run_id}", id).replace("{workflow_name*}", "Other").replace("{sheet*}", "other.csv");
}

describe.each([...TABLE])("%s", (name, { sends = null, ...expected }) => {
  const kinds = Object.entries(expected) as [Kind, number][];
  const alike = TOKENS.map((one): [Kind, number] => [`token of ${one}`, expected[one]]);
  test("answers each kind of credential as it may", async () => {
    const found: unknown[] = [];
    for (const [kind] of [...kinds, ...alike])
      found.push([kind, (await ask(kind, await lineOf(name), sends)).status]);
    expect(found).toEqual([...kinds, ...alike]);
  });

  test("says of what is hidden no more than of what is not there", async () => {
    if (expected.limited !== 404) return;
    const gone = name
      .replace("{run_id}", "0".repeat(32))
      .replace("{workflow_name*}", "Nothing")
      .replace("{sheet*}", "nothing.csv");
    const other = name === "POST /execute" ? { graph_name: "Nothing" } : sends;
    const bare = ({ status, body }: Told): unknown => {
      const {
        detail,
        instance: _,
        request_id: __,
        ...rest
      } = JSON.parse(body) as { readonly [key: string]: unknown; readonly detail?: string };
      return [status, detail?.replace(/"(Other|Nothing)"/, "?"), rest] as unknown;
    };
    for (const kind of ["limited", "folder"] as const) {
      if ((await ask(kind, await lineOf(name), sends)).status === 403) continue;
      expect(bare(await ask(kind, await lineOf(name), sends))).toEqual(bare(await ask(kind, gone, other)));
    }
  });
});

test("whatever is not public needs a credential, also what the table does not name", async () => {
  const open = new Set([
    "GET /health",
    "GET /ready",
    "GET /",
    "GET /docs",
    "GET /redoc",
    "GET /openapi.json",
    "GET /favicon.ico",
  ]);
  for (const route of described) {
    if (route.isOpen === true || open.has(named(route))) continue;
    const line = named(route).replace(/\{\w+\*?\}/g, "x");
    expect([line, (await ask("nobody", line, route.method === "GET" ? null : {})).status]).toEqual([
      line,
      401,
    ]);
  }
});

test("no list and no page names what a limited key may not use", async () => {
  const [other, own] = [await start("Other"), await start("Own")];
  const lines = [
    "/runs?status=all",
    "/workflows",
    "/openapi.json",
    "/",
    "/studio/api/sheets",
    "/studio/api/world",
    "/studio/api/session",
  ];
  for (const kind of ["limited", "folder", "asked"] as const)
    for (const path of lines) {
      const { body } = await ask(kind, `GET ${path}`);
      expect([kind, path, /Other|other\.csv|geheim/.test(body), body.includes(other)]).toEqual([
        kind,
        path,
        false,
        false,
      ]);
    }
  expect((await ask("limited", "GET /runs")).body).toContain(own);
  expect((await ask("asked", "GET /runs")).body).toContain(own);
  expect((await ask("folder", "GET /workflows")).body).toContain("Deep");
});

test("whoever only answers sees the question, and no value beside it", async () => {
  const id = await start("Other");
  for (const kind of ["answer", "token of answer"] as const) {
    const { body } = await ask(kind, `GET /runs/${id}?include=steps`);
    expect(JSON.parse(body)).toMatchObject({
      waiting: [{ node: "Ask", options: ["approve", "reject"] }],
      visits: [{ node: "Ask", inputs: { price: "It costs geheim" }, asks: { interaction: "approval" } }],
    });
    expect(body).not.toContain('"secret"');
    expect((await ask(kind, "GET /runs?status=all")).body).not.toContain('"secret"');
    expect((await ask(kind, "GET /runs?q=geheim")).status).toBe(403);
  }
  const answers = { Ask: { answer: "approve", comment: "fine by me" } };
  const { status, body } = await ask("answer", `POST /runs/${id}/resume`, {
    answers,
    options: { trace: true },
  });
  expect([status, JSON.parse(body)]).toMatchObject([
    200,
    { status: "completed", path: ["Price", "Ask", "Say"] },
  ]);
  expect(body).not.toContain("geheim");
  expect(service.log()).toMatch(new RegExp(`a run was answered.*${id}`));
  expect(service.log()).not.toContain("fine by me");
});

test("the session says what its holder may do, and as whom they are asked", async () => {
  const session = async (kind: Kind): Promise<unknown> =>
    JSON.parse((await ask(kind, "GET /studio/api/session")).body) as unknown;
  expect(await session("answer")).toMatchObject({ can: ["answer"], who: "answer", asked_as: ["answer"] });
  expect(await session("token of answer")).toMatchObject({ can: ["answer"], asked_as: ["answer-user"] });
  expect(await session("admin")).toMatchObject({
    can: ["read", "write", "execute", "answer"],
    asked_as: null,
  });
});
