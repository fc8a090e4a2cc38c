import { linkSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFlowsheetServer } from "../../runtime/http/server.js";
import { request } from "./raw.js";
import { authentication, KEYS, startService, type TestService } from "./service.js";

let service: TestService;
beforeAll(async () => {
  const more = "  public_endpoints: [/, /health, /docs, /redoc, /openapi.json, /favicon.ico, /static/*]\n";
  service = await startService({
    config: `${authentication(more)}server:\n  static: public\n`,
    files: {
      "workflows/hello.csv": "graph_name,node_name,agent_type,prompt\nHello,A,echo,x\n",
      "public/a.txt": "a text",
      "public/.env": "SECRET=1",
      "public/.git/config": "x",
    },
  });
  writeFileSync(join(tmpdir(), "flowsheet-outside.txt"), "outside");
  symlinkSync(join(tmpdir(), "flowsheet-outside.txt"), join(service.folder, "public/link.txt"));
});
afterAll(() => service.stop());

const statusOf = async (line: string, ...headers: readonly string[]): Promise<number> =>
  (await request(service.port, line, headers)).status;

describe("a path has one spelling", () => {
  test.each([
    ["H01", "/static/../workflows"],
    ["H02", "/static/%2e%2e/workflows"],
    ["H03", "/static/..%2fworkflows"],
    ["H04", "/static/..%5cworkflows"],
    ["H05", "/static/%252e%252e/workflows"],
    ["H06", "/static/.%2e/workflows"],
    ["H07", "//workflows"],
    ["H08", "/static//../workflows"],
    ["H09", "/./workflows"],
    ["H13", "/%77orkflows"],
    ["H14", "/%57ORKFLOWS"],
    ["H17", "/health/../workflows"],
    ["H17", "/health%00"],
    ["H17", "/health;x"],
    ["H17", "/health%2f"],
    ["H17", "/health#x"],
    ["H25", "/workflows/%00"],
    ["H25", "/workflows/%ff"],
    ["H25", "/workflows/%"],
    ["H25", "/workflows/a%0d%0aX:1"],
    ["H25", "/workflows/%E2%80%A8"],
  ])("%s %s is refused", async (_id, path) => {
    const { status, json } = await request(service.port, `GET ${path}`, [`X-API-Key: ${KEYS.admin}`]);
    expect([status, json?.["code"]]).toEqual([400, "path_invalid"]);
  });

  test.each([
    ["H10", "/WORKFLOWS"],
    ["H11", "/Workflows/"],
    ["H12", "/workflows/"],
    ["H17", "/health/"],
    ["H19", "/static"],
    ["H19", "/static/"],
    ["H19", "/staticx"],
    ["H21", "/static/.env"],
    ["H21", "/static/.git/config"],
    ["P13", "/static/link.txt"],
    ["H19", "/static/b.txt"],
  ])("%s %s is nothing", async (_id, path) => {
    const { status, json } = await request(service.port, `GET ${path}`, [`X-API-Key: ${KEYS.admin}`]);
    expect([status, json?.["code"]]).toEqual([404, "route_not_found"]);
  });

  test("H19 a file of the public folder needs no key", async () => {
    const answer = await request(service.port, "GET /static/a.txt");
    expect([answer.status, answer.body, answer.headers.get("content-type")]).toEqual([
      200,
      "a text",
      "text/plain; charset=utf-8",
    ]);
  });

  test("P13 a second name of a file from elsewhere is not served", async () => {
    writeFileSync(join(service.folder, "outside.txt"), "elsewhere");
    linkSync(join(service.folder, "outside.txt"), join(service.folder, "public/second.txt"));
    expect(await statusOf("GET /static/second.txt")).toBe(404);
  });

  test("H21 a link to a hidden file, and a folder that holds the configuration, are not served", async () => {
    writeFileSync(join(service.folder, ".env"), "A=1");
    symlinkSync(join(service.folder, "public/.env"), join(service.folder, "public/visible"));
    expect(await statusOf("GET /static/visible")).toBe(404);
    const config = `${authentication()}server:\n  static: .\n`;
    await expect(startService({ config })).rejects.toThrow(
      /server\.static \(\.\) would serve the configuration too/,
    );
    // The same folder by another name.
    const linked = mkdtempSync(join(tmpdir(), "flowsheet-linked-"));
    writeFileSync(join(linked, "flowsheet.yaml"), config.replace("static: .", "static: all"));
    symlinkSync(".", join(linked, "all"));
    const options = { cwd: linked, config: null, env: {}, console: () => {}, host: "127.0.0.1", port: 0 };
    const start = async (): Promise<unknown> => createFlowsheetServer(options).listen();
    await expect(start()).rejects.toThrow(/server\.static \(all\) would serve the configuration too/);
  });

  test("H15 the host of an absolute address opens nothing", async () => {
    expect(await statusOf("GET http://evil/workflows")).toBe(401);
    expect(await statusOf("GET http://evil/workflows", `X-API-Key: ${KEYS.readonly}`)).toBe(200);
  });

  test("H16 addresses that are no paths", async () => {
    expect([400, 405]).toContain(await statusOf("OPTIONS *"));
    expect([400, 405]).toContain(await statusOf("CONNECT x:1"));
    for (const target of ["*", "foo://x", "http://?x"]) {
      const { status, headers, json } = await request(service.port, `GET ${target}`);
      expect([status, json?.["code"], headers.get("cache-control")]).toEqual([
        400,
        "path_invalid",
        "no-store",
      ]);
    }
  });

  test("H18 a query changes no path", async () => {
    expect((await request(service.port, "GET /health?x=/workflows")).json?.["status"]).toBe("ok");
    expect((await request(service.port, "GET /?/workflows")).json?.["service"]).toBe("flowsheet");
  });

  test("H22 HEAD asks for what GET asks for, and gets no body", async () => {
    const none = await request(service.port, "HEAD /workflows");
    expect([none.status, none.body]).toEqual([401, ""]);
    const some = await request(service.port, "HEAD /workflows", [`X-API-Key: ${KEYS.readonly}`]);
    expect([some.status, some.body]).toEqual([200, ""]);
  });

  test("H23 methods that a path does not take", async () => {
    for (const method of ["OPTIONS", "TRACE", "PROPFIND", "DELETE", "POST"]) {
      const { status, headers, json } = await request(service.port, `${method} /workflows`);
      expect([method, status, headers.get("allow"), json?.["code"]]).toEqual([
        method,
        405,
        "GET, HEAD",
        "method_not_allowed",
      ]);
    }
    expect(await statusOf("get /workflows")).toBe(400);
    expect((await request(service.port, "GET /execute")).headers.get("allow")).toBe("POST");
  });

  test.each([
    ["H24", "/workflows/%2e%2e%2f%2e%2e%2fetc%2fpasswd", 400],
    ["H25", "/workflows/__proto__", 404],
    ["H25", "/workflows/constructor", 404],
    ["H25", `/workflows/${"x".repeat(7_000)}`, 404],
    ["H25", `/workflows/${"x".repeat(10_000)}`, 414],
  ])("%s names lead nowhere but to workflows", async (_id, path, expected) => {
    const { status, body } = await request(service.port, `GET ${path}`, [`X-API-Key: ${KEYS.admin}`]);
    expect(status).toBe(expected);
    expect(body.length).toBeLessThan(600);
  });
});
