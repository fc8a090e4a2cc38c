import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kindOfAddress } from "../../runtime/net/addresses.js";
import { readAllowed } from "../../runtime/net/allowed.js";
import { checkHost, type HostAddress, type Resolve } from "../../runtime/net/checked-addresses.js";
import { NetworkError } from "../../runtime/net/network-error.js";
import { createSafeFetch, type NetworkRequest } from "../../runtime/net/safe-fetch.js";
import { type LocalServer, listen } from "./server.js";

interface Given extends Partial<NetworkRequest> {
  readonly allow?: readonly string[];
  readonly resolve?: Resolve;
  readonly ca?: string;
}

/** All that a call gives, as short as it can be compared. */
async function ask(server: LocalServer, path: string, given: Given = {}): Promise<unknown> {
  const { allow = [server.host], resolve, ca, ...request } = given;
  const rules = { allow: allow.map((one) => readAllowed(one)!), private: false, others: true };
  const world = { ...(resolve === undefined ? {} : { resolve }), ...(ca === undefined ? {} : { ca }) };
  const url = path.startsWith("http") ? path : `http://${server.host}${path}`;
  try {
    const { status, body } = await createSafeFetch(rules, world)({ url, ...request });
    return `${status} ${body}`;
  } catch (error) {
    if (error instanceof NetworkError) return error.reason;
    throw error;
  }
}

const at =
  (...addresses: readonly string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: 4 }) as HostAddress);

test("a request and its answer", async () => {
  await using server = await listen((_, answer) => answer.writeHead(201, { "X-One": "1" }).end("made"));
  const body = JSON.stringify({ name: "Ada" });
  const headers = { "Content-Type": "application/json", "Idempotency-Key": "run/A/1" };
  expect(await ask(server, "/things?x=1#part", { method: "post", headers, body })).toBe("201 made");
  const [asked] = server.asked;
  expect(asked).toMatchObject({ method: "POST", url: "/things?x=1", body });
  expect(asked?.headers).toMatchObject({
    "content-type": "application/json",
    "content-length": String(body.length),
    "idempotency-key": "run/A/1",
    "accept-encoding": "gzip, deflate, br",
  });
});

describe("what is never sent", () => {
  test.each([
    { method: "CONNECT" },
    { method: "TRACE" },
    { method: "GET / HTTP/1.1" },
    { headers: { Host: "other" } },
    { headers: { "Transfer-Encoding": "chunked" } },
    { headers: { "Content-Length": "4" } },
    { headers: { Connection: "upgrade" } },
    { headers: { "X-A": "1\r\nX-B: 2" } },
    { headers: { "X-A\r\nX-B": "1" } },
    { headers: { "X-A": "a\0b" } },
    { url: "not an address" },
  ])("%j", async (given) => {
    await using server = await listen((_, answer) => answer.end());
    expect(await ask(server, "/", given)).toBe("bad-request");
    expect(server.asked).toEqual([]);
  });

  test("line ends in an address become no second request", async () => {
    await using server = await listen((_, answer) => answer.end("one"));
    expect(await ask(server, "/a\r\nX-B: 1\r\n\r\nGET /b")).toBe("200 one");
    expect(server.asked.map(({ url }) => url)).toEqual(["/aX-B:%201GET%20/b"]);
  });
});

