import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { Notices, type Reminder } from "../../runtime/durable/notices.js";
import type { DurableStore } from "../../runtime/durable/store.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { listenForMail } from "../net/mail-server.js";
import { onEachStore, until } from "./executors.js";
import { projectOf, runsOf } from "./projects.js";
import { beginWork } from "./work.js";

const HEADER = "graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt,context\n";
const ASK = `${HEADER}Ask,Approve,,human,,verdict,Is 17 right?,"{""remind_ms"": 60000, ""timeout_ms"": 3600000}"
`;
const INSIDE = `${HEADER}Outer,Each,,graph,items,verdict,,"{""graph"": ""Ask"", ""over"": ""items""}"
${ASK.slice(HEADER.length)}`;
/** Writes what it is told into a file. */
const MAIL = `import { appendFileSync } from "node:fs";
import { defineAgent } from "flowsheet";
export const remind = defineAgent((inputs, context) => {
  const { key, runId, graph, node, visit } = context;
  appendFileSync(process.env.MAILS, JSON.stringify({ inputs, key, about: [runId, graph, node, visit] }) + "\\n");
  if (process.env.MAIL_FAILS) throw new Error("the mail server is away");
});
`;

const START = Date.parse("2027-03-01T12:00:00Z");
const MINUTE = 60_000;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** A run that waits since `START`, on a clock that stands still. */
async function waiting({ sheet = ASK, settings = "remind_with: remind", args = ["Ask"], more = "" } = {}) {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  const cwd = await projectOf({
    "flowsheet.yaml": `${more}runs: { ${settings} }\n`,
    "agents/remind.ts": MAIL,
    "workflows/asking.csv": sheet,
  });
  const mails = join(cwd, "mails.txt");
  vi.stubEnv("MAILS", mails);
  const { code, stdout } = await flowsheet(["run", "--graph", ...args, "--json", "--quiet"], { cwd });
  expect(code).toBe(3);
  const store = await runsOf(cwd);
  const sent = () =>
    existsSync(mails)
      ? readFileSync(mails, "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
      : [];
  const runId: string = JSON.parse(stdout).run_id;
  const told = async () =>
    (await store.events(runId)).filter(({ type }) => type === "run_reminder").map(({ event }) => event);
  return { cwd, store, runId, sent, told };
}

onEachStore(
  "workers remind of a question once a period: an event, and the agent of the project",
  async () => {
    const { cwd, store, runId, sent, told } = await waiting();
    const workers = [beginWork(cwd), beginWork(cwd)];
    const next = async (): Promise<number> => ((await store.waits(runId))[0]?.remindAt ?? 0) - START;
    expect(await next()).toBe(MINUTE);
    // Of the periods at which nobody was at work the last one counts.
    for (const [now, then] of [
      [1, 2],
      [2, 3],
      [7.5, 8],
    ] as const) {
      vi.setSystemTime(START + now * MINUTE);
      await until(async () => (await next()) === then * MINUTE);
    }
    for (const worker of workers) expect(await worker.stop()).toMatchObject({ code: 0 });
    const inputs = {
      ...{ run_id: runId, graph: "Ask", node: "Approve", prompt: "Is 17 right?" },
      until: "2027-03-01T13:00:00.000Z",
    };
    const reminder = (k: number) => ({
      inputs,
      key: `${runId}/Approve/1/remind/${k}`,
      about: [runId, "Ask", "Approve", 1],
    });
    expect(sent()).toEqual([reminder(1), reminder(2), reminder(7)]);
    expect(await told()).toEqual(Array(3).fill({ type: "run_reminder", ...inputs }));
    const ended = await flowsheet(["resume", runId, "--answer", "Approve=yes"], { cwd });
    expect(ended.code).toBe(0);
    expect(await store.dueNotices(START + 99 * MINUTE, 10)).toEqual([]);
  },
);

onEachStore(
  "each item of a loop is reminded of by its own name, and without an agent reminders are events",
  async () => {
    const { cwd, store, runId, sent, told } = await waiting({
      ...{ sheet: INSIDE, settings: "" },
      args: ["Outer", "--input", "items=[1,2,3]"],
    });
    vi.setSystemTime(START + MINUTE);
    expect(await flowsheet(["work", "--drain"], { cwd })).toMatchObject({ code: 0 });
    expect((await told()).map((event) => (event as { readonly node: string }).node).sort()).toEqual([
      "Each[0]/Approve",
      "Each[1]/Approve",
      "Each[2]/Approve",
    ]);
    expect(sent()).toEqual([]);
    expect((await store.waits(runId)).map(({ about }) => about)).toEqual([null, null, null]);
  },
);

onEachStore("a mail reminds without code: the settings stand beside the agent", async () => {
  await using mails = await listenForMail();
  const post = `{ kind: smtp, host: 127.0.0.1, port: ${mails.port}, from: desk@example.com }`;
  const { cwd, runId, told } = await waiting({
    more: `connections: { post: ${post} }\nnetwork: { allow: ["${mails.host}"] }\n`,
    settings: `remind_with: { agent: mail, connection: post, to: [ada@example.com], subject: "{node} of {graph}",
      prompt: "{prompt} Until {until}: https://flows.example.com/studio/#/inbox/{run_id} {{as it is}}" }`,
  });
  for (const minutes of [1, 2]) {
    vi.setSystemTime(START + minutes * MINUTE);
    expect(await flowsheet(["work", "--drain"], { cwd })).toMatchObject({ code: 0 });
  }
  expect(await told()).toHaveLength(2);
  const link = `https://flows.example.com/studio/#/inbox/${runId}`;
  const body = `Is 17 right? Until 2027-03-01T13:00:00.000Z: ${link} {as it is}`;
  const shown = mails.mails.map(({ commands, text }) => [
    commands.find((line) => line.startsWith("RCPT")),
    /^Subject: (.*)$/m.exec(text)?.[1],
    /^X-Flowsheet-Key: (.*)$/m.exec(text)?.[1],
    // Long lines are broken.
    text.split("\n\n")[1]?.replaceAll("=\n", "").replaceAll("=3D", "=").trim(),
  ]);
  const mail = (period: number) => [
    "RCPT TO:<ada@example.com>",
    "Approve of Ask",
    `${runId}/Approve/1/remind/${period}`,
    body,
  ];
  expect(shown).toEqual([mail(1), mail(2)]);
});

onEachStore("an agent that fails is logged, and the run waits on", async () => {
  const { cwd, store, runId, sent, told } = await waiting();
  vi.stubEnv("MAIL_FAILS", "1");
  vi.setSystemTime(START + MINUTE);
  const { code, stderr } = await flowsheet(["work", "--drain"], { cwd });
  expect(code).toBe(0);
  expect(stderr).toContain(`nobody was reminded of "Approve" of the run ${runId}: the mail server is away`);
  expect([sent().length, (await told()).length]).toEqual([1, 1]);
  expect((await store.run(runId))?.status).toBe("waiting");
  vi.setSystemTime(START + 2 * MINUTE);
  await flowsheet(["work", "--drain"], { cwd });
  expect(sent().map(({ key }) => key.split("/").at(-1))).toEqual(["1", "2"]);
});

/** A worker's reminders, which end as they are told to. */
function reminding(store: DurableStore, remind: (reminder: Reminder) => Promise<void>): Notices {
  return new Notices({ store, remind, redact: (text) => text, log: { warn: () => {} }, lookMs: 500 });
}

onEachStore("a reminder whose worker died is given again with the same key, and told once", async () => {
  const { store, told } = await waiting();
  const keys: string[] = [];
  vi.setSystemTime(START + MINUTE);
  const dead = reminding(store, (reminder) => {
    keys.push(reminder.key);
    return new Promise(() => {});
  });
  await until(() => keys.length === 1);
  const living = reminding(store, async ({ key }) => void keys.push(key));
  await living.settled();
  expect(keys).toHaveLength(1);
  vi.setSystemTime(START + 3 * MINUTE);
  await living.settled();
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  expect(await told()).toHaveLength(1);
  vi.setSystemTime(START + 4 * MINUTE);
  await living.settled();
  expect(keys.at(-1)).toMatch(/\/remind\/4$/);
  void dead.stop(0);
  await living.stop(0);
});

onEachStore("an escalation adds people once, beside a reminder", async () => {
  const { store, runId } = await waiting();
  const [run] = (await store.list({})).runs;
  const [wait] = await store.waits(runId);
  const about = { assignees: ["ada"], not_starter: true, escalate: { assignees: ["role:director"] } };
  const times = { remindAt: START + MINUTE, escalateAt: START + MINUTE };
  expect(await store.notice({ run: run!, wait: wait! }, { ...times, about, events: [] })).toBe(true);
  vi.setSystemTime(START + MINUTE);
  const given: string[] = [];
  const workers = [1, 2].map(() => reminding(store, async ({ key }) => void given.push(key)));
  for (const _ of [1, 2]) await Promise.all(workers.map((one) => one.settled()));
  expect(given).toHaveLength(1);
  const [after] = await store.waits(runId);
  expect(after).toMatchObject({ escalateAt: null, remindAt: START + 2 * MINUTE });
  expect(after?.about).toEqual({ assignees: ["ada", "role:director"], not_starter: true });
  const escalated = (await store.events(runId)).filter(({ type }) => type === "run_escalated");
  expect(escalated.map(({ event }) => event)).toMatchObject([
    { node: "Approve", assignee: ["role:director"] },
  ]);
  for (const worker of workers) await worker.stop(0);
});

test("an agent that is not there keeps servers and workers from starting, and is told by checks", async () => {
  const cwd = createFolder({
    "flowsheet.yaml": "runs:\n  remind_with: mial\n",
    "agents/remind.ts": MAIL,
    "workflows/ask.csv": ASK,
  });
  const message = 'runs.remind_with names an agent that is not there: "mial"';
  for (const command of [["serve", "--port", "0"], ["work"]]) {
    const { code, stderr } = await flowsheet(command, { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(`flowsheet.yaml:2:16: ${message}; did you mean "mail"?`);
  }
  const checked = await flowsheet(["validate", "--config", "flowsheet.yaml"], { cwd });
  expect(checked.code).toBe(1);
  expect(checked.stdout + checked.stderr).toContain(message);
  expect((await flowsheet(["doctor"], { cwd })).stdout).toContain(message);
  expect((await flowsheet(["run", "--graph", "Ask", "--quiet"], { cwd })).code).toBe(3);
});

const POST = "connections: { post: { kind: smtp, host: mail.example.com, from: a@example.com } }\n";
const AS_IN_SHEETS = "prompt and settings are those of the agent in a sheet";

test.each([
  ["mail", 'runs.remind_with: setting "connection" is missing', AS_IN_SHEETS],
  [
    "{ agent: mail, conection: post, to: a@example.com, prompt: x }",
    'runs.remind_with: agent "mail" has no setting "conection"',
    'did you mean "connection"?',
  ],
  [
    "{ agent: mail, connection: crm, to: a@example.com, prompt: x }",
    'runs.remind_with: setting "connection" must be a connection of flowsheet.yaml of kind smtp',
    AS_IN_SHEETS,
  ],
  [
    '{ agent: mail, connection: post, to: a@example.com, prompt: "{nod}" }',
    "runs.remind_with: {nod} names no input of this node",
    'did you mean "node"?',
  ],
  [
    "{ agent: mail, connection: post, to: a@example.com }",
    'runs.remind_with: agent "mail" cannot succeed: it has nothing to say',
    "write the message as its prompt",
  ],
  ["human", "runs.remind_with cannot be human, which waits itself", "such as mail or notify"],
  ["{ agent: wait, for: 2h }", "runs.remind_with cannot be wait, which waits itself", "such as mail"],
  ["{ agnt: mail }", "runs.remind_with must be an agent's name, or a mapping with agent", ""],
  ["[mail]", "runs.remind_with must be an agent's name, or a mapping with agent", ""],
])("what reminds is checked as a row of a sheet is: %s", async (setting, message, help) => {
  const text = `${POST}runs: { remind_with: ${setting} }\n`;
  const cwd = createFolder({ "flowsheet.yaml": text, "workflows/ask.csv": ASK });
  const { code, stderr } = await flowsheet(["work", "--drain"], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringMatching(/flowsheet\.yaml:2:\d+: /)]);
  expect(stderr).toContain(message);
  expect(stderr).toContain(help);
});
