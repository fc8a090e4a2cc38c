import { join } from "node:path";
import { expect, test } from "vitest";
import { importExtension } from "../../cli/compile/imports.js";
import { createFolder } from "../cli/folder.js";

/** A configuration with one setting of ours, or none, that rests on others. */
const config = (setting: string | null, rests?: string | readonly string[]): string =>
  JSON.stringify({
    ...(rests === undefined ? {} : { extends: rests }),
    compilerOptions: setting === null ? {} : { [setting]: true },
  });
const ALLOW = "allowImportingTsExtensions";
const allowed = config(ALLOW);
const OFF = '{ "compilerOptions": { "allowImportingTsExtensions": false } }';

const cases: readonly (readonly [string, ".js" | ".ts", { readonly [path: string]: string }])[] = [
  ["none", ".js", {}],
  ["the setting", ".ts", { "tsconfig.json": allowed }],
  [
    "a setting that lets both be written",
    ".ts",
    { "tsconfig.json": config("rewriteRelativeImportExtensions") },
  ],
  [
    "comments, trailing commas, a byte order mark",
    ".ts",
    { "tsconfig.json": `\ufeff{ // yes\n "compilerOptions": { /* so */ "${ALLOW}": true, }, }` },
  ],
  [
    "a comment that names it",
    ".js",
    { "tsconfig.json": `{ "compilerOptions": { /* "${ALLOW}": true */ } }` },
  ],
  ["another place than the settings", ".js", { "tsconfig.json": `{ "ts-node": { "${ALLOW}": true } }` }],
  ["a path", ".ts", { "tsconfig.json": config(null, "./base.json"), "base.json": allowed }],
  ["a path without .json", ".ts", { "tsconfig.json": config(null, "./base"), "base.json": allowed }],
  ["a path upwards", ".ts", { "a/tsconfig.json": config(null, "../base"), "base.json": allowed }],
  [
    "a chain, each path from its own file",
    ".ts",
    {
      "tsconfig.json": config(null, "./config/one.json"),
      "config/one.json": config(null, "./two.json"),
      "config/two.json": allowed,
    },
  ],
  [
    "a list, of which the last is right",
    ".js",
    { "tsconfig.json": config(null, ["./on", "./off"]), "on.json": allowed, "off.json": OFF },
  ],
  [
    "a list, of which the last says nothing",
    ".ts",
    { "tsconfig.json": config(null, ["./on", "./none"]), "on.json": allowed, "none.json": config(null) },
  ],
  [
    "an own setting over the one below",
    ".js",
    { "tsconfig.json": `{ "extends": "./on", ${OFF.slice(1)}`, "on.json": allowed },
  ],
  [
    "a package's file",
    ".ts",
    {
      "tsconfig.json": config(null, "@made/up/tsconfig.json"),
      "node_modules/@made/up/tsconfig.json": allowed,
    },
  ],
  [
    "a package with a list of what it exports",
    ".ts",
    {
      "tsconfig.json": config(null, "made-up/strict"),
      "node_modules/made-up/package.json": '{ "exports": { "./strict": "./sets/strict.json" } }',
      "node_modules/made-up/sets/strict.json": allowed,
    },
  ],
  [
    "a package that is not there, and a file that is",
    ".ts",
    { "tsconfig.json": config(null, ["@no/where", "./on"]), "on.json": allowed },
  ],
  [
    "a circle",
    ".ts",
    { "tsconfig.json": config(null, "./other"), "other.json": config(ALLOW, "./tsconfig.json") },
  ],
  ["broken JSON", ".js", { "tsconfig.json": "{" }],
];

test.each(cases)("imports end as tsconfig.json has it: %s", (_, extension, files) => {
  const folder = createFolder({ ...files, "a/b/keep": "" });
  expect(importExtension(join(folder, "a/b/generated"))).toBe(extension);
});

test("the nearest tsconfig.json counts", () => {
  const folder = createFolder({ "tsconfig.json": allowed, "a/tsconfig.json": "{}" });
  expect(importExtension(join(folder, "a/generated"))).toBe(".js");
  expect(importExtension(join(folder, "generated"))).toBe(".ts");
});
