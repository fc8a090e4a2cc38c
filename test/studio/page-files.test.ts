import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startStudio, type TestStudio } from "./local.js";

const FOLDER = "dist/studio";
const built = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
/** A build without the page has one in its place. */
const names = ["index.html", ...built.filter((name) => !name.endsWith(".gz") && name !== "index.html")];

let studio: TestStudio;
beforeAll(async () => {
  studio = await startStudio();
});
afterAll(() => studio.stop());

const host = (): string => `Host: 127.0.0.1:${studio.port}`;
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types flowsheet";

describe("the files of the page", () => {
  test.each(names)("%s needs no token, and lets nothing else in", async (name) => {
    const isIndex = name === "index.html";
    const { status, headers } = await studio.askBare(`GET /studio/${isIndex ? "" : name}`, [host()]);
    expect(status).toBe(200);
    expect(headers.get("content-security-policy")).toBe(POLICY);
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toMatch(isIndex ? /^no-cache$/ : /immutable/);
    const again = await studio.askBare(`GET /studio/${isIndex ? "" : name}`, [
      host(),
      `If-None-Match: ${headers.get("etag")}`,
    ]);
    expect([again.status, again.body]).toEqual([304, ""]);
  });

  test("comes packed where the browser takes it", async () => {
    const answer = await fetch(`http://127.0.0.1:${studio.port}/studio/`, {
      headers: { "Accept-Encoding": "gzip" },
    });
    expect(await answer.text()).toContain("<title>");
    for (const name of built.filter((one) => one.endsWith(".gz")))
      expect(
        gunzipSync(readFileSync(`${FOLDER}/${name}`)).equals(readFileSync(`${FOLDER}/${name.slice(0, -3)}`)),
      ).toBe(true);
  });
});

test.each(["index.html.gz", "LICENSE", "..", "package.json", "main-.js", ".env"])(
  "there is no file %s",
  async (name) => {
    const { status } = await studio.askBare(`GET /studio/${name}`, [host()]);
    expect([400, 404]).toContain(status);
  },
);
