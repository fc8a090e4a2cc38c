import { createHmac, randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { firstSeed } from "../seed.js";
import { type RawAnswer, request } from "./raw.js";
import { KEYS, startService, type TestService } from "./service.js";

const SECRET = "a secret of the shop, long enough";
const CODED = `whsec_${Buffer.from("bytes of a secret that is coded").toString("base64")}`;
const ENV = { SHOP_SECRET: SECRET, CODED_SECRET: CODED, SHOP_KEY: "key-of-the-shop-0123456789" };

const HEADER = "graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt,context.webhook";

const sheet = (graph: string, webhook: object, inputs = "item|count?:number", prompt = "{item} {count}") =>
  `${HEADER}\n${graph},Take,,echo,${inputs},taken,${prompt},"${JSON.stringify(webhook).replaceAll('"', '""')}"\n`;

const signed = { path: "/orders", secret: "env:SHOP_SECRET" };
const FILES = {
  "workflows/orders.csv": sheet("Orders", { ...signed, answer: "result" }),
  "workflows/coded.csv": sheet("Coded", { path: "/coded", secret: "env:CODED_SECRET", answer: "result" }),
  "workflows/later.csv": sheet("Later", { ...signed, path: "/shop/later" }),
  "workflows/github.csv": sheet(
    "GitHub",
    { ...signed, path: "/github", scheme: "github", answer: "result", headers: ["X-GitHub-Event", "X-None"] },
    "item|_headers:object",
    "{item} {_headers.x-github-event}",
  ),
  "workflows/key.csv": sheet("Key", {
    path: "/key",
    verify: "key",
    secret: "env:SHOP_KEY",
    answer: "result",
  }),
  "workflows/open.csv": sheet("Open", { path: "/open", verify: "none", answer: "result" }),
};

let service: TestService;
beforeAll(async () => {
  service = await startService({ files: FILES, env: ENV });
});
afterAll(() => service.stop());

const now = (): number => Math.floor(Date.now() / 1_000);
const ORDER = JSON.stringify({ item: "tea", count: 2 });

const hmac = (text: string, key: string | Buffer = SECRET) => createHmac("sha256", key).update(text);

interface Message {
  readonly id?: string;
  readonly at?: number | string;
  readonly body?: string;
  readonly key?: string | Buffer;
}

/** The headers of a message that is signed as Standard Webhooks says. */
function standard({ id = randomUUID(), at = now(), body = ORDER, key = SECRET }: Message = {}) {
  const signature = hmac(`${id}.${at}.${body}`, key).digest("base64");
  return { id, at, signature, headers: headersOf(id, at, `v1,${signature}`) };
}

const headersOf = (id: string, at: number | string, signature: string): readonly string[] => [
  `webhook-id: ${id}`,
  `webhook-timestamp: ${at}`,
  `webhook-signature: ${signature}`,
];

const JSON_TYPE = "Content-Type: application/json";

const send = (path: string, headers: readonly string[], body: string | Buffer = ORDER): Promise<RawAnswer> =>
  request(
    service.port,
    `POST /hooks${path}`,
    headers.some((one) => /^content-type:/i.test(one)) ? headers : [JSON_TYPE, ...headers],
    body,
  );

const codeOf = ({ status, json }: RawAnswer): string => `${status} ${json?.["code"] ?? json?.["status"]}`;
const takenBy = ({ json }: RawAnswer): unknown => (json?.["state"] as { readonly taken?: string })?.taken;
const runIdOf = ({ json }: RawAnswer): unknown => json?.["run_id"];

async function runsOf(graph: string): Promise<number> {
  const path = `/runs?status=all&graph_name=${graph}&limit=100`;
  const { json } = await request(service.port, `GET ${path}`, [`X-API-Key: ${KEYS.admin}`]);
  return ((json?.["runs"] ?? []) as readonly { readonly graph_name: string }[]).filter(
    ({ graph_name }) => graph_name === graph,
  ).length;
}

describe("a message that is signed", () => {
  test("begins a run, whose inputs are of the body by name", async () => {
    const body = JSON.stringify({ item: "tea", count: 2, more: { a: 1 }, taken: "by the sender" });
    const answer = await send("/orders", standard({ body }).headers, body);
    expect([codeOf(answer), takenBy(answer)]).toEqual(["200 completed", "tea 2"]);
    expect(answer.json?.["state"]).toEqual({ item: "tea", count: 2, taken: "tea 2" });
  });

  test("with a coded secret", async () => {
    const key = Buffer.from(CODED.slice("whsec_".length), "base64");
    expect(codeOf(await send("/coded", standard({ key }).headers))).toBe("200 completed");
    expect(codeOf(await send("/coded", standard({ key: CODED }).headers))).toBe("401 signature_invalid");
  });

  test("is told of the run where it does not wait for the result", async () => {
    const { headers } = standard({ id: "later-1" });
    const first = await send("/shop/later", headers);
    expect(first.status).toBe(202);
    expect(first.headers.get("location")).toBe(`/runs/${runIdOf(first)}`);
    const again = await send("/shop/later", headers);
    expect([again.status, runIdOf(again)]).toEqual([200, runIdOf(first)]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await runsOf("Later")).toBe(1);
  });

  test("names who began the run", async () => {
    const answer = await send("/orders", standard({ id: "named-1" }).headers);
    const shown = await request(service.port, `GET /runs/${runIdOf(answer)}`, [`X-API-Key: ${KEYS.admin}`]);
    expect(shown.json).toMatchObject({ started_by: "webhook:/orders", key: "webhook:/orders:named-1" });
  });

  test("needs no key of the service, and none helps it", async () => {
    expect(codeOf(await send("/orders", [`X-API-Key: ${KEYS.admin}`]))).toBe("401 signature_invalid");
  });

  test.each([
    ["an input of another type", { item: "tea", count: "many" }, "/count"],
    ["an input that is missing", { count: 1 }, "/item"],
  ])("%s is refused", async (_, given, pointer) => {
    const body = JSON.stringify(given);
    const answer = await send("/orders", standard({ body }).headers, body);
    expect(codeOf(answer)).toBe("422 input_invalid");
    expect(answer.json?.["errors"]).toMatchObject([{ pointer }]);
  });
});

describe("a signature that proves nothing", () => {
  const [id, at] = ["attack-1", String(now())];
  const right = hmac(`${id}.${at}.${ORDER}`).digest();
  const whole = right.toString("base64");
  const attacks: readonly (readonly [string, readonly string[], string?])[] = [
    ["none at all", []],
    ["no signature", [`webhook-id: ${id}`, `webhook-timestamp: ${at}`]],
    ["no id", [`webhook-timestamp: ${at}`, `webhook-signature: v1,${whole}`]],
    ["no time", [`webhook-id: ${id}`, `webhook-signature: v1,${whole}`]],
    ["of another secret", standard({ id, at, key: "another secret" }).headers],
    ["of an empty secret", standard({ id, at, key: "" }).headers],
    ["of the name of the variable", standard({ id, at, key: "env:SHOP_SECRET" }).headers],
    ["of another body", headersOf(id, at, `v1,${whole}`), ORDER.replace("tea", "gin")],
    ["of the body with a blank", headersOf(id, at, `v1,${whole}`), `${ORDER} `],
    ["of another id", headersOf(`${id}2`, at, `v1,${whole}`)],
    ["of another time", headersOf(id, String(Number(at) + 1), `v1,${whole}`)],
    ["without a version", headersOf(id, at, whole)],
    ["of another version", headersOf(id, at, `v2,${whole}`)],
    ["of an asymmetric version", headersOf(id, at, `v1a,${whole}`)],
    ["truncated", headersOf(id, at, `v1,${whole.slice(0, 20)}`)],
    ["without its padding", headersOf(id, at, `v1,${whole.replace(/=+$/, "")}`)],
    ["empty", headersOf(id, at, "v1,")],
    ["in hex", headersOf(id, at, `v1,${right.toString("hex")}`)],
    ["of zeros", headersOf(id, at, `v1,${Buffer.alloc(32).toString("base64")}`)],
    ["with more behind it", headersOf(id, at, `v1,${whole}AAAA`)],
    ["with a sign that decoders pass over", headersOf(id, at, `v1,${whole.slice(0, 9)}!${whole.slice(9)}`)],
    ["twice", [...headersOf(id, at, `v1,${whole}`), `webhook-signature: v1,${whole}`]],
    ["with two ids", [...headersOf(id, at, `v1,${whole}`), `webhook-id: ${id}`]],
    ["in the scheme of another host", [`X-Hub-Signature-256: sha256=${hmac(ORDER).digest("hex")}`]],
    ["a key in its place", [`X-API-Key: ${SECRET}`]],
    ["too old", standard({ at: now() - 302 }).headers],
    ["of the future", standard({ at: now() + 900 }).headers],
    ["of a time that is none", standard({ at: "NaN" }).headers],
    ["of an empty time", standard({ at: "" }).headers],
    ["of a time with a sign", standard({ at: `+${now()}` }).headers],
    ["of a time in milliseconds", standard({ at: Date.now() }).headers],
    ["of a time with a part", standard({ at: `${now()}.0` }).headers],
    ["of a time in hex", standard({ at: `0x${now().toString(16)}` }).headers],
  ];

  test.each(attacks.map(([name, headers, body = ORDER]) => [name, headers, body] as const))(
    "%s",
    async (_, headers, body) => {
      const before = await runsOf("Orders");
      const answer = await send("/orders", headers, body);
      expect(codeOf(answer)).toBe("401 signature_invalid");
      expect(answer.headers.get("www-authenticate")).toBe('Webhook realm="flowsheet"');
      expect(answer.body).not.toContain(SECRET);
      expect(answer.body).not.toContain(whole);
      expect(await runsOf("Orders")).toBe(before);
    },
  );

  test("one changed character, wherever it is", async () => {
    for (let round = 0; round < 20; round++) {
      const { headers, id: ofMessage, at: time, signature } = standard();
      const place = (firstSeed + 7 * round) % (signature.length - 2);
      const other = signature[place] === "A" ? "B" : "A";
      const changed = signature.slice(0, place) + other + signature.slice(place + 1);
      expect(codeOf(await send("/orders", headersOf(ofMessage, time, `v1,${changed}`)))).toMatch("401");
      if (round === 0) expect(codeOf(await send("/orders", headers))).toBe("200 completed");
    }
  });

  test("a right one among others is taken: a secret may be changed", async () => {
    const { id: ofMessage, at: time, signature } = standard();
    const other = hmac("x", "the new secret").digest("base64");
    const both = headersOf(ofMessage, time, `v1a,zzz v1,${other} v1,${signature}`);
    expect(codeOf(await send("/orders", both))).toBe("200 completed");
    expect(codeOf(await send("/orders", headersOf(ofMessage, time, `v1,${other} v1,${other}`)))).toMatch(
      "401",
    );
  });

  test("near the limits the time is taken", async () => {
    expect(codeOf(await send("/orders", standard({ at: now() - 200 }).headers))).toBe("200 completed");
    expect(codeOf(await send("/orders", standard({ at: now() + 250 }).headers))).toBe("200 completed");
  });
});

describe("GitHub's scheme", () => {
  const body = JSON.stringify({ item: "issue" });
  const signature = hmac(body).digest("hex");
  const sign = (hex: string): readonly string[] => [
    `X-Hub-Signature-256: sha256=${hex}`,
    "X-GitHub-Event: issues",
  ];

  test("gives the headers that were chosen", async () => {
    const answer = await send("/github", sign(signature), body);
    expect([codeOf(answer), takenBy(answer)]).toEqual(["200 completed", "issue issues"]);
    expect(answer.json?.["state"]).toMatchObject({ _headers: { "x-github-event": "issues" } });
  });

  test("the same body is the same message, whatever its headers say that nobody signed", async () => {
    const sent = [
      [...sign(signature), "X-GitHub-Delivery: 1"],
      [...sign(signature), "X-GitHub-Delivery: 2"],
      [`X-Hub-Signature-256: sha256=${signature}`, "X-GitHub-Event: forged"],
    ];
    const answers = await Promise.all(sent.map((headers) => send("/github", headers, body)));
    expect(new Set(answers.map(runIdOf)).size).toBe(1);
    expect(answers.map(takenBy)).toEqual(["issue issues", "issue issues", "issue issues"]);
  });

  test.each([
    ["none", []],
    ["in upper case", sign(signature.toUpperCase())],
    ["truncated", sign(signature.slice(0, 63))],
    ["in base64", sign(hmac(body).digest("base64"))],
    ["of SHA-1", [`X-Hub-Signature-256: sha1=${createHmac("sha1", SECRET).update(body).digest("hex")}`]],
    ["of another header", [`X-Hub-Signature: sha256=${signature}`]],
    ["twice", [...sign(signature), ...sign(signature)]],
    ["as a standard webhook", standard({ body }).headers],
  ])("%s", async (_, headers) => {
    expect(codeOf(await send("/github", headers, body))).toBe("401 signature_invalid");
  });
});

describe("a key", () => {
  test.each([
    ["as a header", ["X-API-Key: key-of-the-shop-0123456789"], "200 completed"],
    ["as a bearer token", ["Authorization: Bearer key-of-the-shop-0123456789"], "200 completed"],
    ["none", [], "401 signature_invalid"],
    ["wrong", ["X-API-Key: key-of-the-shop-0123456788"], "401 signature_invalid"],
    ["empty", ["X-API-Key:"], "401 signature_invalid"],
    ["its beginning", ["X-API-Key: key-of-the-shop"], "401 signature_invalid"],
    ["of the service", [`X-API-Key: ${KEYS.admin}`], "401 signature_invalid"],
    ["two", ["X-API-Key: key-of-the-shop-0123456789", "X-API-Key: x"], "401 signature_invalid"],
    [
      "in both places",
      ["X-API-Key: key-of-the-shop-0123456789", "Authorization: Bearer x"],
      "401 signature_invalid",
    ],
    ["as basic", ["Authorization: Basic key-of-the-shop-0123456789"], "401 signature_invalid"],
  ])("%s", async (_, headers, expected) => {
    expect(codeOf(await send("/key", headers))).toBe(expected);
  });

  test("in the address opens nothing", async () => {
    const path = "POST /hooks/key?api_key=key-of-the-shop-0123456789";
    expect(codeOf(await request(service.port, path, [JSON_TYPE], ORDER))).toBe("401 signature_invalid");
  });

  test("with an id of the sender begins one run", async () => {
    const headers = ["X-API-Key: key-of-the-shop-0123456789", "Idempotency-Key: order-1"];
    const first = await send("/key", headers);
    const again = await send("/key", headers, JSON.stringify({ item: "gin" }));
    expect([again.status, runIdOf(again), takenBy(again)]).toEqual([200, runIdOf(first), "tea 2"]);
    expect(codeOf(await send("/key", [headers[0]!, `Idempotency-Key: ${"x".repeat(256)}`]))).toMatch("422");
    expect(codeOf(await send("/key", [headers[0]!, `Idempotency-Key: ${"x".repeat(255)}`]))).toMatch("200");
  });
});

describe("whatever proves the sender", () => {
  test.each([
    ["/none", "404 route_not_found"],
    ["", "404 route_not_found"],
    ["/orders/", "404 route_not_found"],
    ["/orders/more", "404 route_not_found"],
    ["/ORDERS", "404 route_not_found"],
    ["/open/../orders", "400 path_invalid"],
    ["//orders", "400 path_invalid"],
    ["/%6fpen", "400 path_invalid"],
    ["/__proto__", "404 route_not_found"],
  ])("there is no webhook at %s", async (path, expected) => {
    expect(codeOf(await send(path, []))).toBe(expected);
  });

  test("only POST begins a run", async () => {
    for (const method of ["GET", "PUT", "DELETE"])
      expect((await request(service.port, `${method} /hooks/open`)).status).toBe(405);
  });

  test.each([
    ["text", ["Content-Type: text/plain"], ORDER, "415 media_type_unsupported"],
    ["a form", ["Content-Type: application/x-www-form-urlencoded"], "item=tea", "415 media_type_unsupported"],
    ["no type", ["Content-Type:"], ORDER, "415 media_type_unsupported"],
    [
      "another charset",
      ["Content-Type: application/json; charset=utf-16"],
      ORDER,
      "415 media_type_unsupported",
    ],
    ["compressed", ["Content-Encoding: gzip"], gzipSync(ORDER), "415 media_type_unsupported"],
    ["no JSON", [], "{", "400 body_invalid"],
    ["nothing", [], "", "400 body_invalid"],
    ["a list", [], "[1]", "422 input_invalid"],
    ["a number", [], "1", "400 body_invalid"],
    ["no UTF-8", [], Buffer.from('{"item":"\xff"}', "latin1"), "400 body_invalid"],
    ["deep", [], `${"[".repeat(100)}${"]".repeat(100)}`, "400 body_invalid"],
    ["too large", [], JSON.stringify({ item: "x".repeat(2_000_000) }), "413 body_too_large"],
    ["of a reserved name", [], '{"item":"tea","__proto__":{"count":3}}', "422 input_invalid"],
    ["of a reserved name inside", [], '{"item":{"constructor":1}}', "422 input_invalid"],
  ])("a body that is %s", async (_, headers, body, expected) => {
    expect(codeOf(await send("/open", headers, body))).toBe(expected);
  });

  test("headers come from headers alone", async () => {
    const body = JSON.stringify({ item: "x", _headers: { "x-github-event": "forged" } });
    const answer = await send("/github", [`X-Hub-Signature-256: sha256=${hmac(body).digest("hex")}`], body);
    expect(answer.json?.["state"]).toMatchObject({ _headers: {} });
  });

  test("without an id each message begins a run", async () => {
    const [one, two] = [await send("/open", []), await send("/open", [])];
    expect(runIdOf(one)).not.toBe(runIdOf(two));
    const ids = await Promise.all([1, 2, 3].map(() => send("/open", ["webhook-id: same"])));
    expect(new Set(ids.map(runIdOf)).size).toBe(1);
  });

  test("nothing of a secret is logged", () => {
    for (const secret of Object.values(ENV)) expect(service.log()).not.toContain(secret);
  });
});
