import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { request } from "../http/raw.js";
import { KEYS, startService, type TestService } from "../http/service.js";

const SHEET = `graph_name,node_name,agent_type,next_node,input_fields,output_field,prompt
Review,Draft,draft,Approve,topic,text,
Review,Approve,input,Publish,text,verdict,Is {text} right?
Review,Publish,echo,,verdict|text,published,{verdict}: {text}
`;
const DRAFT = `import { defineAgent } from "flowsheet";
export const DraftAgent = defineAgent(async ({ topic }) => \`on \${topic}\`);
`;

/** One edit after the other; null: the sheet is deleted. */
const EDITS: readonly (readonly [what: string, sheet: string | null])[] = [
  ["the prompt", SHEET.replace("Is {text} right?", "Really {text}?")],
  ["another name", SHEET.replaceAll("Draft", "Write")],
  ["a node in front", SHEET.replace("Review,Draft", "Review,Look,draft,Draft,topic,seen,\nReview,Draft")],
  [
    "a node behind",
    SHEET.replace("Publish,echo,,", "Publish,echo,Tell,").concat("Review,Tell,echo,,text,told,{text}\n"),
  ],
  ["a node removed", SHEET.replace(/Review,Draft.*\n/, "")],
  ["the sheet deleted", null],
];

function edit(folder: string, sheet: string | null): void {
  const path = join(folder, "workflows/review.csv");
  if (sheet === null) rmSync(path);
  else writeFileSync(path, sheet);
}

const ENDED = { status: "completed", state: { verdict: "yes", published: "yes: on ducks" } };

test("on the command line a run ends as it began, after six edits of its sheet", async () => {
  const cwd = createFolder({
    "flowsheet.yaml": "workflows: workflows\n",
    "workflows/review.csv": SHEET,
    "workflows/other.csv": SHEET.replaceAll("Review", "Other"),
    "agents/draft.js": DRAFT,
  });
  const call = (...args: readonly string[]) => flowsheet([...args, "--quiet"], { cwd });
  expect((await call("run", "--graph", "Review", "--input", "topic=ducks")).code).toBe(3);
  const { runs } = JSON.parse((await call("runs", "--json")).stdout) as { runs: { run_id: string }[] };
  const id = runs[0]!.run_id;
  const fits: [string, boolean][] = [];
  for (const [what, sheet] of EDITS) {
    edit(cwd, sheet);
    const told = JSON.parse((await call("diff", "--check-runs", "--json")).stdout) as {
      runs: { fits: boolean }[];
    };
    fits.push([what, told.runs[0]!.fits]);
    expect((await call("runs", "show", id)).stdout).toContain("Is on ducks right?");
  }
  expect(fits).toEqual(EDITS.map(([what]) => [what, what === "the prompt" || what === "a node behind"]));
  const ended = await call("resume", id, "--answer", "Approve=yes", "--json");
  expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([
    0,
    { ...ENDED, path: ["Draft", "Approve", "Publish"] },
  ]);
});

let service: TestService;
beforeAll(async () => {
  service = await startService({ files: { "workflows/review.csv": SHEET, "agents/draft.js": DRAFT } });
});
afterAll(() => service.stop());

test("over HTTP a run is listed, marked when its sheet is gone, and ends as it began", async () => {
  const post = (path: string, body: object) =>
    request(
      service.port,
      `POST ${path}`,
      [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json"],
      JSON.stringify(body),
    );
  const get = (path: string) => request(service.port, `GET ${path}`, [`X-API-Key: ${KEYS.readonly}`]);
  const begun = await post("/execute", { graph_name: "Review", initial_state: { topic: "ducks" } });
  const id = String(begun.json?.["run_id"]);
  for (const [, sheet] of EDITS) {
    edit(service.folder, sheet);
    const { json } = await get("/runs");
    expect(json).toMatchObject({ runs: [{ run_id: id, waiting: [{ prompt: "Is on ducks right?" }] }] });
  }
  await expect
    .poll(async () => (await get(`/runs/${id}`)).json)
    .toMatchObject({ status: "waiting", sheet_gone: true });
  const ended = await post(`/runs/${id}/resume`, { answers: { Approve: "yes" } });
  expect([ended.status, ended.json]).toMatchObject([200, ENDED]);
  expect((await get(`/runs/${id}`)).json).toMatchObject({ ...ENDED, sheet_gone: true });
});
