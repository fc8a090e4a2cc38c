import { expect, test } from "vitest";
import { createWeb } from "../../runtime/net/web.js";
import { listen } from "./server.js";

const TEXT = "Hi <!here> & <@U1> @everyone *now* [x](y)";

const entry = (kind: string): object =>
  kind === "telegram"
    ? { kind, token: "env:TOKEN", chat: "12", base_url: "env:BASE" }
    : { kind, url: "env:HOOK" };

async function sent(kind: string, status = 200, text = TEXT) {
  await using server = await listen((_, answer) =>
    answer.writeHead(status, { location: "/else" }).end("t0k3n said"),
  );
  const base = `http://${server.host}`;
  const env = { TOKEN: "t0k3n", BASE: base, HOOK: `${base}/hook/t0k3n` };
  const connections = { section: { team: entry(kind) }, env };
  const web = createWeb({ network: { allow: [server.host] }, connections, others: true });
  const failure = await web
    .notify({ connection: "team", text, key: "run/Tell/1" })
    .catch((error: unknown) => error);
  const [asked] = server.asked;
  const body = asked === undefined ? null : JSON.parse(asked.body);
  return { failure, body, asked, calls: server.asked.length };
}

test.each([
  ["slack", { text: "Hi &lt;!here&gt; &amp; &lt;@U1&gt; @everyone *now* [x](y)", link_names: false }],
  ["discord", { content: TEXT.replace("[", "\\["), allowed_mentions: { parse: [] } }],
  ["webhook", { text: TEXT }],
  ["telegram", { chat_id: "12", text: TEXT }],
  [
    "teams",
    {
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            type: "AdaptiveCard",
            version: "1.4",
            body: [
              {
                type: "TextBlock",
                text: "Hi \\<!here\\> & \\<@U1\\> @everyone \\*now\\* \\[x\\](y)",
                wrap: true,
              },
            ],
          },
        },
      ],
    },
  ],
])("%s gets what it understands, without mentions made of values", async (kind, expected) => {
  const { body, asked, failure } = await sent(kind);
  expect(failure).toBeUndefined();
  expect(body).toEqual(expected);
  expect(asked).toMatchObject({
    method: "POST",
    url: kind === "telegram" ? "/bott0k3n/sendMessage" : "/hook/t0k3n",
    headers: { "content-type": "application/json", "idempotency-key": "run/Tell/1" },
  });
});

test.each([404, 500, 302])(
  "what is answered with %s is told without the address, and nothing is followed",
  async (status) => {
    const { failure, calls } = await sent("slack", status);
    expect(failure).toMatchObject({ message: `slack answered ${status}: the message was not taken` });
    expect(calls).toBe(1);
  },
);

test("no backslash of a value brings back a link that hides its address", async () => {
  const { body } = await sent("discord", 200, "\\[pay here](https://evil.example) in C:\\new");
  expect(body.content).toBe("\\\\\\[pay here](https://evil.example) in C:\\\\new");
});

test("a message that is too long is not sent", async () => {
  const { failure, calls } = await sent("discord", 200, "x".repeat(2_001));
  expect(failure).toMatchObject({ message: "a message to discord has at most 2000 characters, not 2001" });
  expect(calls).toBe(0);
});

test("a server calls a public host of a connection without an entry, and no other one", async () => {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    if (host === "own.example") return [{ address: "10.0.0.1", family: 4 as const }];
    // What is let through is not called for the sake of a test.
    stop.abort(new Error("stopped"));
    return [{ address: "93.184.216.34", family: 4 as const }];
  };
  let stop = new AbortController();
  const web = (url: string) =>
    createWeb({
      network: {},
      connections: {
        section: {
          team: { kind: "slack", url: "env:HOOK" },
          crm: { kind: "bearer", token: "env:HOOK", host: "crm.example" },
          any: { kind: "bearer", token: "env:HOOK" },
        },
        env: { HOOK: url },
      },
      others: false,
      world: { resolve },
    });
  const fresh = (): AbortSignal => {
    stop = new AbortController();
    return stop.signal;
  };
  const reasonOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => "called",
      ({ reason = "stopped" }: { readonly reason?: string }) => reason,
    );
  const notify = (url: string) =>
    reasonOf(web(url).notify({ connection: "team", text: "x", key: "k", signal: fresh() }));
  expect(await notify("https://hooks.example/t0k3n")).toBe("stopped");
  expect(await notify("https://own.example/t0k3n")).toBe("refused");
  const get = (url: string, connection?: string) =>
    reasonOf(
      web("t0k3n").call({ url, method: "GET", headers: {}, parse: "auto", connection, signal: fresh() }),
    );
  expect(await get("https://crm.example/", "crm")).toBe("stopped");
  expect(await get("https://other.example/", "any")).toBe("refused");
  expect(await get("https://other.example/")).toBe("refused");
  expect(asked).toEqual(["hooks.example", "own.example", "crm.example"]);
});

test("an address over http is called on one's own network only, where it is listed", async () => {
  const connections = {
    section: { team: { kind: "slack", url: "env:HOOK" } },
    env: { HOOK: "http://hooks.example/t0k3n" },
  };
  const world = { resolve: async () => [{ address: "93.184.216.34", family: 4 as const }] };
  const web = createWeb({ network: { allow: ["hooks.example"] }, connections, others: true, world });
  const failure = await web
    .notify({ connection: "team", text: "x", key: "k" })
    .catch((error: Error) => error.message);
  expect(failure).toMatch("the secret of a connection is not sent to hooks.example over http");
});
