import type { ChildProcess } from "node:child_process";
import { describe, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess } from "../cli/process.js";
import { flowsheet } from "../cli/run.js";
import { CLEAN } from "../cli/sheets.js";
import { AGENTS, PARTS } from "./sheets.js";

const folder = (sheet: string): string => createFolder({ "a.csv": sheet, "agents/own.ts": AGENTS });
const script = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
const sheet = (...rows: readonly string[]): string =>
  `graph,node,next_node,agent,inputs,output,prompt,context\n${script(...rows)}`;

/** The nodes in the order in which the transcript names them. */
const stops = (transcript: string): readonly string[] =>
  [...transcript.matchAll(/^\d+\. (.+?) {2}(?!is done)/gm)].map(([, node = ""]) => node);

const started = ["--graph", "Main", "--input", "name=Ada", "--input", 'items=["x","y"]'];

describe("a script", () => {
  test("goes into branches, items and sub-graphs, one after the other; the run ends as it does without a debugger", async () => {
    const cwd = folder(PARTS);
    const debugged = await flowsheet(["debug", "a.csv", ...started], { cwd, input: "c\n" });
    const run = await flowsheet(["run", "a.csv", ...started, "--json"], { cwd });
    expect(stops(debugged.stdout)).toEqual([
      ...["Begin", "Left", "Left2", "Right", "Join", "Each", "Each[0]/Greet", "Each[1]/Greet"],
      ...["Call", "Call/Greet", "Bad", "Rescue"],
    ]);
    expect([debugged.code, debugged.stderr]).toEqual([0, ""]);
    const { state, path } = JSON.parse(run.stdout) as { state: object; path: readonly string[] };
    expect(debugged.stdout).toContain(`completed after 10 steps: ${path.join(" > ")}\n`);
    const shown = debugged.stdout.slice(debugged.stdout.indexOf("\n{\n"));
    expect(JSON.parse(shown)).toEqual(state);
  });

  test("says what became of a visit, which fields are new or changed, and where it leads", async () => {
    const { stdout } = await flowsheet(["debug", "a.csv", ...started], { cwd: folder(PARTS), input: "c\n" });
    expect(stdout).toContain('   success\n   + greeting  "Hello Ada"\n   → Left | Right\n');
    expect(stdout).toContain('7. Call  is done\n   success\n   ~ greeting  "Hello Ada" → "ADA"\n   → Bad\n');
    expect(stdout).toContain('   failure: no luck\n   + error  "no luck"\n   → Rescue\n');
    expect(stdout).toContain("4. Right  slow  branch 2\n");
  });

  test("set changes the branch that is stopped, and no other", async () => {
    const { stdout } = await flowsheet(["debug", "a.csv", ...started, "--break", "Right"], {
      cwd: folder(PARTS),
      input: script("n", 'set name="Eve"', "state", "c", "state name", "set l=1", "state", "c"),
    });
    expect(stdout).toContain('~ name  "Ada" → "Eve"\n   inputs  {"name":"Eve"}\n');
    expect(stdout).toContain('+ l  "EVE"');
    expect(stdout).toContain('> state name\n"Ada"\n');
    expect(stdout).toContain("   + l         1\n");
    // Written by both branches: the later one of the list counts.
    expect(stdout).toContain('+ both  "EVE! ADA"');
  });

  test("breaks stop `continue`, by a node's own name or by its whole one", async () => {
    const input = script(
      "c",
      "where",
      "break",
      "clear Greet",
      "break Call/Greet",
      "c",
      "where",
      "clear",
      "c",
    );
    const { stdout, code } = await flowsheet(["debug", "a.csv", ...started, "--break", "Greet"], {
      cwd: folder(PARTS),
      input,
    });
    expect([...stdout.matchAll(/^ {3}node {4}(.*)$/gm)].map(([, node]) => node)).toEqual([
      "Each[0]/Greet, visit 1, step 6",
      "Call/Greet, visit 1, step 7",
    ]);
    expect(stdout).toContain("   graph   Sub\n");
    expect([...stdout.matchAll(/^ {3}breaks {2}(.*)$/gm)].map(([, names]) => names)).toEqual([
      ...["Greet", "Greet", "none", "Call/Greet", "Call/Greet", "none"],
    ]);
    expect(code).toBe(0);
  });

  test("answers what a node waits for, until it fits", async () => {
    const cwd = folder(
      sheet("G,Ask,Tell,input,,count:number,How many?,", "G,Tell,,echo,count,told,{count} it is,"),
    );
    const input = script("n", "n", "answer many", "state", "answer 7", "c");
    const { stdout, stderr, code } = await flowsheet(["debug", "a.csv"], { cwd, input });
    expect(stdout).toContain('   Ask waits for "count": How many?\n> n\n   Ask waits: answer it first\n');
    expect(stdout).toMatch(
      /> answer many\n {3}expected a number.*\n> state\n {3}no field is set\n> answer 7\n/,
    );
    expect(stdout).toContain('"told": "7 it is"');
    expect(stderr).toContain("error: 1 command of the script could not be done");
    expect(code).toBe(2);
  });

  test("an answer that does not fit and is the last: 2, and an approval names what it offers", async () => {
    const cwd = folder(
      sheet("G,Ask,Tell,human,,verdict,Send it?,", "G,Tell,,echo,verdict,told,It is {verdict},"),
    );
    const ended = await flowsheet(["debug", "a.csv"], { cwd, input: script("n", "answer maybe", "state") });
    expect(ended.stdout).toContain("> answer maybe\n   expected one of approve, reject\n");
    expect(ended.stderr).toContain("error: 1 command of the script could not be done");
    expect(ended.code).toBe(2);
    const quit = await flowsheet(["debug", "a.csv"], { cwd, input: script("n", "answer maybe", "q") });
    expect([quit.code, quit.stderr]).toEqual([0, ""]);
  });

  test("a break that is not there is refused, and nothing else is said", async () => {
    const { stdout, code } = await flowsheet(["debug", "a.csv"], {
      cwd: folder(CLEAN),
      input: script("clear Nope", "q"),
    });
    expect(stdout).toContain('> clear Nope\n   there is no break at "Nope"\n> q\n');
    expect(code).toBe(2);
  });

  test("an empty line repeats; what is no command says so and changes nothing", async () => {
    const input = script(
      "",
      "answer Ada",
      "stat",
      "set question=Ada",
      "set __proto__=1",
      "set qestion=1",
      "",
      "",
    );
    const { stdout, stderr, code } = await flowsheet(["debug", "a.csv"], { cwd: folder(CLEAN), input });
    expect(stdout).toContain('there is no command "stat"; did you mean "state"?');
    expect(stdout).toContain('"Ada" is no JSON; text stands in quotes: set question="Ada"');
    expect(stdout).toContain('"__proto__" cannot be the name of a field');
    expect(stdout).toContain('no node reads or writes "qestion"; did you mean "question"?');
    expect(stdout).toContain('"answer": "You asked: Ada"');
    expect(stderr).toContain("error: 3 commands of the script could not be done\n");
    expect(code).toBe(2);
  });

  test("every command of the help is one", async () => {
    const cwd = folder(CLEAN);
    const { stdout } = await flowsheet(["debug", "a.csv"], { cwd, input: "help\nq\n" });
    const list = stdout.slice(stdout.indexOf("> help"), stdout.indexOf("> q"));
    const words = [...list.matchAll(/^ {3}(\w+)(?:, (\w))?\b/gm)].flatMap(([, word, short]) => [word, short]);
    const commands = words.filter((word) => word !== undefined);
    expect(commands).toHaveLength(16);
    // Those that end something come last.
    const last = ["next", "n", "continue", "c", "quit", "q"];
    const input = script(...commands.filter((word) => !last.includes(word)), ...last);
    const said = await flowsheet(["debug", "a.csv", "--input", "question=x"], { cwd, input });
    expect(said.stdout).not.toContain("there is no command");
    // `set` and `answer` stand there without what they need.
    expect(said.code).toBe(2);
  });

  test("windows line ends, and a last line without one", async () => {
    const { code } = await flowsheet(["debug", "a.csv"], { cwd: folder(CLEAN), input: "n\r\nanswer x\r\nc" });
    expect(code).toBe(0);
  });
});

