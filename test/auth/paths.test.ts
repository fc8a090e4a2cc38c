import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createIsPublic, DEFAULT_PUBLIC_PATHS } from "../../runtime/auth/plan/public-endpoints.js";
import { canonicalPath, withoutKey } from "../../runtime/auth/request.js";

const isPublic = createIsPublic([...DEFAULT_PUBLIC_PATHS, "/static/*"]);

/** What becomes of a target without a credential: 400, public, or a credential is asked for. */
function fate(target: string): string {
  const canonical = canonicalPath(target);
  if (!canonical.ok) return "400";
  return isPublic(canonical.path) ? "public" : `asks ${canonical.path}`;
}

describe("a path has one spelling", () => {
  test.each([
    ["H01", "/static/../workflows"],
    ["H02", "/static/%2e%2e/workflows"],
    ["H03", "/static/..%2fworkflows"],
    ["H03", "/static/%2E%2E%2Fworkflows"],
    ["H04", "/static/..%5cworkflows"],
    ["H05", "/static/%252e%252e/workflows"],
    ["H06", "/static/.%2e/workflows"],
    ["H06", "/static/.."],
    ["H07", "//workflows"],
    ["H08", "/static//../workflows"],
    ["H09", "/./workflows"],
    ["H09", "/."],
    ["H13", "/%77orkflows"],
    ["H14", "/%57ORKFLOWS"],
    ["H16", "*"],
    ["H16", "x:1"],
    ["H17", "/health/../workflows"],
    ["H17", "/health%00"],
    ["H17", "/health;x"],
    ["H17", "/health%2f"],
    ["H17", "/health#x"],
    ["H24", "/workflows/%2e%2e%2f%2e%2e%2fetc%2fpasswd"],
    ["H25", "/workflows/%00"],
    ["H25", "/workflows/%ff"],
    ["H25", "/workflows/%"],
    ["H25", "/workflows/%4"],
    ["H25", "/workflows/a%0d%0aX:1"],
    ["H25", "/workflows/%E2%80%A8"],
    ["H25", "/workflows/%C2%85"],
    ["H25", "/workflows/%ED%A0%80"],
    ["", "/a\\b"],
    ["", "/a b"],
    ["", "/é"],
    ["", "/a\u0000"],
    ["", ""],
    ["", "workflows"],
    ["", "http://evil"],
    ["", "http://evil//workflows"],
    ["H15", "http://x%70rivate/health"],
    ["H15", "http://x;acme/health"],
    ["H15", "http://x'acme/health"],
    ["H15", "http://a@b/health"],
    ["", "/health?x=é"],
  ])("%s %s is refused", (_, target) => {
    expect(fate(target)).toBe("400");
  });

  test.each([
    ["H10", "/WORKFLOWS", "asks /WORKFLOWS"],
    ["H11", "/Workflows/", "asks /Workflows/"],
    ["H12", "/workflows/", "asks /workflows/"],
    ["H15", "http://evil/workflows", "asks /workflows"],
    ["H15", "HTTPS://evil/health?x", "public"],
    ["H18", "/health?x=/workflows", "public"],
    ["H18", "/?/workflows", "public"],
    ["H18", "/health?/../x", "public"],
    ["H19", "/static", "asks /static"],
    ["H19", "/static/", "asks /static/"],
    ["H19", "/staticx", "asks /staticx"],
    ["H19", "/static/a.txt", "public"],
    ["H19", "/static/a/b.txt", "public"],
    ["", "/Health", "asks /Health"],
    ["", "/health/", "asks /health/"],
    ["", "/docs/swagger-ui.css", "asks /docs/swagger-ui.css"],
    ["", "/redoc/redoc.js", "asks /redoc/redoc.js"],
    ["", "/docsx", "asks /docsx"],
    ["", "/workflows/caf%C3%A9%20bar", "asks /workflows/caf%C3%A9%20bar"],
    ["", "/workflows/100%25", "asks /workflows/100%25"],
    ["", "/workflows/a..b", "asks /workflows/a..b"],
    ["H25", "/workflows/__proto__", "asks /workflows/__proto__"],
  ])("%s %s: %s", (_, target, answer) => {
    expect(fate(target)).toBe(answer);
  });

  test("an entry opens its path alone; without entries nothing is open", () => {
    expect(createIsPublic(["/docs"])("/docs/salaries")).toBe(false);
    expect(createIsPublic([])("/")).toBe(false);
  });

  test("a canonical path decodes to itself but for what must be encoded", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom("/", ".", "%", "2", "e", "f", "5", "c", "a", "A", ";", "\\", "?"),
        }),
        (text) => {
          const canonical = canonicalPath(`/${text}`);
          if (!canonical.ok) return;
          const decoded = decodeURIComponent(canonical.path);
          // No way leads to another folder, however often it is decoded.
          expect(decoded.split("/")).not.toContain("..");
          expect(decoded.split("/")).not.toContain(".");
          expect(decoded.split("/").length).toBe(canonical.path.split("/").length);
          expect(new URL(canonical.path, "http://x").pathname).toBe(canonical.path);
        },
      ),
    );
  });
});

describe("S02 a target without its key", () => {
  test.each([
    ["/a?api_key=secret", "/a"],
    ["/a?x=1&api_key=secret&y=2", "/a?x=1&y=2"],
    ["/a?api%5Fkey=secret", "/a"],
    ["/a?API_KEY=secret&api_key[]=secret&apikey=secret", "/a"],
    ["/a?%61pi_key=secret&b", "/a?b"],
    ["/a", "/a"],
    ["/a?api_keynote=1", "/a?api_keynote=1"],
  ])("%s", (target, left) => {
    expect(withoutKey(target)).toBe(left);
  });
});
