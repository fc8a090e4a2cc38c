import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { Flowsheet } from "../../runtime/index.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { type RawAnswer, request } from "./raw.js";
import { authentication, KEYS, startService, type TestService } from "./service.js";

const LIST = `graph_name,node_name,next_node,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt
Greeter,Ask,Check,input,,,,question,What is it?
Greeter,Check,,branching,Shout,END,name:string,known,
Greeter,Shout,,shout,,,name,greeting,Hello {name}
Plain,Only,,echo,,,,said,here
`;
const AGENT = `import { defineAgent } from "flowsheet";
export const ShoutAgent = defineAgent((_inputs, { prompt }) => (prompt ?? "").toUpperCase());
`;

/** A project whose modules were compiled, with or without their sheet. */
async function compiled(more: { readonly [path: string]: string } = {}): Promise<TestService> {
  const cwd = createFolder({ "workflows/greeter.csv": LIST, "agents/shout.ts": AGENT, "flowsheet.yaml": "" });
  expect(await flowsheet(["compile"], { cwd })).toMatchObject({ code: 0 });
  const { readdirSync } = await import("node:fs");
  const generated = Object.fromEntries(
    readdirSync(join(cwd, "generated")).map((file) => [
      `generated/${file}`,
      readFileSync(join(cwd, "generated", file), "utf8"),
    ]),
  );
  const service = await startService({
    config: authentication(),
    files: { ...generated, "agents/shout.ts": AGENT, ...more },
  });
  onTestFinished(() => service.stop());
  return service;
}

const get = (service: TestService, path: string, ...headers: readonly string[]): Promise<RawAnswer> =>
  request(service.port, `GET ${path}`, [`X-API-Key: ${KEYS.readonly}`, ...headers]);
