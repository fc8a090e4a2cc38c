import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PROBLEMS } from "../../runtime/http/request/problem.js";
import { routes } from "../../runtime/http/routes/index.js";

const text = readFileSync("docs/http.md", "utf8");

test("docs/http.md lists every code of a problem under its status", () => {
  const listed = [...text.matchAll(/^\| (\d{3}) \| (.+) \|$/gm)].flatMap(([, status, codes = ""]) =>
    [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => `${status} ${code}`),
  );
  const known = Object.entries(PROBLEMS).map(([code, [status]]) => `${status} ${code}`);
  expect([...listed].sort()).toEqual([...known].sort());
});

test("docs/http.md lists every route with its permission", () => {
  const assets = routes.filter(({ publicAs }) => publicAs !== undefined).map(({ path }) => path);
  for (const { method, path, permission, isOpen } of routes) {
    if (assets.includes(path)) continue;
    const shown = path.replace("{file*}", "…").replace("*}", "}");
    const row = text
      .split("\n")
      .find((line) => line.startsWith("|") && line.includes(`\`${method} ${shown}\``));
    expect(row, `${method} ${shown}`).toBeDefined();
    const needed = permission === "read" ? "(?:read|public)" : `${permission} `;
    expect(row).toMatch(new RegExp(`\\| ${isOpen === true ? "none" : needed}`));
  }
});
