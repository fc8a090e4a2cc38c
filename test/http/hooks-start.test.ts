import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { type ServiceSetup, startService } from "./service.js";
import { FILES, ORDERS, SECRET, send, start } from "./shop.js";

describe("a server does not start", () => {
  const refusal = (setup: ServiceSetup): Promise<string> =>
    startService({ files: FILES, ...setup }).then(
      async (service) => {
        await service.stop();
        return "started";
      },
      (error: Error) => error.message,
    );
  const NEEDED = 'the webhook /orders of "Orders" (orders.csv) needs it';

  test.each([
    ["unset", {}],
    ["empty", { SHOP_SECRET: "" }],
    ["blank", { SHOP_SECRET: " \t\n" }],
  ])("with a secret that is %s", async (_, env) => {
    expect(await refusal({ env })).toBe(`the environment variable SHOP_SECRET is not set: ${NEEDED}`);
  });

  test.each(["whsec_", "whsec_===", "whsec_not base64", "whsec_a"])("with the secret %j", async (secret) => {
    const why = "the environment variable SHOP_SECRET holds no base64 behind whsec_";
    expect(await refusal({ env: { SHOP_SECRET: secret } })).toBe(`${why}: ${NEEDED}`);
  });

  test("with two sheets that have one path", async () => {
    const files = { ...FILES, "workflows/team/more.csv": ORDERS.replace("Orders", "More") };
    expect(await refusal({ files, env: { SHOP_SECRET: SECRET } })).toBe(
      'two workflows have a webhook with the path /orders: "Orders" (orders.csv) and "More" (team/more.csv)',
    );
  });

  test("and validate says it of the project, with both places", async () => {
    const more = ORDERS.replace("Orders", "More");
    const cwd = createFolder({ "flowsheet.yaml": "", ...FILES, "workflows/team/more.csv": more });
    const { code, stdout } = await flowsheet(["validate"], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain(
      'error duplicate-webhook: requests to "/orders" begin "Orders (workflows/orders.csv:2)" already, so none begins "More"',
    );
    expect(stdout).toContain("--> workflows/team/more.csv:2:");
    expect((await flowsheet(["validate", "workflows/team"], { cwd })).code).toBe(0);
  });

  test("and the command says it in words", async () => {
    const cwd = createFolder({ "flowsheet.yaml": "", ...FILES });
    const { code, stderr } = await flowsheet(["serve", "--port", "0"], { cwd, env: {} });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^error: the server does not start: the environment variable SHOP_SECRET is not set/,
      ),
    ]);
  });

  test("and the command that it names shows all of it", async () => {
    const config = "schedules:\n  nightly: {graph: Orders}\n  weekly: {graph: Orders}\n";
    const cwd = createFolder({ "flowsheet.yaml": config, ...FILES });
    const { stderr } = await flowsheet(["serve", "--port", "0"], { cwd, env: {} });
    expect(stderr).toContain("flowsheet.yaml:2: schedules.nightly.cron is missing");
    const [, help = ""] = /flowsheet (validate .*) shows all of it/.exec(stderr) ?? [];
    const { stdout } = await flowsheet(help.split(" "), { cwd });
    for (const name of ["nightly", "weekly"]) expect(stdout).toContain(`schedules.${name}.cron`);
  });
});

test("a secret may stand in the file .env; a short one is warned of", async () => {
  const service = await start({ files: { ...FILES, ".env": "SHOP_SECRET=short\n" }, env: {} });
  expect((await send(service, "m1", "short")).status).toBe(200);
  expect(service.log()).toMatch("the secret of the webhook /orders has less than 16 bytes");
});

describe("a sheet that changes while it is served", () => {
  test("never lets in whoever signs with nothing", async () => {
    const service = await start();
    service.write("workflows/orders.csv", ORDERS.replace("SHOP_SECRET", "OTHER_SECRET"));
    await expect.poll(async () => (await send(service, "m0", "")).status).toBe(503);
    for (const key of ["", SECRET, "undefined"]) {
      const answer = await send(service, "m1", key);
      expect([answer.status, answer.json?.["code"]]).toEqual([503, "webhook_unusable"]);
      expect(answer.body).not.toContain("OTHER_SECRET");
    }
    expect(service.log()).toContain(
      "the webhook /orders cannot be used: the environment variable OTHER_SECRET is not set",
    );
  });

  test("may not take the path of another one", async () => {
    const service = await start();
    service.write("workflows/more.csv", ORDERS.replace("Orders", "More"));
    const told =
      '"More" (more.csv) and "Orders" (orders.csv) have a webhook with the path /orders: "Orders" (orders.csv) keeps it';
    let sent = 0;
    await expect
      .poll(async () => {
        const { status, json } = await send(service, `m${++sent}`);
        expect([status, json?.["graph_name"]]).toEqual([200, "Orders"]);
        return service.log();
      })
      .toContain(told);
    // Once, not with each request.
    await send(service, "again");
    expect(service.log().split(told)).toHaveLength(2);
    service.write("workflows/orders.csv", ORDERS.replace("/orders", "/others"));
    await expect.poll(async () => (await send(service, `m${++sent}`)).json?.["graph_name"]).toBe("More");
  });

  test("tells strangers nothing of its errors", async () => {
    const service = await start();
    service.write("workflows/orders.csv", ORDERS.replace("{item}", "{secret_field}"));
    await expect.poll(async () => (await send(service, "m0")).status).toBe(503);
    const answer = await send(service, "m1");
    expect([answer.status, answer.json?.["code"]]).toEqual([503, "webhook_unusable"]);
    expect(answer.body).not.toContain("secret_field");
  });
});

test("a generated module has the webhook of its sheet", async () => {
  const cwd = createFolder({ "workflows/orders.csv": ORDERS, "flowsheet.yaml": "" });
  expect(await flowsheet(["compile"], { cwd })).toMatchObject({ code: 0 });
  const files = { "generated/orders.gen.ts": readFileSync(join(cwd, "generated", "orders.gen.ts"), "utf8") };
  const service = await start({ files });
  expect((await send(service, "m1")).json?.["state"]).toEqual({ item: "tea", taken: "tea" });
  expect((await send(service, "m2", "another secret")).status).toBe(401);
});