describe("how it ends", () => {
  test("quit: 0, and the run goes no further", async () => {
    const { stdout, stderr, code } = await flowsheet(["debug", "a.csv"], {
      cwd: folder(CLEAN),
      input: "q\n",
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.endsWith("> q\n")).toBe(true);
  });

  test("the commands end before the run: 0, with a note", async () => {
    for (const input of ["", "n\n"]) {
      const { stderr, code } = await flowsheet(["debug", "a.csv"], { cwd: folder(CLEAN), input });
      expect([code, stderr]).toEqual([
        0,
        "note: the commands have ended before the run: it goes no further\n",
      ]);
    }
  });

  test("a run that fails: 1, with the cell, the attempts before it, and no secret", async () => {
    const cwd = folder(sheet('G,A,B,flaky,,x,,"{""retry"":3}"', "G,T,,tell,,t,,", "G,B,,boom,,y,,"));
    const env = { SHOP_TOKEN: "s3cr3t-value" };
    const { stdout, stderr, code } = await flowsheet(["debug", "a.csv"], { cwd, env, input: "c\n" });
    expect(stdout).toContain(
      "   attempt 1 failed: not yet\n   attempt 2 failed: not yet\n   success, attempt 3\n",
    );
    expect(stdout).toContain(
      "   thrown: boom [redacted]\n   → the run fails\n\nfailed after 2 steps: A > B\n",
    );
    expect(stderr).toContain(
      "error agent_failed: boom [redacted]\n  --> a.csv:4   cell D4 · graph G · node B\n",
    );
    expect(code).toBe(1);
    expect(stdout + stderr).not.toContain("s3cr3t");
  });

  test("values of secret variables are not shown in fields, inputs and prompts", async () => {
    const cwd = folder(sheet("G,A,B,tell,,x,,", "G,B,,echo,x,y,{x},"));
    const env = { SHOP_TOKEN: "s3cr3t-value" };
    const input = script("n", "state", "state x", "set x=1", "q");
    const { stdout } = await flowsheet(["debug", "a.csv"], { cwd, env, input });
    expect(stdout).toContain("[redacted]");
    expect(stdout).not.toContain("s3cr3t");
  });

  test("an agent that never answers is told, when nothing is left that could end it", async () => {
    const cwd = folder(sheet("G,A,,never,,x,,"));
    const { stderr, code } = await flowsheetProcess(["debug", "a.csv"], { cwd, input: "n\n" });
    expect(stderr).toContain("an agent never finished");
    expect(code).toBe(1);
  });

  test("Ctrl-C: 130, while it waits for a command", async () => {
    const ended = await flowsheetProcess(["debug", "a.csv"], {
      cwd: folder(CLEAN),
      input: null,
      started: (child) => onText(child, "Ask", () => child.kill("SIGINT")),
    });
    expect([ended.code, ended.signal]).toEqual([130, null]);
    expect(ended.stdout).toContain("cancelled after 1 step: Ask\n");
  });

  test("Ctrl-C: 130, also behind a command that could not be done", async () => {
    const ended = await flowsheetProcess(["debug", "a.csv"], {
      cwd: folder(CLEAN),
      input: null,
      started: (child) => {
        onText(child, "no node is called", () => child.kill("SIGINT"));
        child.stdin?.write("break Nope\n");
      },
    });
    expect([ended.code, ended.signal]).toEqual([130, null]);
    expect(ended.stderr).toContain("1 command of the script could not be done");
  });

  test("Ctrl-C: 130, while an agent does not pause", async () => {
    const ended = await flowsheetProcess(["debug", "a.csv"], {
      cwd: folder(sheet("G,A,,loop,,x,,")),
      input: null,
      started: (child) => {
        onText(child, "> n", () => setTimeout(() => child.kill("SIGINT"), 500));
        child.stdin?.write("n\n");
      },
    });
    expect([ended.code, ended.signal]).toEqual([130, null]);
    expect(ended.stderr).toContain("an agent does not pause");
  });
});

test("another program leads it through a pipe: each stop is there before the next command", async () => {
  let seen = "";
  const ended = await flowsheetProcess(["debug", "a.csv"], {
    cwd: folder(CLEAN),
    input: null,
    started: (child) => {
      const replies = [
        ["1. Ask", "n\n"],
        ["waits", "answer Ada\n"],
        ["2. Answer", "n\n"],
      ] as const;
      let next = 0;
      child.stdout?.on("data", (chunk: Buffer) => {
        seen += chunk.toString();
        const reply = replies[next];
        if (reply === undefined || !seen.includes(reply[0])) return;
        next += 1;
        child.stdin?.write(reply[1]);
      });
    },
  });
  expect([ended.code, ended.stderr]).toEqual([0, ""]);
});

describe("wrong usage: 2, and nothing is run", () => {
  test.each([
    [["--break", "Anwser"], 'no node is called "Anwser"', 'did you mean "Answer"?'],
    [["--input", "__proto__=1"], '"__proto__" cannot be the name of a field', ""],
    [["--state", "-"], "standard input is where the debugger reads its commands", "name the sheet's file"],
    [["--graph", "Suport"], 'a.csv has no graph "Suport"', 'did you mean "Support"?'],
  ] as const)("%j", async (args, message, help) => {
    const { stdout, stderr, code } = await flowsheet(["debug", "a.csv", ...args], {
      cwd: folder(CLEAN),
      input: "q\n",
    });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect(stderr).toContain(help);
  });

  test("a sheet with errors: 1, its diagnostics", async () => {
    const cwd = folder(CLEAN.replace(",Answer,,input", ",Anwser,,input"));
    const { stdout, stderr, code } = await flowsheet(["debug", "a.csv"], { cwd, input: "n\n" });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("error unknown-node");
  });

  test("the sheet on standard input", async () => {
    const { code, stderr } = await flowsheet(["debug", "-"], { input: CLEAN });
    expect([code, stderr.split("\n", 1)[0]]).toEqual([
      2,
      "error: standard input is where the debugger reads its commands",
    ]);
  });
});

/** Calls back once, when a text is in what the program has printed. */
function onText({ stdout }: ChildProcess, text: string, then: () => void): void {
  let said = "";
  let done = false;
  stdout?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    if (done || !said.includes(text)) return;
    done = true;
    then();
  });
}
