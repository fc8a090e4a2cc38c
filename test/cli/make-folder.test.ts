import { existsSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder } from "../../compiler/files/make-folder.js";
import { createFolder } from "./folder.js";
import { flowsheetProcess } from "./process.js";
import { flowsheet } from "./run.js";

const make = async (path: string, mode?: number): Promise<void> => makeFolder(path, mode);

describe("makeFolder", () => {
  test("makes all that is missing, with its mode, and leaves alone what is there", async () => {
    const root = createFolder();
    await make(join(root, "a"));
    await make(join(root, "a/b/c/"), 0o700);
    writeFileSync(join(root, "a/b/c/file"), "");
    await make(join(root, "a/b/c"));
    expect(readdirSync(join(root, "a/b/c"))).toEqual(["file"]);
    expect(["a/b", "a/b/c"].map((path) => statSync(join(root, path)).mode & 0o777)).toEqual([0o700, 0o700]);
    await make("/");
  });

  test("goes through links to folders", async () => {
    const root = createFolder({ "real/keep": "" });
    symlinkSync(join(root, "real"), join(root, "link"));
    await make(join(root, "link"));
    await make(join(root, "link/below"));
    expect(existsSync(join(root, "real/below"))).toBe(true);
  });

  test.each(["file", "file/below", "file/far/below", "dead", "dead/below"])(
    "refuses what a file or a dead link is in the way of: %s",
    async (path) => {
      const root = createFolder({ file: "" });
      symlinkSync(join(root, "nowhere"), join(root, "dead"));
      await expect(make(join(root, path))).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:EEXIST|ENOTDIR)$/),
      });
      expect(readdirSync(root)).toEqual(["dead", "file"]);
    },
  );

  test("several may make the same folders at once", async () => {
    const root = createFolder();
    const paths = Array.from({ length: 20 }, (_, i) => join(root, "a/b/c", `${i % 4}`, "d"));
    await Promise.all(paths.map((path) => make(path)));
    expect(readdirSync(join(root, "a/b/c"))).toEqual(["0", "1", "2", "3"]);
  });
});

/** Linux answers mkdir there with ENOENT, at which Node looks for the parent without an end. */
const ODD = "/proc/flowsheet";
const LIMIT_MS = 30_000;

const SHOP =
  "graph_name,node_name,agent_type,input_fields,output_field,prompt\nShop,Ask,echo,who,asked,Hi {who}\n";
const ASK = "graph_name,node_name,agent_type,output_field,prompt\nShop,Ask,human,answer,Well?\n";
const WRITE =
  "graph_name,node_name,agent_type,input_fields,output_field,prompt,context.collection\nShop,Keep,file_writer,who,kept,{who},a.txt\n";

describe.skipIf(!existsSync("/proc/self"))("where the system makes no folders, nothing hangs", () => {
  test.each([
    ["compile", ["compile", "--out", ODD]],
    ["compile, further below", ["compile", "--out", `${ODD}/a/b`]],
    ["init", ["init", ODD]],
    ["scaffold", ["scaffold", "--agent", "Weather", "--out", `${ODD}/agents`]],
  ])("%s", async (_, args) => {
    const { code, stdout, stderr } = await flowsheet(args, { cwd: createFolder({ "shop.csv": SHOP }) });
    expect(stderr).toMatch(/^error: cannot write .*no folder can be made in \/proc\n/);
    expect([code, stdout]).toEqual([2, ""]);
  });

  test("the folder of runs", async () => {
    const cwd = createFolder({ "flowsheet.yaml": `runs: ${ODD}/runs\n`, "shop.csv": ASK });
    const { code, stderr } = await flowsheet(["run", "shop.csv", "--quiet"], { cwd });
    expect(stderr).toContain("no folder can be made in /proc");
    expect(code).toBe(2);
  });

  test("the folder of data", async () => {
    const cwd = createFolder({ "flowsheet.yaml": `data: ${ODD}/data\n`, "shop.csv": WRITE });
    const { code, stdout, stderr } = await flowsheet(["run", "shop.csv", "--input", "who=Ada", "--json"], {
      cwd,
    });
    expect(JSON.parse(stdout)).toMatchObject({ error: { message: "a.txt: no folder can be made there" } });
    expect([code, stderr]).toEqual([1, expect.not.stringContaining("bug")]);
  });

  test("the folder of the log", async () => {
    const config = `logging:\n  file: ${ODD}/flows.log\n  loggers:\n    flowsheet: {level: INFO, handlers: [file]}\nserver: {port: 0}\n`;
    const cwd = createFolder({ "flowsheet.yaml": config, "workflows/shop.csv": SHOP });
    const { stdout, stderr } = await flowsheetProcess(["serve"], {
      cwd,
      started: (child) => {
        const ended = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
        child.stdout?.on("data", (chunk: Buffer) => {
          if (chunk.toString().includes("listens on")) child.kill("SIGTERM");
        });
        child.on("close", () => clearTimeout(ended));
      },
    });
    expect(stderr).toContain("the log file cannot be written: no folder can be made in /proc");
    expect(stdout).toContain("listens on");
  });
});