describe("redirects", () => {
  const redirecting = (status: number, to: string) =>
    listen(({ url }, answer) =>
      url === "/from" ? answer.writeHead(status, { location: to }).end() : answer.end(`at ${url}`),
    );

  test.each([301, 302, 303, 307, 308])("%s is followed", async (status) => {
    await using server = await redirecting(status, "/to");
    expect(await ask(server, "/from")).toBe("200 at /to");
  });

  test.each([
    [301, "GET", ""],
    [302, "GET", ""],
    [303, "GET", ""],
    [307, "POST", "body"],
    [308, "POST", "body"],
  ])("%s makes a POST a %s", async (status, method, body) => {
    await using server = await redirecting(status, "/to");
    await ask(server, "/from", { method: "POST", body: "body", headers: { "content-type": "text/plain" } });
    expect(server.asked[1]).toMatchObject({ method, body });
    expect(server.asked[1]?.headers["content-type"]).toBe(body === "" ? undefined : "text/plain");
  });

  test.each([
    "http://127.0.0.1:1/",
    "http://localhost:1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://0x7f000001/",
    "//10.0.0.1/",
    "file:///etc/passwd",
    "data:text/plain,x",
    "http://user:word@127.0.0.1:1/",
  ])("to %s is refused", async (to) => {
    await using server = await redirecting(302, to);
    expect(await ask(server, "/from")).toBe("refused");
  });

  test("five are followed, a sixth is not", async () => {
    await using server = await listen(({ url }, answer) => {
      const left = Number(url.slice(1));
      if (left === 0) answer.end("there");
      else answer.writeHead(302, { location: `/${left - 1}` }).end();
    });
    expect(await ask(server, "/5")).toBe("200 there");
    expect(await ask(server, "/6")).toBe("redirects");
  });

  test("to what is no address", async () => {
    await using server = await redirecting(302, "http://[");
    expect(await ask(server, "/from")).toBe("redirects");
  });

  test("another origin sees no credentials, and no header that may hold one", async () => {
    await using other = await listen((_, answer) => answer.end("other"));
    await using server = await redirecting(307, `http://${other.host}/to`);
    const headers = { accept: "text/plain", cookie: "a=1", "x-api-key": "k1", authorization: "Basic x" };
    const given = { headers, secrets: { "x-token": "t0ken" }, allow: [server.host, other.host] };
    expect(await ask(server, "/from", given)).toBe("200 other");
    expect(server.asked[0]?.headers).toMatchObject({ ...headers, "x-token": "t0ken" });
    expect(other.asked[0]?.headers["accept"]).toBe("text/plain");
    for (const name of ["cookie", "x-api-key", "authorization", "x-token"])
      expect(other.asked[0]?.headers[name]).toBeUndefined();
  });

  test.each([
    [307, "POST"],
    [308, "POST"],
    [307, "PUT"],
    [301, "PUT"],
    [302, "PATCH"],
    [301, "DELETE"],
  ])("%s takes the body of a %s to no other origin", async (status, method) => {
    await using other = await listen((_, answer) => answer.end("other"));
    await using server = await redirecting(status, `http://${other.host}/to`);
    const given = { method, body: "secret", allow: [server.host, other.host] };
    expect(await ask(server, "/from", given)).toBe("redirects");
    expect(other.asked).toEqual([]);
  });

  test.each([301, 302, 303])("after %s a POST is read elsewhere without its body", async (status) => {
    await using other = await listen((_, answer) => answer.end("other"));
    await using server = await redirecting(status, `http://${other.host}/to`);
    const given = { method: "POST", body: "secret", allow: [server.host, other.host] };
    expect(await ask(server, "/from", given)).toBe("200 other");
    expect(other.asked).toMatchObject([{ method: "GET", body: "" }]);
  });

  test("back at the first origin the credentials stay away, too", async () => {
    let back = "";
    await using other = await listen((_, answer) => answer.writeHead(302, { location: back }).end());
    await using server = await redirecting(302, `http://${other.host}/`);
    back = `http://${server.host}/to`;
    const given = { secrets: { "x-token": "t0ken" }, allow: [server.host, other.host] };
    expect(await ask(server, "/from", given)).toBe("200 at /to");
    expect(server.asked[1]?.headers["x-token"]).toBeUndefined();
  });
});

