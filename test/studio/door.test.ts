import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { StartRefusedError } from "../../runtime/auth/live.js";
import { parseAnswer, type RawAnswer, request, sendLast } from "../http/raw.js";
import { authentication, HELLO, KEYS, startService } from "../http/service.js";
import { startStudio, type TestStudio } from "./local.js";

const told = ({ status, json }: RawAnswer): string => `${status} ${json?.["code"] ?? "ok"}`;
const JSON_TYPE = "Content-Type: application/json";

/** With the headers that are given, and no others. */
async function raw(port: number, line: string, headers: readonly string[]): Promise<string> {
  const head = [`${line} HTTP/1.1`, "Connection: close", ...headers];
  return told(parseAnswer(await sendLast(port, `${head.join("\r\n")}\r\n\r\n`)));
}

let studio: TestStudio;
beforeAll(async () => {
  // A configuration that opens everything: the Studio wants its token all the same.
  studio = await startStudio({ config: "authentication:\n  enabled: false\n" });
});
afterAll(() => studio.stop());

describe("the token", () => {
  test("opens all that a person may do", async () => {
    expect((await studio.ask("GET /studio/api/session")).json).toMatchObject({
      mode: "local",
      who: "os:test",
      can: ["read", "write", "execute", "answer"],
      save: "each",
    });
    const body = JSON.stringify({ graph_name: "Hello", initial_state: { name: "Ada" } });
    const { json } = await studio.ask("POST /execute", [JSON_TYPE], body);
    expect(json).toMatchObject({ status: "completed", state: { greeting: "Hello Ada" } });
    expect((await studio.ask("GET /runs?status=all")).json).toMatchObject({ total: 1 });
  });

  test("is needed for all but the page, also where authentication is off", async () => {
    const host = `Host: 127.0.0.1:${studio.port}`;
    const paths = [
      "/studio/api/session",
      "/studio/api/sheets",
      "/studio/api/world",
      "/workflows",
      "/runs",
      "/",
    ];
    for (const path of [...paths, "/studio/api/sheets/hello.csv", "/openapi.json", "/metrics", "/health"])
      expect([path, told(await studio.askBare(`GET ${path}`, [host]))]).toEqual([
        path,
        "401 credential_missing",
      ]);
    expect(told(await studio.askBare("POST /execute", [host, JSON_TYPE], "{}"))).toBe(
      "401 credential_missing",
    );
  });

  test("is needed to look inside, to test, to compile and to debug", async () => {
    const host = `Host: 127.0.0.1:${studio.port}`;
    const foreign = "Origin: https://evil.example";
    const token = `Authorization: Bearer ${studio.secret.token}`;
    const form = "Content-Type: application/x-www-form-urlencoded";
    const asks = ["tests", "debug", "debug/x/commands"].map((path) => `POST /studio/api/${path}`);
    for (const line of [
      ...asks,
      "GET /studio/api/tests?sheet=hello.csv",
      "GET /studio/api/debug/x/events",
      "GET /studio/api/sheets/hello.csv/graphs/Hello/module",
      "POST /studio/api/sheets/hello.csv/compile",
    ]) {
      expect([line, told(await studio.askBare(line, [host, JSON_TYPE], "{}"))]).toEqual([
        line,
        "401 credential_missing",
      ]);
      const answer = await studio.askBare(line, [host, token, foreign, JSON_TYPE], "{}");
      expect([line, told(answer)]).toEqual([line, "403 origin_refused"]);
    }
    for (const line of asks.slice(0, 2))
      expect(told(await studio.askBare(line, [host, token, form], "sheet=hello.csv"))).toBe(
        "415 media_type_unsupported",
      );
  });

  test("does nothing as a query, and no other key does", async () => {
    const host = `Host: 127.0.0.1:${studio.port}`;
    const { token } = studio.secret;
    const ask = async (line: string, ...headers: string[]): Promise<string> =>
      told(await studio.askBare(line, [host, ...headers]));
    expect(await ask(`GET /studio/api/session?api_key=${token}`)).toBe("401 credential_missing");
    expect(await ask(`GET /studio/api/session?token=${token}`)).toBe("401 credential_missing");
    expect(await ask("GET /studio/api/session", `Authorization: Bearer ${token}x`)).toBe(
      "401 credential_invalid",
    );
    expect(await ask("GET /studio/api/session", "Authorization: Bearer a.b.c")).toBe(
      "401 credential_invalid",
    );
    expect(await ask("GET /studio/api/session", `Cookie: token=${token}`)).toBe("401 credential_missing");
  });

  test("bad ones are counted, as for keys", async () => {
    const other = await startStudio();
    onTestFinished(() => other.stop());
    const headers = [`Host: 127.0.0.1:${other.port}`, "Authorization: Bearer wrong"];
    const answers: string[] = [];
    for (let i = 0; i < 21; i++) answers.push(told(await other.askBare("GET /studio/api/session", headers)));
    expect(new Set(answers.slice(0, 20))).toEqual(new Set(["401 credential_invalid"]));
    expect(answers[20]).toBe("429 rate_limited");
    expect(told(await other.ask("GET /studio/api/session"))).toBe("200 ok");
  });

  test("is in no log, and in no file of the project", async () => {
    await studio.askBare(`GET /studio/api/session?token=${studio.secret.token}`, ["Host: 127.0.0.1"]);
    expect(studio.log()).not.toContain(studio.secret.token);
    const files = readdirSync(studio.folder, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    expect(files.length).toBeGreaterThan(1);
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name), "latin1")).not.toContain(studio.secret.token);
  });
});