const post = (service: TestService, path: string, body: object): Promise<RawAnswer> =>
  request(
    service.port,
    `POST ${path}`,
    [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json"],
    JSON.stringify(body),
  );

describe("a generated module without its sheet", () => {
  test("is listed, described and drawn", async () => {
    const service = await compiled();
    const { json } = await get(service, "/workflows");
    expect(json).toMatchObject({
      total: 2,
      workflows: [
        { name: "Greeter", graph_name: "Greeter", sheet: null, nodes: 3, entry: "Ask", valid: true },
        { name: "Plain", sheet: null, nodes: 1, valid: true },
      ],
    });
    expect((await get(service, "/workflows/Greeter")).json).toMatchObject({
      sheet: null,
      nodes: [
        { name: "Ask", agent_type: "input", next: ["Check"], outputs: [{ field: "question" }] },
        { name: "Check", agent_type: "branching", success: ["Shout"], failure: ["END"] },
        { name: "Shout" },
      ],
      edges: expect.arrayContaining([{ from: "Check", to: "Shout", on: "success" }]),
      inputs: { type: "object" },
      state: { properties: { greeting: {}, known: {}, question: {} } },
      diagnostics: [],
    });
    expect((await get(service, "/workflows/Greeter", "Accept: image/svg+xml")).body).toContain("</svg>");
    expect((await get(service, "/openapi.json")).body).toContain("Input.Greeter");
    expect((await get(service, "/health")).json?.["workflows"]).toBe(2);
  });

  test("runs, waits, and is resumed; no answer names its path", async () => {
    const service = await compiled();
    const waits = await post(service, "/execute", { graph_name: "Greeter", initial_state: { name: "yes" } });
    expect([waits.status, waits.json?.["status"]]).toEqual([202, "suspended"]);
    const id = waits.json?.["run_id"];
    const listed = await get(service, "/runs");
    expect(listed.json).toMatchObject({ total: 1, runs: [{ run_id: id, sheet: null }] });
    const ended = await post(service, `/runs/${id}/resume`, { answers: { Ask: "well" } });
    expect(ended.json).toMatchObject({ status: "completed", state: { greeting: "HELLO YES" } });
    for (const { body } of [waits, listed, ended]) expect(body).not.toContain(service.folder);
    const plain = await post(service, "/execute", { graph_name: "Plain" });
    expect(plain.json).toMatchObject({ status: "completed", state: { said: "here" } });
  });

  test("is what its runs go on with after the server, until it means something else", async () => {
    const service = await compiled();
    const begin = async (): Promise<string> => {
      const waits = await post(service, "/execute", {
        graph_name: "Greeter",
        initial_state: { name: "yes" },
      });
      return String(waits.json?.["run_id"]);
    };
    const [first, second] = [await begin(), await begin()];
    await service.stop();
    const code = new Flowsheet({ cwd: service.folder });
    expect(await code.resume(first, { Ask: "well" })).toMatchObject({ state: { greeting: "HELLO YES" } });
    const module = "generated/greeter.gen.ts";
    const text = readFileSync(join(service.folder, module), "utf8");
    service.write(module, text.replace(/(fingerprint: )"\w+"/, '$1"another"'));
    await expect(new Flowsheet({ cwd: service.folder }).resume(second, { Ask: "well" })).rejects.toThrow(
      /cannot go on here: version/,
    );
    service.write(module, text);
    await sleep(2_100);
    const again = new Flowsheet({ cwd: service.folder });
    expect(await again.resume(second)).toMatchObject({ state: { greeting: "HELLO YES" } });
  });

  test("comes and goes with its file", async () => {
    const service = await compiled();
    rmSync(join(service.folder, "generated/plain.gen.ts"));
    await expect.poll(async () => (await get(service, "/workflows")).json?.["total"]).toBe(1);
    expect((await post(service, "/execute", { graph_name: "Plain" })).json?.["code"]).toBe(
      "workflow_not_found",
    );
  });

  test("that cannot be loaded is listed as invalid, refuses to run, and the log says why", async () => {
    const service = await compiled({
      "generated/broken.gen.ts":
        '// @generated by flowsheet\nimport "./gone.js";\nexport const broken = {\n  name: "Broken",\n  fingerprint: "0",\n};\n',
    });
    const { json } = await get(service, "/workflows/Broken");
    expect(json).toMatchObject({ name: "Broken", valid: false, nodes: [], diagnostics: [] });
    const run = await post(service, "/execute", { graph_name: "Broken" });
    expect([run.status, run.json?.["code"]]).toEqual([422, "workflow_invalid"]);
    expect(service.log()).toMatch(/broken\.gen\.ts cannot be loaded.*gone/);
    for (const { body } of [run, await get(service, "/workflows/Broken")])
      expect(body).not.toContain(service.folder);
    // Its picture is empty, and no error.
    expect((await get(service, "/workflows/Broken", "Accept: image/svg+xml")).status).toBe(200);
  });

  test("files that are no modules, and links out of the folder, are nothing", async () => {
    const service = await compiled({ "generated/other.gen.ts": 'export const name: "Other" = "x";\n' });
    expect((await get(service, "/workflows")).json?.["total"]).toBe(2);
  });
});

describe("a generated module beside its sheet", () => {
  test("the sheet is what runs; a module of the same meaning is not spoken of", async () => {
    const service = await compiled({ "workflows/greeter.csv": LIST });
    const { json } = await get(service, "/workflows");
    expect(json).toMatchObject({ total: 2, workflows: [{ sheet: "greeter.csv" }, { sheet: "greeter.csv" }] });
    expect(service.log()).not.toContain("gen.ts");
  });

  test("one that means something else is told in the log, once", async () => {
    const service = await compiled({ "workflows/greeter.csv": LIST.replace("here", "there") });
    const run = await post(service, "/execute", { graph_name: "Plain" });
    expect(run.json).toMatchObject({ state: { said: "there" } });
    await get(service, "/workflows");
    expect(service.log().match(/plain\.gen\.ts was made from another version/g)).toHaveLength(1);
    expect(service.log()).not.toContain("greeter.gen.ts");
  });
});