describe("names", () => {
  test("the address that was checked is the one that is connected to: a name is looked up once", async () => {
    await using server = await listen((_, answer) => answer.end("checked"));
    const answers = [at("127.0.0.1"), at("203.0.113.7")];
    let calls = 0;
    const resolve: Resolve = (host) => answers[calls++]!(host);
    const allow = [`rebound.example:${server.port}`];
    const url = `http://rebound.example:${server.port}/`;
    expect(await ask(server, url, { allow, resolve })).toBe("200 checked");
    expect(calls).toBe(1);
    expect(server.asked[0]?.headers.host).toBe(`rebound.example:${server.port}`);
  });

  test("a name that is public first and private with the redirect is refused", async () => {
    await using server = await listen((_, answer) =>
      answer.writeHead(302, { location: `http://turning.example:${server.port}/` }).end(),
    );
    const seen: string[] = [];
    const resolve: Resolve = async (host) => {
      seen.push(host);
      return [{ address: "127.0.0.1", family: 4 }];
    };
    const url = `http://listed.example:${server.port}/`;
    expect(await ask(server, url, { allow: [`listed.example:${server.port}`], resolve })).toBe("refused");
    expect(seen).toEqual(["listed.example", "turning.example"]);
    expect(server.asked).toHaveLength(1);
  });

  test.each([
    "169.254.169.254",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "100.100.100.200",
    "::",
    "fe80::1",
    "fd00:ec2::254",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
  ])("a listed name that leads to %s", async (address) => {
    const resolve: Resolve = async () => [
      { address: "93.184.216.34", family: 4 },
      { address, family: address.includes(":") ? 6 : 4 },
    ];
    const rules = { allow: [readAllowed("listed.example")!], private: false, others: false };
    const checked = checkHost(new URL("http://listed.example/"), rules, resolve);
    // Networks of one's own may be anywhere in these ranges, so a listed name may lead there.
    if (kindOfAddress(address) === "private") await expect(checked).resolves.toBeDefined();
    else await expect(checked).rejects.toMatchObject({ reason: "refused" });
  });

  test.each(["169.254.169.254", "[fe80::1]", "0.0.0.0"])(
    "an entry that is %s itself opens it",
    async (host) => {
      const rules = { allow: [readAllowed(host)!], private: false, others: false };
      const resolve: Resolve = () => Promise.reject(new Error("no name"));
      await expect(checkHost(new URL(`http://${host}/`), rules, resolve)).resolves.toMatchObject({
        isOwn: false,
      });
    },
  );

  test("a name server that does not answer", async () => {
    await using server = await listen((_, answer) => answer.end());
    const resolve: Resolve = () => new Promise(() => {});
    expect(await ask(server, "http://silent.example/", { resolve, timeoutMs: 50 })).toBe("time-out");
  });
});

describe("secrets", () => {
  test("over http they go only to hosts of one's own that are listed", async () => {
    await using server = await listen((_, answer) => answer.end("ok"));
    const secrets = { authorization: "Bearer t0ken" };
    expect(await ask(server, "/", { secrets })).toBe("200 ok");
    expect(server.asked[0]?.headers.authorization).toBe("Bearer t0ken");
    const url = "http://public.example/";
    expect(await ask(server, url, { secrets, resolve: at("93.184.216.34"), allow: ["public.example"] })).toBe(
      "refused",
    );
  });
});

