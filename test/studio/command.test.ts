import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { HELLO } from "../http/service.js";

const BIN = resolve("dist/cli/bin.js");

interface Begun {
  readonly child: ChildProcess;
  readonly address: string;
  readonly text: string;
}

async function studio(
  cwd: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Begun> {
  const child = spawn(process.execPath, [BIN, "studio", ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  for await (const part of child.stdout) {
    text += String(part);
    const address = /^ {2}open +(\S+)$/m.exec(text)?.[1];
    if (address !== undefined) return { child, address, text };
  }
  throw new Error(`the Studio did not start: ${text}`);
}

async function sheetsAt(address: string): Promise<readonly string[]> {
  const { origin, hash } = new URL(address);
  const token = new URLSearchParams(hash.slice(1)).get("token");
  const answer = await fetch(`${origin}/studio/api/sheets`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return ((await answer.json()) as { readonly name: string }[]).map(({ name }) => name);
}

describe("flowsheet studio", () => {
  test("listens at this machine alone, prints its address, and ends well", async () => {
    const cwd = createFolder({ "flowsheet.yaml": "", "workflows/team/hello.csv": HELLO });
    const { child, address, text } = await studio(cwd, ["workflows/team/hello.csv"]);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/studio\/#token=[\w-]{43}&at=team%2Fhello\.csv$/);
    expect(text).toContain("1 in workflows");
    expect(await sheetsAt(address)).toEqual(["team/hello.csv"]);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("tells its terminal of requests that are refused, and of no others", async () => {
    const cwd = createFolder({ "hello.csv": HELLO });
    const { child, address } = await studio(cwd);
    let told = "";
    child.stderr?.on("data", (part) => {
      told += String(part);
    });
    await sheetsAt(address);
    await fetch(new URL("/studio/api/sheets", address));
    child.kill("SIGTERM");
    await once(child, "close");
    expect(told.match(/GET \S+ \d+/g)).toEqual(["GET /studio/api/sheets 401"]);
  });

  test("without a configuration it shows the sheets of the folder, and not those below", async () => {
    const cwd = createFolder({ "hello.csv": HELLO, "below/other.csv": HELLO, "table.csv": "a,b\n1,2\n" });
    const { child, address } = await studio(cwd);
    expect(await sheetsAt(address)).toEqual(["hello.csv"]);
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("shows a sheet that lies elsewhere with those beside it", async () => {
    const cwd = createFolder({ "flowsheet.yaml": "", "workflows/hello.csv": HELLO, "drafts/new.csv": HELLO });
    const { address } = await studio(cwd, ["drafts/new.csv"]);
    expect(address).toContain("&at=new.csv");
    expect(await sheetsAt(address)).toEqual(["new.csv"]);
  });

  test("shows the sheets of a folder; one of the project shows all of it", async () => {
    const files = {
      "workflows/team/hello.csv": HELLO,
      "workflows/other.csv": HELLO,
      "drafts/new.csv": HELLO,
    };
    const cwd = createFolder({ "flowsheet.yaml": "", ...files });
    const of = async (operand: string) => sheetsAt((await studio(cwd, [operand])).address);
    const all = ["other.csv", "team/hello.csv"];
    expect(await Promise.all([of("drafts"), of("workflows/team"), of(".")])).toEqual([["new.csv"], all, all]);
  });

  test("begins with a sheet of a workbook", async () => {
    const cwd = createFolder({ "flowsheet.yaml": "" });
    mkdirSync(join(cwd, "workflows"));
    copyFileSync("test/workbook/written/exceljs.xlsx", join(cwd, "workflows/support.xlsx"));
    const { address } = await studio(cwd, ["workflows/support.xlsx"]);
    const at = new URLSearchParams(new URL(address).hash.slice(1)).get("at");
    expect(await sheetsAt(address)).toContain(at);
  });

  test("gives the browser a code in place of the token", async () => {
    const cwd = createFolder({
      "hello.csv": HELLO,
      "bin/xdg-open": '#!/bin/sh\nprintf %s "$1" > opened.txt\n',
    });
    chmodSync(join(cwd, "bin/xdg-open"), 0o755);
    const { address } = await studio(cwd, ["--open"], { PATH: `${join(cwd, "bin")}:${process.env["PATH"]}` });
    const opened = join(cwd, "opened.txt");
    await expect
      .poll(() => existsSync(opened) && readFileSync(opened, "utf8"))
      .toMatch(/\/studio\/#code=[\w-]{43}$/);
    expect(readFileSync(opened, "utf8")).not.toContain(/#token=([\w-]+)/.exec(address)?.[1]);
  });

  test.each([
    [["--host", "0.0.0.0"], "--host"],
    [["--port", "x"], "--port takes a whole number"],
    [["none.csv"], "cannot open none.csv: there is no such file"],
    [["support.csv"], "did you mean workflows/support.csv?"],
    [["hello.test.csv"], "is no sheet"],
    [["own"], "own is a project of its own\n  = help: flowsheet studio --cwd own shows it"],
  ])("%j is refused", async (args, message) => {
    const files = { "own/flowsheet.yaml": "", "workflows/support.csv": HELLO };
    const cwd = createFolder({ "flowsheet.yaml": "", "hello.csv": HELLO, ...files });
    writeFileSync(join(cwd, "hello.test.csv"), "");
    const { code, stderr } = await flowsheet(["studio", ...args], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
