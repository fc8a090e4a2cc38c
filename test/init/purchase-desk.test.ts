import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { findDriver } from "../../runtime/durable/sqlite/driver.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { type RawAnswer, request } from "../http/raw.js";
import { authentication, KEYS, startService, type TestService } from "../http/service.js";
import { listenForMail, type MailServer } from "../net/mail-server.js";

const SECRET = "the secret of the desk, long enough";
const env = { PURCHASE_SECRET: SECRET };

afterEach(() => {
  vi.useRealTimers();
});

const json = "Content-Type: application/json";

function send({ port }: TestService, id: string, price: number, key = SECRET): Promise<RawAnswer> {
  const wish = {
    requester: "Ada",
    email: "ada@example.com",
    item: "chairs",
    count: 2,
    price,
    by: "the boss",
  };
  const body = JSON.stringify(wish);
  const at = Math.floor(Date.now() / 1_000);
  const signature = createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64");
  const proof = [`webhook-id: ${id}`, `webhook-timestamp: ${at}`, `webhook-signature: v1,${signature}`];
  return request(port, "POST /hooks/purchases", [...proof, json], body);
}

async function ended({ port }: TestService, id: unknown): Promise<Readonly<Record<string, unknown>>> {
  const get = async () => (await request(port, `GET /runs/${String(id)}`, [`X-API-Key: ${KEYS.admin}`])).json;
  await expect
    .poll(async () => (await get())?.["status"], { timeout: 120_000 })
    .not.toMatch(/queued|running/);
  return (await get()) ?? {};
}

const answer = ({ port }: TestService, id: unknown, key: string, verdict: object | string) =>
  request(
    port,
    `POST /runs/${String(id)}/resume`,
    [`X-API-Key: ${key}`, json],
    JSON.stringify({ answers: { Approve: verdict } }),
  );

/** The project of the template, with the port of this mail server, and keys of which one is a manager's. */
async function openDesk(mails: MailServer): Promise<TestService> {
  const folder = createFolder();
  expect(await flowsheet(["init", ".", "--template", "purchase-desk"], { cwd: folder })).toMatchObject({
    code: 0,
  });
  const written = readFileSync(join(folder, "flowsheet.yaml"), "utf8").replaceAll("2525", String(mails.port));
  const keys = authentication().replace("user_id: executor\n", "user_id: executor\n      roles: [manager]\n");
  const service = await startService({ folder, files: {}, config: `${written}\n${keys}`, env });
  onTestFinished(() => service.stop());
  return service;
}