describe("answers", () => {
  const answering = (encoding: string, body: Buffer) =>
    listen((_, answer) => answer.writeHead(200, { "content-encoding": encoding }).end(body));

  test.each([
    ["gzip", gzipSync("hello")],
    ["x-gzip", gzipSync("hello")],
    ["deflate", deflateSync("hello")],
    ["br", brotliCompressSync("hello")],
    ["identity", Buffer.from("hello")],
    ["", Buffer.from("hello")],
  ])("in %s", async (encoding, body) => {
    await using server = await answering(encoding, body);
    expect(await ask(server, "/")).toBe("200 hello");
  });

  test.each(["gzip", "br", "deflate"])("a bomb in %s", async (encoding) => {
    const zeros = Buffer.alloc(30_000_000);
    const body = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync }[encoding]!(zeros);
    expect(body.length).toBeLessThan(100_000);
    await using server = await answering(encoding, body);
    expect(await ask(server, "/")).toBe("too-large");
  });

  test.each([
    ["gzip, gzip", gzipSync(gzipSync("hello"))],
    ["unknown", Buffer.from("hello")],
    ["gzip", Buffer.from("no gzip at all")],
    ["gzip", gzipSync("hello").subarray(0, 15)],
  ])("that cannot be read: %s", async (encoding, body) => {
    await using server = await answering(encoding, body);
    expect(await ask(server, "/")).toBe("bad-answer");
  });

  test("to HEAD, and without content, however they are encoded", async () => {
    await using server = await listen(({ method }, answer) => {
      answer.writeHead(method === "HEAD" ? 200 : 204, { "content-encoding": "gzip" }).end();
    });
    expect(await ask(server, "/", { method: "HEAD" })).toBe("200 ");
    expect(await ask(server, "/")).toBe("204 ");
  });

  test("that are too large, as they say or as they turn out", async () => {
    await using server = await listen(({ url }, answer) => {
      if (url === "/said") answer.writeHead(200, { "content-length": "1000" });
      for (let i = 0; i < 100; i++) answer.write("0123456789");
      answer.end();
    });
    expect(await ask(server, "/said", { maxBytes: 999 })).toBe("too-large");
    expect(await ask(server, "/", { maxBytes: 999 })).toBe("too-large");
    expect(await ask(server, "/", { maxBytes: 1_000 })).toMatch(/^200 0123/);
  });

  test("without an end", async () => {
    await using server = await listen((_, answer) => {
      const more = (): void => {
        while (!answer.destroyed && answer.write("x".repeat(10_000)));
      };
      answer.on("drain", more);
      more();
    });
    expect(await ask(server, "/", { maxBytes: 1_000_000 })).toBe("too-large");
  });

  test("that break off", async () => {
    await using server = await listen((_, answer) => {
      answer.writeHead(200, { "content-length": "100" }).write("half");
      setTimeout(() => answer.destroy(), 20);
    });
    expect(await ask(server, "/")).toBe("bad-answer");
  });

  test("that never come, or trickle", async () => {
    await using server = await listen(({ url }, answer) => {
      if (url === "/trickle") answer.write("x");
    });
    expect(await ask(server, "/", { timeoutMs: 60 })).toBe("time-out");
    expect(await ask(server, "/trickle", { timeoutMs: 60 })).toBe("time-out");
  });

  test("with too many headers, or none of HTTP", async () => {
    await using server = await listen(({ url }, answer) => {
      if (url === "/flood") answer.writeHead(200, { "x-large": "x".repeat(20_000) }).end();
      else answer.socket?.end("what?\r\n\r\n");
    });
    expect(await ask(server, "/flood")).toBe("bad-answer");
    expect(await ask(server, "/")).toBe("bad-answer");
  });

  test("that are announced without an end", async () => {
    await using server = await listen(({ url }, answer) => {
      for (let times = url === "/some" ? 19 : 99; times > 0; times--) answer.writeProcessing();
      if (url === "/some") answer.end("here");
    });
    expect(await ask(server, "/some")).toBe("200 here");
    expect(await ask(server, "/")).toBe("bad-answer");
  });

  test("from where nobody listens", async () => {
    const server = await listen((_, answer) => answer.end());
    await server[Symbol.asyncDispose]();
    expect(await ask(server, "/")).toBe("unreachable");
  });
});

test("a run that is stopped stops its request", async () => {
  await using server = await listen(() => {});
  const stop = new AbortController();
  const asked = ask(server, "/", { signal: stop.signal });
  setTimeout(() => stop.abort(new Error("stopped")), 20);
  await expect(asked).rejects.toThrow("stopped");
});

const HAS_OPENSSL = (() => {
  try {
    execFileSync("openssl", ["version"], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
})();

describe.runIf(HAS_OPENSSL)("certificates", () => {
  let folder: string;
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "flowsheet-tls-"));
    const made = ["-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", "key.pem", "-out", "cert.pem"];
    const names = ["-subj", "/CN=known.example", "-addext", "subjectAltName=DNS:known.example"];
    execFileSync("openssl", ["req", "-x509", ...made, ...names], { cwd: folder, stdio: "pipe" });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    ["of nobody", "known.example", false, "bad-certificate"],
    ["of another host", "other.example", true, "bad-certificate"],
    ["as it should be", "known.example", true, "200 safe"],
  ])("%s", async (_name, host, isTrusted, expected) => {
    const tls = { key: read("key.pem"), cert: read("cert.pem") };
    await using server = await listen((_, answer) => answer.end("safe"), tls);
    const given = {
      allow: [`${host}:${server.port}`],
      resolve: at("127.0.0.1"),
      ...(isTrusted ? { ca: tls.cert } : {}),
      secrets: { authorization: "Bearer t0ken" },
    };
    expect(await ask(server, `https://${host}:${server.port}/`, given)).toBe(expected);
    expect(server.asked).toHaveLength(expected === "200 safe" ? 1 : 0);
  });

  test("the environment does not turn the check off", async () => {
    const tls = { key: read("key.pem"), cert: read("cert.pem") };
    await using server = await listen((_, answer) => answer.end("safe"), tls);
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      expect(await ask(server, `https://${server.host}/`)).toBe("bad-certificate");
    } finally {
      delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    }
  });

  test("a server that does not speak TLS", async () => {
    await using server = await listen((_, answer) => answer.end("plain"));
    expect(await ask(server, `https://${server.host}/`)).toMatch(/^(?:bad-certificate|unreachable)$/);
  });
});
