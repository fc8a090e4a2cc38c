import { expect, test } from "vitest";
import { listenForMail, type MailServer } from "../net/mail-server.js";
import { createProject } from "./sheet.js";

interface Asked {
  readonly context?: object;
  readonly given?: object;
  readonly prompt?: string;
  readonly allow?: string;
  readonly entry?: string;
}

async function sent(
  server: MailServer,
  { context = {}, given = {}, prompt = "Hello {name}", allow, entry }: Asked,
) {
  const smtp = entry ?? "username: ada, password: env:NET_TEST_PASSWORD";
  const config = `runs: {keep: waiting}
network: {allow: ["${allow ?? server.host}"]}
connections: {post: {kind: smtp, host: "127.0.0.1", port: ${server.port}, from: "Shop <shop@example.com>", ${smtp}}}
`;
  const node = { node: "Tell", agent: "mail", inputs: "name|email|more?", outputs: "id", prompt };
  const settings = { connection: "post", to: "{email}", subject: "For {name}", ...context };
  const project = createProject([{ ...node, context: settings }], {
    files: { "flowsheet.yaml": config, "data/notes/a.txt": "the note" },
    env: { NET_TEST_PASSWORD: "p4ssw0rd-of-ada" },
  });
  const values = { name: "Ada", email: "ada@example.com", ...given };
  const { state, error, runId } = await project.run(values);
  return { id: state["id"], message: error?.message, runId };
}

test("a mail, its key, and the credential", async () => {
  await using server = await listenForMail();
  const { id, runId, message } = await sent(server, { context: { cc: ["bob@example.com", "{more}"] } });
  expect(message).toBeUndefined();
  const [mail] = server.mails;
  expect(mail?.commands).toEqual(
    expect.arrayContaining([
      `AUTH PLAIN ${Buffer.from("\0ada\0p4ssw0rd-of-ada").toString("base64")}`,
      "MAIL FROM:<shop@example.com>",
      "RCPT TO:<ada@example.com>",
      "RCPT TO:<bob@example.com>",
    ]),
  );
  expect(mail?.text).toMatch(/^From: Shop <shop@example.com>$/m);
  expect(mail?.text).toMatch(/^Subject: For Ada$/m);
  expect(mail?.text).toContain(`X-Flowsheet-Key: ${runId}/Tell/1\n`);
  expect(mail?.text).toContain(`Message-ID: ${id}\n`);
  expect(mail?.text).toMatch(/^Content-Type: text\/plain/m);
  expect(mail?.text).toContain("\n\nHello Ada\n");
});

test("HTML, and a file of the data folder", async () => {
  await using server = await listenForMail();
  await sent(server, { context: { html: true, attach: "notes/a.txt" }, prompt: "<p>{name}</p>" });
  const text = server.mails[0]?.text ?? "";
  expect(text).toContain("<p>Ada</p>");
  expect(text).toMatch(/filename=a\.txt/);
  expect(text).toContain(Buffer.from("the note").toString("base64"));
});

test.each<[string, Asked, string]>([
  ["a value adds no receiver", { given: { email: "a@example.com, b@example.com" } }, "is no mail address"],
  [
    "a value adds no header",
    { given: { email: "a@example.com\r\nBcc: b@example.com" } },
    "is no mail address",
  ],
  ["nobody gets it", { given: { email: "" } }, "nobody gets the mail"],
  ["a file that is none of the data folder", { context: { attach: "../flowsheet.yaml" } }, "flowsheet.yaml"],
  ["a file that is not there", { context: { attach: "none.txt" } }, "none.txt"],
  ["a server that is not listed", { allow: "other.example" }, "it is no public host"],
])("%s: nothing is sent", async (_, asked, message) => {
  await using server = await listenForMail();
  expect((await sent(server, asked)).message).toMatch(message);
  expect(server.mails).toEqual([]);
});

test("a subject has one line", async () => {
  await using server = await listenForMail();
  await sent(server, { given: { name: "x\r\nBcc: b@example.com" } });
  expect(server.mails[0]?.text).toMatch(/^Subject: For x Bcc: b@example.com$/m);
  expect(server.mails[0]?.commands.filter((line) => line.startsWith("RCPT"))).toHaveLength(1);
});

test("a server that is busy is asked again, with the same key and the same id", async () => {
  let calls = 0;
  await using server = await listenForMail("nothing", (line) =>
    line.startsWith("RCPT") && ++calls === 1 ? "450 try later" : undefined,
  );
  const { id, runId, message } = await sent(server, { context: { retry: { attempts: 2, delay_ms: 1 } } });
  expect(message).toBeUndefined();
  expect(calls).toBe(2);
  expect(server.mails).toHaveLength(1);
  expect(server.mails[0]?.text).toContain(`X-Flowsheet-Key: ${runId}/Tell/1\n`);
  expect(server.mails[0]?.text).toContain(`Message-ID: ${id}\n`);
});

test("a node that takes too long ends, and its mail is not sent", async () => {
  await using server = await listenForMail("nothing", (line) => (line === "DATA" ? "" : undefined));
  const { message } = await sent(server, { context: { timeout_ms: 200 } });
  expect(message).toMatch("200 ms");
  await server.quiet();
  expect(server.mails).toEqual([]);
});

test("what the server refuses is told, without the password", async () => {
  await using server = await listenForMail("RCPT");
  const { message } = await sent(server, {});
  expect(message).toMatch("127.0.0.1 answered 550 no such mailbox");
  await using locked = await listenForMail("AUTH");
  const refused = await sent(locked, {});
  expect(refused.message).toBeDefined();
  expect(refused.message).not.toMatch("p4ssw0rd");
});