test("the purchase desk: message, table, approval, database, mails, and the report of the night", async () => {
  // The report is of the day on which the purchases were made.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2027-03-01T12:00:00Z") });
  await using mails = await listenForMail();
  const service = await openDesk(mails);

  const forged = await send(service, "p0", 30, "another secret");
  expect([forged.status, forged.json?.["code"]]).toEqual([401, "signature_invalid"]);

  const small = await send(service, "p1", 30);
  expect(small.status).toBe(202);
  expect(await ended(service, small.json?.["run_id"])).toMatchObject({ status: "completed" });
  expect((await send(service, "p1", 30)).json?.["run_id"]).toBe(small.json?.["run_id"]);

  const [large, refused] = [await send(service, "p2", 300), await send(service, "p3", 400)];
  const asked = await ended(service, large.json?.["run_id"]);
  expect(asked).toMatchObject({ status: "waiting" });
  expect(asked["waiting"]).toMatchObject([
    { node: "Approve", prompt: "May Ada buy 2 x chairs for 600?", assignee: ["role:manager"] },
  ]);
  await ended(service, refused.json?.["run_id"]);
  const stranger = await answer(service, large.json?.["run_id"], KEYS.developer, "yes");
  expect(stranger.status).toBe(403);
  const yes = await answer(service, large.json?.["run_id"], KEYS.executor, "yes");
  expect(yes.json).toMatchObject({ status: "completed", state: { by: "executor", changes: 1 } });
  const no = await answer(service, refused.json?.["run_id"], KEYS.executor, {
    answer: "no",
    comment: "Next year.",
  });
  expect(no.json).toMatchObject({ status: "completed", path: ["Terms", "IsSmall", "Approve", "Refuse"] });

  const db = findDriver().open(join(service.folder, "data/desk.db"));
  const columns = "day, requester, item, count, total, approved_by";
  expect(db.prepare(`SELECT ${columns} FROM purchases ORDER BY total`).all()).toEqual([
    { day: "2027-03-01", requester: "Ada", item: "chairs", count: 2, total: 60, approved_by: "nobody" },
    { day: "2027-03-01", requester: "Ada", item: "chairs", count: 2, total: 600, approved_by: "executor" },
  ]);
  db.close();
  await service.stop();

  const night = ["work", "--drain", "--now", "2027-03-01T22:00:00Z", "--quiet"];
  for (let again = 0; again < 2; again++)
    expect(await flowsheet(night, { cwd: service.folder, env })).toMatchObject({ code: 0 });
  const noon = ["work", "--drain", "--now", "2027-03-01T12:00:00Z", "--quiet"];
  expect(await flowsheet(noon, { cwd: service.folder, env })).toMatchObject({ code: 0 });
  const shown = mails.mails.map(({ text }) => [
    /^Subject: (.*)$/m.exec(text)?.[1],
    text.split("\n\n")[1]?.trim(),
  ]);
  expect(shown).toEqual([
    ["Ordered: chairs", "Dear Ada, 2 x chairs for 60 is ordered."],
    ["Ordered: chairs", "Dear Ada, 2 x chairs for 600 is ordered."],
    ["Not ordered: chairs", "Dear Ada, chairs cannot be ordered. Next year."],
    ["Purchases of 2027-03-01", "Bought on 2027-03-01: Ada: 2 x chairs, 600; Ada: 2 x chairs, 60"],
  ]);
});

test("whoever does not answer gets a mail each day with the way to the question, and after three a director may", async () => {
  const start = Date.parse("2027-03-01T12:00:00Z");
  const DAY = 86_400_000;
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  await using mails = await listenForMail();
  const service = await openDesk(mails);
  const { json } = await send(service, "p1", 300);
  const id = String(json?.["run_id"]);
  expect(await ended(service, id)).toMatchObject({ status: "waiting" });
  for (const day of [1, 2]) {
    vi.setSystemTime(start + day * DAY);
    await expect.poll(() => mails.mails.length, { timeout: 120_000 }).toBe(day);
  }
  const [first, second] = mails.mails.map(({ text }) => text);
  expect(first).toMatch(/^Subject: A purchase waits for you$/m);
  expect(first).toMatch(/^To: managers@example.com$/m);
  expect(first?.split("\n\n")[1]?.trim()).toBe(
    `May Ada buy 2 x chairs for 600?\nhttp://127.0.0.1:8000/studio/#/inbox/${id}`,
  );
  const idOf = (text = ""): string | undefined => /^Message-ID: (.*)$/m.exec(text)?.[1];
  expect(idOf(first)).not.toBe(idOf(second));
  // The page that the address leads to.
  const page = await request(service.port, "GET /studio/", [], "");
  expect([page.status, page.body]).toEqual([200, expect.stringContaining("<html")]);
  vi.setSystemTime(start + 3 * DAY);
  const asked = async () => (await ended(service, id))["waiting"];
  await expect
    .poll(asked, { timeout: 120_000 })
    .toMatchObject([{ assignee: ["role:manager", "role:director"] }]);
});

test.each([
  [["work", "--now", "2027-03-01T22:00:00Z"], "--now goes with --drain"],
  [["work", "--drain", "--now", "tonight"], '--now takes a time such as 2026-11-23T22:00:00Z, not "tonight"'],
])("%j", async (words, message) => {
  const { code, stderr } = await flowsheet(words, { cwd: createFolder({ "flowsheet.yaml": "" }) });
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
