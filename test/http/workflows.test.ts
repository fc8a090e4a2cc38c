import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RawAnswer, request } from "./raw.js";
import { KEYS, startService, type TestService } from "./service.js";

const TYPED = `graph_name,node_name,next_node,agent_type,context,input_fields,output_field,prompt
Typed,Rate,Sort,echo,Rates it,ticket:string|urgent?:boolean,rated,{ticket}
Typed,Sort,,echo,,rated,answer:'yes'/'no',
`;
const sheet = (name: string): string => `graph_name,node_name,agent_type,prompt\n${name},A,echo,x\n`;

let service: TestService;
beforeAll(async () => {
  const files: { [path: string]: string } = {
    "workflows/typed.csv": TYPED,
    "workflows/notes.csv": "a,b\n1,2\n",
  };
  for (let i = 10; i < 20; i++) files[`workflows/w${i}.csv`] = sheet(`W${i}`);
  files["workflows/bad.csv"] = `${sheet("Bad")}Bad,A,echo,twice\n`;
  service = await startService({ files });
});
afterAll(() => service.stop());

const get = (path: string, ...headers: readonly string[]): Promise<RawAnswer> =>
  request(service.port, `GET ${path}`, [`X-API-Key: ${KEYS.readonly}`, ...headers]);

describe("GET /workflows", () => {
  test("lists them all, the broken one as broken", async () => {
    const { json } = await get("/workflows");
    const list = json?.["workflows"] as readonly Record<string, unknown>[];
    expect([json?.["total"], list.length]).toEqual([12, 12]);
    expect(list.filter(({ valid }) => valid === false).map(({ name }) => name)).toEqual(["Bad"]);
    expect(list.find(({ name }) => name === "Typed")).toEqual({
      name: "Typed",
      graph_name: "Typed",
      sheet: "typed.csv",
      description: "Rates it",
      nodes: 2,
      entry: "Rate",
      inputs: ["ticket", "urgent"],
      valid: true,
    });
  });

  test("page by page, each once", async () => {
    const names: unknown[] = [];
    for (let cursor = ""; ; ) {
      const page = (await get(`/workflows?limit=5${cursor}`)).json ?? {};
      names.push(...(page["workflows"] as readonly Record<string, unknown>[]).map(({ name }) => name));
      if (page["next_cursor"] === null) break;
      cursor = `&cursor=${page["next_cursor"]}`;
    }
    expect(names.length).toBe(12);
    expect(new Set(names).size).toBe(12);
  });

  test.each(["limit=0", "limit=x", "limit=-1", "cursor=x"])("%s is refused", async (query) => {
    expect((await get(`/workflows?${query}`)).status).toBe(422);
  });
});