describe("a code for the browser", () => {
  const post = async (one: TestStudio, code: string): Promise<RawAnswer> =>
    one.askBare(
      "POST /studio/api/session",
      [`Host: 127.0.0.1:${one.port}`, JSON_TYPE],
      JSON.stringify({ code }),
    );

  test("gives the token once", async () => {
    const code = studio.secret.makeCode();
    expect((await post(studio, code)).json).toEqual({ token: studio.secret.token });
    expect(told(await post(studio, code))).toBe("401 credential_invalid");
  });

  test("is good for 30 seconds", async () => {
    let now = 0;
    const other = await startStudio({ clock: () => now });
    onTestFinished(() => other.stop());
    const code = other.secret.makeCode();
    now = 30_001;
    expect(told(await post(other, code))).toBe("401 credential_invalid");
    const second = other.secret.makeCode();
    now += 30_000;
    expect(told(await post(other, second))).toBe("200 ok");
  });
});

describe("what pages of other sites send is refused", () => {
  const ask = async (line: string, headers: readonly string[], body = ""): Promise<string> => {
    const token = `Authorization: Bearer ${studio.secret.token}`;
    return told(await studio.askBare(line, [token, ...headers], body));
  };
  const own = (): string => `Host: 127.0.0.1:${studio.port}`;

  test.each([
    ["another name", "evil.example"],
    ["another name and our port", "evil.example:PORT"],
    ["a name that begins alike", "localhost.evil.example:PORT"],
    ["another port", "127.0.0.1:1"],
    ["no port", "127.0.0.1"],
    ["another address", "10.0.0.1:PORT"],
  ])("Host: %s", async (_what, host) => {
    for (const path of ["/studio/", "/studio/api/session", "/workflows", "/", "/health"])
      expect(await ask(`GET ${path}`, [`Host: ${host.replace("PORT", `${studio.port}`)}`])).toBe(
        "421 host_refused",
      );
  });

  test("all names of this machine are ours", async () => {
    for (const name of ["127.0.0.1", "localhost", "[::1]", "LOCALHOST"])
      expect(await ask("GET /studio/api/session", [`Host: ${name}:${studio.port}`])).toBe("200 ok");
  });

  test.each([
    "http://evil.example",
    "null",
    "https://127.0.0.1:PORT",
    "http://127.0.0.1:1",
    "http://127.0.0.1:PORT.evil",
  ])("Origin: %s", async (origin) => {
    const header = `Origin: ${origin.replace("PORT", `${studio.port}`)}`;
    for (const line of [
      "GET /studio/api/sheets",
      "GET /studio/",
      "GET /workflows",
      "OPTIONS /studio/api/sheets",
    ])
      expect(await ask(line, [own(), header])).toBe("403 origin_refused");
  });

  test("our own Origin is taken", async () => {
    expect(await ask("GET /studio/api/session", [own(), `Origin: http://127.0.0.1:${studio.port}`])).toBe(
      "200 ok",
    );
  });

  test.each(["cross-site", "same-site", "nonsense"])("Sec-Fetch-Site: %s", async (site) => {
    for (const path of ["/studio/api/sheets", "/workflows"])
      expect(await ask(`GET ${path}`, [own(), `Sec-Fetch-Site: ${site}`])).toBe("403 origin_refused");
  });

  test("a form", async () => {
    const form = "Content-Type: application/x-www-form-urlencoded";
    expect(await ask("POST /studio/api/session", [own(), form], "code=x")).toBe("415 media_type_unsupported");
    expect(await ask("POST /execute", [own(), form], "graph_name=Hello")).toBe("415 media_type_unsupported");
  });

  test("no answer allows another site, whatever server.cors says", async () => {
    const other = await startStudio({ config: 'server:\n  cors: ["*"]\n' });
    onTestFinished(() => other.stop());
    const answer = await other.ask("GET /studio/api/session");
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("same-origin");
    const preflight = ["Origin: https://evil.example", "Access-Control-Request-Method: GET"];
    expect((await other.ask("OPTIONS /studio/api/sheets", preflight)).status).toBe(403);
  });
});

