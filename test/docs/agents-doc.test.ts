import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { expectation } from "../../compiler/2-analyze/settings/shapes.js";
import { agentFacts } from "../../runtime/agents/facts.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

const text = readFileSync("docs/agents.md", "utf8");

/** A fenced block: its language, and the path of its file where it names one, as in ```` ```csv data/orders.csv ````. */
interface Block {
  readonly language: string;
  readonly path: string;
  readonly content: string;
}

/** A sheet, the files beside it, and what is run: each command with the output that follows it. */
interface Example {
  readonly sheet: string;
  readonly files: { readonly [path: string]: string };
  readonly commands: readonly { readonly lines: readonly string[]; readonly output: Block }[];
}

const blocks: readonly Block[] = [...text.matchAll(/^```(\w+)(?: +(\S+))?\n(.*?)^```$/gms)].map(
  ([, language = "", path = "", content = ""]) => ({ language, path, content }),
);

/** Every sheet begins an example. Blocks with a path are files of the example that follows or surrounds them. */
function examplesIn(all: readonly Block[]): readonly Example[] {
  const examples: {
    sheet: string;
    files: Record<string, string>;
    commands: Example["commands"][number][];
  }[] = [];
  let files: Record<string, string> = {};
  all.forEach((block, index) => {
    const current = examples.at(-1);
    if (block.path !== "") files[block.path] = block.content;
    else if (block.language === "csv") {
      examples.push({ sheet: block.content, files, commands: [] });
      files = {};
    } else if (block.language === "sh" && current !== undefined) {
      const output = all[index + 1];
      if (output !== undefined && (output.language === "json" || output.language === "text"))
        current.commands.push({ lines: block.content.trim().split("\n"), output });
    }
  });
  return examples;
}

/** The words of a command line, as a shell cuts them. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ""),
  );

const examples = examplesIn(blocks);

describe("docs/agents.md", () => {
  test("has examples that are run", () => {
    expect(examples.length).toBeGreaterThan(8);
    expect(examples.filter(({ commands }) => commands.length === 0).map(({ sheet }) => sheet)).toEqual([]);
  });

  test.each(examples.map((example) => [example.commands[0]?.lines[0] ?? "", example] as const))(
    "%s",
    async (_, { sheet, files, commands }) => {
      const name = /\S+\.csv/.exec(commands[0]?.lines.join("\n") ?? "")?.[0] ?? "sheet.csv";
      const cwd = createFolder({ ...files, [name]: sheet });
      const checked = await flowsheet(["validate", name, "--strict"], { cwd });
      expect(checked.stderr + checked.stdout).toContain("no problems");
      for (const { lines, output } of commands) {
        let said = "";
        for (const line of lines) {
          const [program, ...args] = wordsOf(line);
          expect(program).toBe("flowsheet");
          const { stdout, stderr } = await flowsheet(args, { cwd });
          said = stdout === "" ? stderr : stdout;
        }
        if (output.language === "json") expect(JSON.parse(said)).toEqual(JSON.parse(output.content));
        else expect(said.trim()).toBe(output.content.trim());
      }
    },
  );
});

const facts = new Map(agentFacts.map((one) => [one.type, one]));
const models = Object.keys(facts.get("llm")?.settings ?? {});

/** The sections by the agents that their titles name. */
const sections = text
  .split(/^## /m)
  .slice(1)
  .flatMap((section) => {
    const [title = ""] = section.split("\n", 1);
    return [...title.matchAll(/`(\w+)`/g)].map(([, type = ""]) => ({ type, section }));
  });

describe("the tables of settings", () => {
  test("every section is one of a built-in agent", () => {
    expect(sections.filter(({ type }) => !facts.has(type)).map(({ type }) => type)).toEqual([]);
  });

  test.each(sections)("$type: all of its settings, with what they hold", ({ type, section }) => {
    const table = section.slice(Math.max(0, section.indexOf("| setting |")));
    const rows = section.includes("| setting |")
      ? [...table.matchAll(/^\| `(\w+)` \| ([^|]+?) \|/gm)].map(([, name = "", value = ""]) => [name, value])
      : [];
    const known = Object.entries(facts.get(type)?.settings ?? {});
    // A section may refer to that of the models.
    const refers = type !== "llm" && /all settings of (?:\[)?`llm`/.test(section);
    const own = known.filter(([name]) => !(refers && models.includes(name)));
    expect(rows).toEqual(own.map(([name, shape]) => [name, expectation(shape)]));
  });
});