describe("GET /workflows/{workflow_name}", () => {
  test("tells nodes, edges and schemas, and no prompt", async () => {
    const { json, body } = await get("/workflows/Typed");
    expect(json).toMatchObject({
      name: "Typed",
      entry: "Rate",
      nodes: [
        { name: "Rate", agent_type: "echo", description: "Rates it", next: ["Sort"] },
        { name: "Sort", agent_type: "echo", next: [] },
      ],
      edges: [{ from: "Rate", to: "Sort", on: "next" }],
      diagnostics: [],
    });
    expect(json?.["inputs"]).toEqual({
      title: "Inputs of Typed",
      type: "object",
      properties: { ticket: { type: "string" }, urgent: { type: "boolean" } },
      required: ["ticket"],
      additionalProperties: true,
    });
    expect(json?.["state"]).toMatchObject({
      properties: { answer: { type: "string", enum: ["yes", "no"] } },
      required: expect.arrayContaining(["ticket", "rated", "answer"]),
    });
    expect(body).not.toContain("{ticket}");
  });

  test("draws the graph for whoever asks for an image", async () => {
    const picture = await get("/workflows/Typed", "Accept: image/svg+xml");
    expect(picture.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
    expect(picture.body).toMatch(/^<svg[^>]*>[\s\S]*Rate/);
  });

  test("a broken one is shown with its diagnostics", async () => {
    const { status, json } = await get("/workflows/Bad");
    expect([status, json?.["valid"]]).toEqual([200, false]);
    expect(json?.["diagnostics"]).toMatchObject([{ code: "duplicate-node", file: "bad.csv", cell: "B3" }]);
  });
});

describe("POST /validation/csv", () => {
  const post = (type: string, body: string): Promise<RawAnswer> =>
    request(
      service.port,
      "POST /validation/csv",
      [`X-API-Key: ${KEYS.readonly}`, `Content-Type: ${type}`],
      body,
    );

  test("answers whether a sheet is sound, as JSON or as the sheet itself", async () => {
    const sound = await post("text/csv", TYPED);
    expect([sound.status, sound.json?.["valid"], sound.json?.["graphs"]]).toEqual([
      200,
      true,
      [
        {
          name: "Typed",
          entry: "Rate",
          nodes: 2,
          inputs: ["ticket", "urgent"],
          outputs: ["rated", "answer"],
        },
      ],
    ]);
    const broken = await post(
      "application/json",
      JSON.stringify({ csv_content: TYPED.replace("Sort,echo", "Srot,echo") }),
    );
    expect([broken.status, broken.json?.["valid"]]).toEqual([200, false]);
    expect(broken.json?.["diagnostics"]).toMatchObject([{ code: "unknown-node", line: 2 }]);
  });

  test("V42 V08 reads no file, whatever the sheet names, and minds no nonsense", async () => {
    const reads = await post("text/csv", TYPED.replace("{ticket}", "file:/etc/passwd"));
    expect(reads.json?.["errors"]).toBe(0);
    expect((await post("text/csv", '"')).json?.["valid"]).toBe(false);
    expect((await post("text/csv", "")).json).toMatchObject({
      valid: false,
      diagnostics: [{ code: "empty-sheet" }],
    });
    expect((await post("application/json", "{}")).status).toBe(422);
    expect((await post("text/plain", TYPED)).status).toBe(415);
    expect((await post("text/csv", "PK\x03\x04 a workbook")).status).toBe(415);
    expect((await post("text/csv", "x".repeat(6 * 1024 * 1024))).status).toBe(413);
  });
});

test("V23 a large sheet is checked aside: others are answered meanwhile", async () => {
  const rows = Array.from({ length: 8_000 }, (_, i) => `G${i},A,echo,Some text for node ${i}\n`);
  const large = request(
    service.port,
    "POST /validation/csv",
    [`X-API-Key: ${KEYS.readonly}`, "Content-Type: text/csv"],
    `graph_name,node_name,agent_type,prompt\n${rows.join("")}`,
  );
  let answered = 0;
  let done = false;
  void large.finally(() => {
    done = true;
  });
  while (!done) {
    expect((await request(service.port, "GET /health")).status).toBe(200);
    answered++;
  }
  expect((await large).json).toMatchObject({ valid: true, errors: 0 });
  expect(answered).toBeGreaterThan(3);
});

test("GET / is JSON for programs and a page for people", async () => {
  const known = await get("/");
  expect(known.json).toMatchObject({ service: "flowsheet", links: { docs: "/docs" } });
  expect(known.json?.["workflows"]).toContain("Typed");
  const stranger = await request(service.port, "GET /");
  expect(stranger.json).not.toHaveProperty("workflows");
  const page = await request(service.port, "GET /", ["Accept: text/html"]);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("content-security-policy")).toMatch(/default-src 'none'.*script-src 'sha256-/);
  expect(page.body).not.toContain("Typed");
});

test("openapi.json shows workflows to whoever may read, and to nobody else", async () => {
  const known = await get("/openapi.json");
  expect(known.json).toMatchObject({ openapi: "3.1.0" });
  expect(known.body).toContain("Input.Typed");
  const stranger = await request(service.port, "GET /openapi.json");
  expect(stranger.body).not.toContain("Typed");
});

test("a prefix stands before all of it, and not in public entries", async () => {
  const own = await startService({ config: "server: {base_path: /api}\nauthentication: {enabled: true}\n" });
  expect((await request(own.port, "GET /api/health")).status).toBe(200);
  expect((await request(own.port, "GET /health")).status).toBe(404);
  expect((await request(own.port, "GET /api")).json?.["service"]).toBe("flowsheet");
  expect((await request(own.port, "GET /api/workflows")).status).toBe(401);
  expect((await request(own.port, "GET /apiworkflows")).status).toBe(404);
  expect((await request(own.port, "GET /API/health")).status).toBe(404);
  await own.stop();
});