describe("addresses", () => {
  test.each([
    ["/studio/..%2f..%2fpackage.json", "400 path_invalid"],
    ["/studio/../package.json", "400 path_invalid"],
    ["/studio/%2e%2e/package.json", "400 path_invalid"],
    ["/studio/package.json", "404 route_not_found"],
    ["/studio/api", "404 route_not_found"],
    ["/studio/api/sheets/..%2f..%2fflowsheet.yaml", "400 path_invalid"],
    ["/studio/api/sheets/../flowsheet.yaml", "400 path_invalid"],
    ["/studio/api/sheets/flowsheet.yaml", "404 sheet_not_found"],
    ["/studio/api/sheets/__proto__", "404 sheet_not_found"],
    ["/studio/api/sheets/hello.csv/", "404 sheet_not_found"],
    ["/studio/api/sheets/HELLO.csv", "404 sheet_not_found"],
    ["/studio/api/debugger", "404 route_not_found"],
    ["/studio/api/debug", "405 method_not_allowed"],
  ])("%s is %s", async (path, expected) => {
    expect(told(await studio.ask(`GET ${path}`))).toBe(expected);
  });

  test("the page is below a slash, wherever the service is", async () => {
    const { status, headers } = await studio.ask("GET /studio");
    expect([status, headers.get("location")]).toEqual([308, "studio/"]);
  });

  test("sheets may have any name that a disk takes, and none leads elsewhere", async () => {
    const names = [
      "__proto__.csv",
      "constructor.csv",
      "<img src=x onerror=alert(1)>.csv",
      "a b+c&d=e.csv",
      "\u202ecsv.exe.csv",
      "ü 😀.csv",
    ];
    const other = await startStudio({
      files: Object.fromEntries(names.map((name) => [`workflows/${name}`, HELLO])),
    });
    onTestFinished(() => other.stop());
    const listed = JSON.parse((await other.ask("GET /studio/api/sheets")).body) as {
      readonly name: string;
    }[];
    expect(listed.map(({ name }) => name).sort()).toEqual([...names].sort());
    for (const name of names) {
      const answer = await other.ask(`GET /studio/api/sheets/${encodeURIComponent(name)}`);
      expect([name, answer.status, answer.body]).toEqual([name, 200, HELLO]);
      expect(answer.headers.get("content-type")).toBe("text/csv");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });
});

describe("served", () => {
  const serve = (mode: string, more = "") =>
    startService({
      config: `server:\n  studio: ${mode}\n${more}${authentication()}`,
      files: { "workflows/hello.csv": HELLO },
    });

  test("there is none unless the configuration says so", async () => {
    const service = await startService();
    onTestFinished(() => service.stop());
    const key = `X-API-Key: ${KEYS.admin}`;
    for (const path of ["/studio", "/studio/", "/studio/api/session", "/studio/api/sheets"])
      expect(told(await request(service.port, `GET ${path}`, [key]))).toBe("404 route_not_found");
    const described = (await request(service.port, "GET /openapi.json")).json as { paths: object };
    expect(Object.keys(described.paths).filter((path) => path.startsWith("/studio"))).toEqual([]);
  });

  test("a key opens it, and says what its holder may do", async () => {
    const service = await serve("edit");
    onTestFinished(() => service.stop());
    const can = async (key: string): Promise<unknown> =>
      (await request(service.port, "GET /studio/api/session", [`X-API-Key: ${key}`])).json?.["can"];
    expect(await can(KEYS.readonly)).toEqual(["read"]);
    expect(await can(KEYS.developer)).toEqual(["read", "write"]);
    expect(await can(KEYS.executor)).toEqual(["read", "execute", "answer"]);
    expect(told(await request(service.port, "GET /studio/api/session"))).toBe("401 credential_missing");
    expect(told(await request(service.port, "POST /studio/api/session", [JSON_TYPE], '{"code":"x"}'))).toBe(
      "404 route_not_found",
    );
    const { json } = await request(service.port, "GET /openapi.json");
    expect(Object.keys((json as { paths: object }).paths)).toContain("/studio/api/sheets/{sheet}");
    expect(await new Validator().validate({ ...json })).toMatchObject({ valid: true });
  });

  test("read means that nobody writes", async () => {
    const service = await serve("read");
    onTestFinished(() => service.stop());
    const key = `X-API-Key: ${KEYS.developer}`;
    expect((await request(service.port, "GET /studio/api/session", [key])).json).toMatchObject({
      can: ["read"],
    });
    const { body } = await request(service.port, "GET /studio/api/sheets", [key]);
    expect(JSON.parse(body)).toMatchObject([{ name: "hello.csv", writable: false }]);
  });

  test("where authentication is off it is not for other machines", async () => {
    const start = startService({
      config: "server:\n  studio: read\n  host: 0.0.0.0\nauthentication:\n  enabled: false\n",
      host: "0.0.0.0",
    });
    await expect(start).rejects.toThrow(StartRefusedError);
  });

  test("a bypass of authentication does not open it", async () => {
    const bypass =
      "authentication:\n  enabled: true\n  embedded_mode: { enabled: true, bypass_auth: true }\n";
    const service = await startService({ config: `server:\n  studio: read\n${bypass}` });
    onTestFinished(() => service.stop());
    expect(told(await request(service.port, "GET /workflows"))).toBe("200 ok");
    expect(told(await request(service.port, "GET /studio/api/sheets"))).toBe("401 credential_missing");
  });

  test("the names of the server are those of server.hosts", async () => {
    const service = await serve("read", "  hosts: [flows.example.org]\n");
    onTestFinished(() => service.stop());
    const key = `X-API-Key: ${KEYS.readonly}`;
    const ask = async (...headers: string[]): Promise<string> =>
      told(await request(service.port, "GET /studio/api/session", [key, ...headers]));
    // The test's own requests name the machine by its address.
    expect(await ask()).toBe("421 host_refused");
    expect(told(await request(service.port, "GET /workflows", [key]))).toBe("200 ok");
  });

  test("no public endpoint opens it", async () => {
    const config = `server:\n  studio: edit\n${authentication("  public_endpoints: [/health, /studio/*, /studio/api/*]\n")}`;
    const service = await startService({ config, files: { "workflows/hello.csv": HELLO } });
    onTestFinished(() => service.stop());
    for (const line of [
      "GET /studio/api/sheets",
      "GET /studio/api/events",
      "PATCH /studio/api/sheets/hello.csv",
    ])
      expect(told(await request(service.port, line))).toBe("401 credential_missing");
  });

  test("the name and the origin are checked for the Studio alone", async () => {
    const service = await serve("read");
    onTestFinished(() => service.stop());
    const ask = (path: string, headers: readonly string[]): Promise<string> =>
      raw(service.port, `GET ${path}`, [`X-API-Key: ${KEYS.readonly}`, ...headers]);
    const own = `Host: 127.0.0.1:${service.port}`;
    const foreign = "Origin: https://evil.example";
    expect(await ask("/studio/api/session", [own])).toBe("200 ok");
    expect(await ask("/studio/api/session", ["Host: evil.example"])).toBe("421 host_refused");
    expect(await ask("/workflows", ["Host: evil.example"])).toBe("200 ok");
    expect(await ask("/studio/api/session", [own, foreign])).toBe("403 origin_refused");
    expect(await ask("/workflows", [own, foreign])).toBe("200 ok");
    expect(await ask("/studio/api/session", [own, `Origin: http://127.0.0.1:${service.port}`])).toBe(
      "200 ok",
    );
    expect(await ask("/studio/api/session", [own, "Sec-Fetch-Site: cross-site"])).toBe("403 origin_refused");
    const hosted = await serve("read", "  hosts: [flows.example.org]\n");
    onTestFinished(() => hosted.stop());
    const [name, page] = ["Host: flows.example.org", "Origin: https://flows.example.org"];
    const key = `X-API-Key: ${KEYS.readonly}`;
    expect(await raw(hosted.port, "GET /studio/api/session", [key, name, page])).toBe("200 ok");
    expect(await raw(hosted.port, "GET /studio/api/session", [key, name, foreign])).toBe(
      "403 origin_refused",
    );
  });

  test("only whoever may use all graphs of a sheet sees it", async () => {
    const two = `${HELLO}Other,Greet,,echo,name,greeting,Hi {name}\n`;
    const config = `server:\n  studio: read\n${authentication().replace("user_id: readonly\n", "user_id: readonly\n      graphs: [Hello]\n")}`;
    const service = await startService({
      config,
      files: { "workflows/two.csv": two, "workflows/one.csv": HELLO },
    });
    onTestFinished(() => service.stop());
    const key = `X-API-Key: ${KEYS.readonly}`;
    const names = JSON.parse((await request(service.port, "GET /studio/api/sheets", [key])).body) as {
      name: string;
    }[];
    expect(names.map(({ name }) => name)).toEqual(["one.csv"]);
    expect(told(await request(service.port, "GET /studio/api/sheets/two.csv", [key]))).toBe(
      "404 sheet_not_found",
    );
    expect((await request(service.port, "GET /studio/api/world", [key])).body).not.toContain("two.csv");
  });
});
