import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { describeStudio, type StudioStage } from "../page/stage.js";

const PLAIN = "graph,node,next,agent\nPlain,Only,,echo\n";
const BIG = "x".repeat(1024 * 1024);
const HOSTILE = `graph,node,next,agent,inputs,output,prompt
__proto__,constructor,toString,echo,who,polluted,<img src=x onerror=alert(1)> {who}
__proto__,toString,valueOf,echo,polluted,a,"<script>alert(1)</script>\u202e{polluted}"
__proto__,valueOf,,echo,a,b,${BIG}
constructor,__proto__,,echo,who,x,{who}
`;

/** A secret as it might be written somewhere. */
const formsOf = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString("base64"), bytes.toString("base64url"), bytes.toString("hex")];
};

/** The page of somebody else, at another address of this machine. */
async function startForeign(html: string): Promise<string> {
  const server = createServer((_request, answer) => {
    answer.setHeader("Content-Type", "text/html");
    answer.end(html);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const sheetOf = ({ studio }: StudioStage): string =>
  readFileSync(join(studio.folder, "workflows", "plain.csv"), "utf8");

const files = { "workflows/plain.csv": PLAIN, "workflows/hostile.csv": HOSTILE };

describeStudio("attacks", { files }, (stage) => {
  test("a page of somebody else frames nothing, sends nothing and reads nothing", async () => {
    const { port, secret } = stage.studio;
    const own = `http://127.0.0.1:${port}`;
    const foreign = await startForeign(`<!doctype html>
      <iframe src="${own}/studio/#token=${secret.token}"></iframe>
      <form method="post" enctype="text/plain" action="${own}/studio/api/sheets/plain.csv" target="sink"><input name="a" value="b"></form>
      <iframe name="sink"></iframe>`);
    const page = await stage.visit(foreign, { allows: /asks |CORS|ERR_|frame|403|401|405|415/i });
    const script = (token: string, path: string, init: string): string =>
      `fetch("${own}${path}", { ...${init}, headers: { Authorization: "Bearer ${token}", "Content-Type": "application/json" } })
        .then((answer) => "read " + answer.status, () => "nothing")`;
    // Even with the token, as if it had leaked.
    expect(await page.evaluate(script(secret.token, "/studio/api/sheets/plain.csv", "{}"))).toBe("nothing");
    const put = `{ method: "PUT", body: "graph,node\\n" }`;
    expect(await page.evaluate(script(secret.token, "/studio/api/sheets/plain.csv", put))).toBe("nothing");
    const plain = `fetch("${own}/studio/api/sheets/plain.csv", { mode: "no-cors", method: "POST", body: "{}" })
      .then(({ type }) => type, () => "nothing")`;
    expect(await page.evaluate(plain)).toMatch(/opaque|nothing/);
    await page.evaluate("document.forms[0].submit()");
    await page.waitForLoadState("networkidle");
    const shown = await Promise.all(
      page.frames().map((frame) => frame.evaluate("document.querySelectorAll('.top, .rail').length")),
    );
    expect(shown.every((count) => count === 0)).toBe(true);
    expect(sheetOf(stage)).toBe(PLAIN);
  });

  test("names of JavaScript's own, markup, marks of direction and a cell of 1 MB are text", async () => {
    const page = await stage.open("hostile.csv", { allows: /422/ });
    await page.getByRole("img", { name: "__proto__: 3 nodes, from constructor" }).waitFor();
    await page.getByRole("gridcell", { name: "valueOf", exact: true }).first().click();
    await page.getByRole("tab", { name: "Run" }).click();
    await page.getByLabel("who", { exact: true }).fill("Ada");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    // These names are reserved, so nothing runs.
    await page
      .getByRole("status")
      .filter({ hasText: /^Not run$/ })
      .waitFor();
    await page.getByRole("gridcell", { name: "<img src=x onerror=alert(1)> {who}" }).first().waitFor();
    expect(await page.locator("img, script:not([src])").count()).toBe(0);
    expect(await page.evaluate("({}).polluted === undefined && Object.prototype.who === undefined")).toBe(
      true,
    );
  });

  test("S01 the token is in no file and no log, in whatever form", async () => {
    const { folder, secret, log } = stage.studio;
    const page = await stage.open("plain.csv");
    await page.getByRole("gridcell", { name: "Only", exact: true }).waitFor();
    expect(page.url()).not.toContain(secret.token);
    expect(
      await page.evaluate("document.cookie + JSON.stringify(localStorage) + document.referrer"),
    ).not.toContain(secret.token);
    const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(found.length).toBeGreaterThan(2);
    const texts = found.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
    for (const form of formsOf(secret.token))
      for (const text of [...texts, log()]) expect(text.includes(form)).toBe(false);
  });
});
