import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type LocalServer, listen } from "../net/server.js";
import { createProject } from "./sheet.js";

type Respond = Parameters<typeof listen>[0];

const SECRET = "/services/T0/hook-of-the-team";
let server: LocalServer;
let respond: Respond;

beforeEach(async () => {
  server = await listen((asked, answer) => respond(asked, answer));
});
afterEach(() => server[Symbol.asyncDispose]());

interface Told {
  readonly context?: object;
  readonly address?: string;
  readonly prompt?: string;
  readonly item?: string;
}

async function tell({ context = {}, address, prompt = "One {item}", item = "tea" }: Told = {}) {
  const node = { node: "Tell", agent: "notify", inputs: "item", outputs: "told", prompt };
  const config = `runs: {keep: waiting}
network: {allow: ["${server.host}"]}
connections: {team: {kind: slack, url: env:TEAM_URL}}
`;
  const project = createProject([{ ...node, context: { connection: "team", ...context } }], {
    files: { "flowsheet.yaml": config },
    env: { TEAM_URL: address ?? `http://${server.host}${SECRET}` },
  });
  const { state, error, runId } = await project.run({ item });
  // Nothing that a run tells holds the address, which is the secret.
  expect(JSON.stringify([state, error])).not.toContain("hook-of-the-team");
  return { told: state["told"], code: error?.code, message: error?.message, runId };
}

/** Answers a list of statuses, one a call. */
function inTurn(...answers: readonly [number, object?][]): void {
  let calls = 0;
  respond = (_, answer) => {
    const [status, headers = {}] = answers[Math.min(calls++, answers.length - 1)]!;
    answer.writeHead(status, { ...headers }).end("ok");
  };
}

const keys = (): readonly unknown[] => server.asked.map(({ headers }) => headers["idempotency-key"]);

test("a message, and its key", async () => {
  inTurn([200]);
  const { told, runId } = await tell();
  expect(told).toBe("One tea");
  expect(keys()).toEqual([`${runId}/Tell/1`]);
});

describe("a service that fails", () => {
  test.each([500, 502, 503])("with %s is called again, with the same key", async (status) => {
    inTurn([status], [200]);
    const { told, runId } = await tell({ context: { retry: { attempts: 3, delay_ms: 1 } } });
    expect(told).toBe("One tea");
    expect(keys()).toEqual([`${runId}/Tell/1`, `${runId}/Tell/1`]);
  });

  test("asks to wait: it is called when that time is over", async () => {
    inTurn([429, { "Retry-After": "1" }], [200]);
    const began = performance.now();
    expect((await tell({ context: { retry: { attempts: 2, delay_ms: 1 } } })).told).toBe("One tea");
    expect(performance.now() - began).toBeGreaterThanOrEqual(950);
  });

  test.each([400, 403, 410, 429])("with %s: nobody is told more than that", async (status) => {
    inTurn([status]);
    const { code, message } = await tell();
    expect([code, message]).toEqual(["agent_failed", `slack answered ${status}: the message was not taken`]);
    expect(server.asked).toHaveLength(1);
  });

  test("is slow", async () => {
    respond = () => {};
    expect(await tell({ context: { timeout_ms: 50 } })).toMatchObject({
      code: "node_timeout",
      message: expect.stringMatching("50 ms"),
    });
  });

  test.each<[string, Respond, string]>([
    ["closes", (_, answer) => answer.socket?.destroy(), "closed the connection"],
    [
      "breaks off",
      (_, answer) => {
        answer.writeHead(200, { "content-length": "100" }).write("half");
        setTimeout(() => answer.destroy(), 10);
      },
      "broke off",
    ],
    ["says too much", (_, answer) => answer.writeHead(200).end(Buffer.alloc(11_000_000)), "is larger than"],
    ["speaks no HTTP", (_, answer) => answer.socket?.end("what?\r\n\r\n"), "does not answer in HTTP"],
  ])("%s", async (_, given, message) => {
    respond = given;
    expect((await tell()).message).toMatch(message);
  });

  test("speaks no TLS", async () => {
    respond = (_, answer) => answer.end();
    const { message } = await tell({ address: `https://${server.host}${SECRET}` });
    expect(message).toMatch(server.host);
    expect(server.asked).toEqual([]);
  });
});

test("nothing to say is not sent", async () => {
  inTurn([200]);
  expect((await tell({ prompt: "{item}", item: " " })).message).toBe(
    "there is nothing to say: the prompt is empty",
  );
  expect(server.asked).toEqual([]);
});
