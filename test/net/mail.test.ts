import { describe, expect, test } from "vitest";
import type { Resolve } from "../../runtime/net/checked-addresses.js";
import { createMail } from "../../runtime/net/mail.js";
import { createFolder } from "../cli/folder.js";
import { type Fault, listenForMail, type MailServer } from "./mail-server.js";

interface Sent {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly resolve?: Resolve;
  readonly text?: string;
  readonly attach?: readonly string[];
  readonly more?: object;
}

test.each([
  ["::1", "[::1]:1 is not called: it is no public host"],
  ["[::1]", "[::1]:1 is not called: it is no public host"],
  ["2001:db8::1", "[2001:db8::1]:1 is not called"],
  ...[
    "fe80::1%eth0",
    "mail.example.com:25",
    "smtp://mail.example.com",
    "ada@mail.example.com",
    "a b",
    "",
  ].map((host) => [
    host,
    `connections.post.host must be the name or the address of a mail server, such as mail.example.com, not ${JSON.stringify(host)}`,
  ]),
])("a connection with the host %j", async (host, message) => {
  const post = { kind: "smtp", host, port: 1, from: "shop@example.com" };
  const connections = { section: { post }, env: {} };
  const mail = createMail({ network: {}, connections, others: false, data: ".", root: "." });
  const text = { to: ["ada@example.com"], cc: [], subject: "Tea", text: "Hello", html: false, attach: [] };
  await expect(mail.send({ connection: "post", ...text, key: "run/Tell/1" })).rejects.toThrow(message);
});

function send(server: Pick<MailServer, "host" | "port">, sent: Sent = {}): Promise<string> {
  const { resolve, text = "Hello", attach = [], more, ...rest } = sent;
  const host = resolve === undefined ? "127.0.0.1" : "post.example";
  const folder = createFolder({ "notes.txt": "x".repeat(1_000_000) });
  const post = { kind: "smtp", host, port: server.port, from: "shop@example.com", ...more };
  const mail = createMail({
    network: { allow: [`${host}:${server.port}`] },
    connections: { section: { post }, env: {} },
    others: false,
    data: folder,
    root: ".",
    ...(resolve === undefined ? {} : { resolve }),
  });
  const message = { connection: "post", to: ["ada@example.com"], cc: [], subject: "Tea", html: false };
  return mail.send({ ...message, text, attach, key: "run/Tell/1", ...rest });
}

/** Answers with something else where a command begins so. */
const at =
  (begin: string, reply: string): Fault =>
  (line) =>
    line.startsWith(begin) ? reply : undefined;

const PLACES = ["CONNECT", "EHLO", "MAIL", "RCPT", "DATA"];

describe("a mail server that says nothing", () => {
  test.each([...PLACES, "."])("at %s", async (place) => {
    await using server = await listenForMail("nothing", at(place, ""));
    await expect(send(server, { timeoutMs: 200 })).rejects.toMatchObject({
      reason: "time-out",
      message: "the mail server 127.0.0.1 did not answer within 200 ms",
    });
  });

  test("a name server that says nothing", async () => {
    await using server = await listenForMail();
    const resolve: Resolve = () => new Promise(() => {});
    await expect(send(server, { timeoutMs: 100, resolve })).rejects.toMatchObject({ reason: "time-out" });
  });
});

describe("a mail that is cancelled", () => {
  test("before it begins is not sent", async () => {
    await using server = await listenForMail();
    const stop = new AbortController();
    stop.abort(new Error("stopped"));
    await expect(send(server, { signal: stop.signal })).rejects.toThrow("stopped");
    expect(server.mails).toEqual([]);
  });

  test("while its name is looked up is not sent", async () => {
    await using server = await listenForMail();
    const stop = new AbortController();
    const resolve: Resolve = async () => {
      stop.abort(new Error("stopped"));
      return [{ address: "127.0.0.1", family: 4 }];
    };
    await expect(send(server, { signal: stop.signal, resolve })).rejects.toThrow("stopped");
    expect(server.connections()).toBe(0);
  });

  test.each(PLACES)("at %s is not sent: the connection ends at once", async (place) => {
    const stop = new AbortController();
    await using server = await listenForMail("nothing", (line) => {
      if (line.startsWith(place)) stop.abort(new Error("stopped"));
      return undefined;
    });
    await expect(send(server, { signal: stop.signal })).rejects.toThrow("stopped");
    await server.quiet();
    expect(server.mails).toEqual([]);
  });
});

describe("a mail server that fails", () => {
  test.each([...PLACES, "."])("cuts at %s", async (place) => {
    await using server = await listenForMail("nothing", at(place, "cut"));
    await expect(send(server)).rejects.toMatchObject({
      reason: "unreachable",
      message: expect.stringMatching(/^the mail server 127\.0\.0\.1 cannot be used/),
    });
  });

  test.each([
    ["CONNECT", "554 go away"],
    ["MAIL", "421 too many connections"],
    ["RCPT", "450 try later"],
    ["RCPT", "550 no such mailbox"],
    ["DATA", "451 try later"],
    [".", "552 too large"],
  ])("at %s answers %s", async (place, reply) => {
    await using server = await listenForMail("nothing", at(place, reply));
    await expect(send(server)).rejects.toThrow(reply.slice(0, 3));
  });

  test("speaks no SMTP, or without an end", async () => {
    await using odd = await listenForMail("nothing", at("CONNECT", "HTTP/1.1 400 Bad Request"));
    await expect(send(odd)).rejects.toThrow("127.0.0.1");
    await using endless = await listenForMail("nothing", at("EHLO", `250-${"x".repeat(20_000_000)}`));
    await expect(send(endless, { timeoutMs: 60_000 })).rejects.toThrow();
  });

  test("has no valid certificate, or none at all", async () => {
    await using plain = await listenForMail();
    await expect(send(plain, { more: { secure: true } })).rejects.toThrow("cannot be used");
  });

  test("is not there", async () => {
    const server = await listenForMail();
    await server[Symbol.asyncDispose]();
    await expect(send(server)).rejects.toThrow("cannot be used");
  });
});
