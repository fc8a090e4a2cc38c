import { linkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createPromptResolver } from "../../runtime/prompts/resolve.js";
import { createFolder } from "./folder.js";

const resolverOf = (root: string) => createPromptResolver({ root, prompts: join(root, "prompts") });

describe("prompt references", () => {
  const files = {
    "prompts/greeting.md": "\ufeffHello {name}\r\n",
    "prompts/deep/other.txt": "Deep",
    "prompts/latin.txt": Uint8Array.of(0xe9),
    "prompts/prompts.yaml": 'short: Hi {name}\nlong: |\n  One\n  Two\nnumber: 7\n"a b": spaced\n',
    "shared/rules.md": "Rules",
    ".env": "SECRET=1",
    ".hidden/x.md": "hidden",
    "flowsheet.yaml": "workflows: flows",
  };

  test.each([
    ["file", "greeting.md", "Hello {name}\r\n"],
    ["file", "deep/other.txt", "Deep"],
    ["file", "deep/../greeting.md", "Hello {name}\r\n"],
    ["file", "shared/rules.md", "Rules"],
    ["file", "prompts/greeting.md", "Hello {name}\r\n"],
    ["prompt", "short", "Hi {name}"],
    ["prompt", "long", "One\nTwo\n"],
    ["prompt", "a b", "spaced"],
  ] as const)("%s:%s is found", (kind, name, text) => {
    expect(resolverOf(createFolder(files))(kind, name)).toEqual({ text });
  });

  test.each([
    ["file", "", "no file is named"],
    ["file", "missing.md", "there is no such file"],
    ["file", "/etc/passwd", "the path must be relative to the prompts folder"],
    ["file", "../../etc/passwd", "the path leads out of the project"],
    ["file", "a\0b", "that is no path"],
    ["file", "deep", "that is not a file"],
    ["file", "latin.txt", "the file is not UTF-8 text"],
    ["file", "../x.md", "the path leads out of the project"],
    ["file", ".env", expect.stringMatching(/^outside the prompts folder only/)],
    ["file", "flowsheet.yaml", expect.stringMatching(/^outside the prompts folder only/)],
    ["file", ".hidden/x.md", expect.stringMatching(/^outside the prompts folder only/)],
  ] as const)("%s:%s leads nowhere", (kind, name, missing) => {
    expect(resolverOf(createFolder(files))(kind, name)).toEqual({ missing });
  });

  test.each([
    ["missing", 'prompts.yaml has no text "missing"', null],
    ["number", 'prompts.yaml has no text "number"', null],
    ["constructor", 'prompts.yaml has no text "constructor"', null],
    ["shirt", 'prompts.yaml has no text "shirt"; did you mean "short"?', "short"],
  ])("prompt:%s names no text", (name, missing, meant) => {
    expect(resolverOf(createFolder(files))("prompt", name)).toEqual({ missing, meant });
  });

  test("a link does not lead out of the project", () => {
    const outside = createFolder({ "secret.md": "secret" });
    const root = createFolder({ "prompts/a.md": "a" });
    symlinkSync(join(outside, "secret.md"), join(root, "prompts/secret.md"));
    symlinkSync(outside, join(root, "prompts/folder"));
    const resolve = resolverOf(root);
    linkSync(join(outside, "secret.md"), join(root, "prompts/second.md"));
    expect(resolve("file", "second.md")).toEqual({
      missing: "the file has a second name (a hard link), which may be anywhere",
    });
    expect(resolve("file", "secret.md")).toEqual({ missing: "the path leads out of the project" });
    expect(resolve("file", "folder/secret.md")).toEqual({ missing: "the path leads out of the project" });
  });

  test("a project without prompts says so", () => {
    const resolve = resolverOf(createFolder());
    expect(resolve("prompt", "x")).toEqual({ missing: "there is no prompts.yaml in the prompts folder" });
    expect(resolve("file", "x.md")).toEqual({ missing: "there is no such file" });
  });

  test("a broken prompts.yaml is told with its line", () => {
    const resolve = resolverOf(createFolder({ "prompts/prompts.yaml": "a: 1\nb: [\n" }));
    expect(resolve("prompt", "a")).toMatchObject({
      missing: expect.stringMatching(/^prompts\.yaml, line \d+: /),
    });
  });
});
