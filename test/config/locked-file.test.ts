import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterEach, describe, expect, test, vi } from "vitest";
import { replaceContent } from "../../compiler/files/replace-file.js";
import { FileChangeError, withLockedFile } from "../../runtime/config/locked-file.js";
import { host } from "../../runtime/host.js";
import { createFolder } from "../cli/folder.js";

/** The calls of the file system that writing needs: a test may replace each of them. */
const CALLS = ["open", "chmod", "write", "sync", "close", "rename"] as const;
type Call = (typeof CALLS)[number] | "stat" | "chown";
type Step = (...given: readonly never[]) => Promise<unknown>;

const disk = vi.hoisted(() => ({
  replaced: {} as { [call: string]: (real: (...given: never[]) => Promise<unknown>) => unknown },
}));

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const replaced = (call: Call, step: Step): Step =>
    (disk.replaced[call]?.(step) as Step | undefined) ?? step;
  const open = async (...given: Parameters<typeof real.open>): Promise<unknown> => {
    const handle = await real.open(...given);
    for (const name of ["chmod", "write", "sync", "close", "stat", "chown"] as const) {
      const step = handle[name].bind(handle) as Step;
      Object.defineProperty(handle, name, { value: (...all: never[]) => replaced(name, step)(...all) });
    }
    return handle;
  };
  return {
    ...real,
    open: (...given: never[]) => replaced("open", open as Step)(...given),
    rename: (...given: never[]) => replaced("rename", real.rename as Step)(...given),
  };
});

afterEach(() => {
  disk.replaced = {};
});

const modeOf = (file: string): number => statSync(file).mode & 0o777;

function folderWith(text: string | null): { readonly folder: string; readonly file: string } {
  const folder = createFolder(text === null ? {} : { "flowsheet.yaml": text });
  return { folder, file: join(folder, "flowsheet.yaml") };
}

const write = (file: string, text: string, options = {}): Promise<void> =>
  withLockedFile(file, (locked) => locked.write(text), options);

describe("a file is written whole, for those alone who could use it before", () => {
  test("K11 K34 a file that others could read is closed to them, and its one backup to all but its owner", async () => {
    const { folder, file } = folderWith("old");
    chmodSync(file, 0o644);
    await withLockedFile(file, async (locked) => {
      expect(locked).toMatchObject({ text: "old", wasOpen: true });
      await locked.write("new");
    });
    await write(file, "newer");
    expect(readFileSync(file, "utf8")).toBe("newer");
    expect(readFileSync(`${file}.bak`, "utf8")).toBe("new");
    expect([modeOf(file), modeOf(`${file}.bak`)]).toEqual([0o640, 0o600]);
    expect(readdirSync(folder).sort()).toEqual(["flowsheet.yaml", "flowsheet.yaml.bak"]);
  });

  test.each([0o600, 0o640, 0o660, 0o400])("a mode that is closed to others stays: %o", async (mode) => {
    const { file } = folderWith("old");
    chmodSync(file, mode);
    await withLockedFile(file, async (locked) => {
      expect(locked.wasOpen).toBe(false);
      await locked.write("new");
    });
    expect([readFileSync(file, "utf8"), modeOf(file)]).toEqual(["new", mode]);
  });

  test("what was put back has the mode that it had", async () => {
    const { file } = folderWith("old");
    chmodSync(file, 0o644);
    await withLockedFile(file, async (locked) => {
      await locked.write("new");
      await locked.restore();
    });
    expect([readFileSync(file, "utf8"), modeOf(file)]).toEqual(["old", 0o644]);
  });

  test.skipIf(process.getuid?.() !== 0)("owner and group stay when root writes", async () => {
    const { file } = folderWith("old");
    chownSync(file, 12_345, 23_456);
    chmodSync(file, 0o640);
    await write(file, "new");
    const { uid, gid } = statSync(file);
    expect([readFileSync(file, "utf8"), uid, gid, modeOf(file)]).toEqual(["new", 12_345, 23_456, 0o640]);
  });

  test("when owner and group cannot be kept, nothing is changed", async () => {
    const { folder, file } = folderWith("old");
    // A file of a group that this user is not in, as far as the calls tell.
    disk.replaced = {
      stat: (real) => async () => Object.assign((await real()) as fs.Stats, { gid: -2 }),
      chown: () => async () => {
        throw Object.assign(new Error("EPERM"), { code: "EPERM" });
      },
    };
    await expect(write(file, "new")).rejects.toThrow("its owner and group cannot be kept");
    expect([readFileSync(file, "utf8"), readdirSync(folder).filter((name) => name.endsWith(".tmp"))]).toEqual(
      ["old", []],
    );
  });

  test("K12 whatever the process's mask", async () => {
    const before = process.umask(0);
    try {
      const { file } = folderWith(null);
      await write(file, "new");
      expect(modeOf(file)).toBe(0o600);
      process.umask(0o777);
      await write(file, "newer");
      expect(modeOf(file)).toBe(0o600);
    } finally {
      process.umask(before);
    }
  });

  test("K13 a link is followed, and stays one", async () => {
    const { folder, file } = folderWith("old");
    const link = join(folder, "link.yaml");
    symlinkSync(file, link);
    await write(link, "new");
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, "utf8")).toBe("new");
  });

  test("a link that leads nowhere, a folder, and a folder that is not there are refused", async () => {
    const folder = createFolder({ "sub/x": "" });
    symlinkSync(join(folder, "gone"), join(folder, "link.yaml"));
    for (const name of ["link.yaml", "sub", "none/flowsheet.yaml"])
      await expect(write(join(folder, name), "new"), name).rejects.toThrow(FileChangeError);
    expect(readdirSync(folder).sort()).toEqual(["link.yaml", "sub"]);
  });

  test("K14 a file of another user is refused", async () => {
    const { file } = folderWith("old");
    const stranger = { ...host, env: {}, pid: process.pid, uid: (process.getuid?.() ?? 0) + 1 };
    await expect(write(file, "new", { host: stranger })).rejects.toThrow("belongs to another user");
    expect(readFileSync(file, "utf8")).toBe("old");
  });

  test("K02 drafts of those who were killed are swept, other files are not", async () => {
    const { folder, file } = folderWith("old");
    const draft = join(folder, ".flowsheet.yaml.0123456789ab.tmp");
    const others = [
      ".flowsheet.yaml.tmp",
      ".other.yaml.0123456789ab.tmp",
      ".flowsheet.yaml.0123456789ab.tmp.x",
    ];
    for (const name of [draft, ...others.map((other) => join(folder, other))]) writeFileSync(name, "x");
    await write(file, "new");
    expect(existsSync(draft)).toBe(false);
    for (const other of others) expect(existsSync(join(folder, other))).toBe(true);
  });
});

describe("a call of the system that fails leaves the old file", () => {
  const CODES = ["ENOSPC", "EROFS", "EACCES", "EMFILE", "EXDEV", "EIO", "EDQUOT"] as const;

  /** The n-th call of one kind fails. */
  function failAt(call: Call, at: number, code: string): void {
    let count = 0;
    disk.replaced[call] =
      (real) =>
      async (...given: never[]) => {
        if (++count !== at) return real(...given);
        if (call === "close") await real(...given);
        throw Object.assign(new Error(code), { code });
      };
  }

  test.each(CALLS.flatMap((call) => CODES.map((code) => [call, code] as const)))(
    "K05 K06 K07 K08 K09 %s answers %s",
    async (call, code) => {
      for (let at = 1; at <= 3; at++) {
        const { folder, file } = folderWith("old");
        failAt(call, at, code);
        const failed = await write(file, "new").then(
          () => false,
          (error: unknown) => error instanceof FileChangeError,
        );
        // Calls beyond those of the two files are of their folders: what is written is whole all the same.
        const text = readFileSync(file, "utf8");
        expect(failed ? "old" : "new").toBe(text);
        expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
        expect(existsSync(`${file}.lock`)).toBe(false);
      }
    },
  );
});

describe("replaceContent", () => {
  test("a disk that takes a part, and is full then, leaves the old file", () => {
    const { folder, file } = folderWith("old");
    const outfile = join(createFolder({}), "replace.mjs");
    const contents = `import { replaceContent } from "./compiler/files/replace-file.ts";
      const [, , file] = process.argv;
      await replaceContent(file, "x".repeat(3_000)).catch((error) => process.stdout.write(error.code));`;
    buildSync({
      stdin: { contents, resolveDir: process.cwd(), loader: "ts" },
      ...{ outfile, bundle: true, platform: "node", format: "esm" },
    });
    // A file may have two blocks of 1,024 bytes; without the signal, a write of more is short, and the next one fails.
    const limited = `trap '' XFSZ; ulimit -f 2; exec "${process.execPath}" "${outfile}" "${file}"`;
    const { status, stdout, stderr } = spawnSync("bash", ["-c", limited], { encoding: "utf8" });
    expect([status, stdout, stderr]).toEqual([0, "EFBIG", ""]);
    expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["old", ["flowsheet.yaml"]]);
  });

  test("keeps the mode, and a link", async () => {
    const { folder, file } = folderWith("old");
    chmodSync(file, 0o640);
    symlinkSync(file, join(folder, "link"));
    await replaceContent(join(folder, "link"), new TextEncoder().encode("new"));
    expect([readFileSync(file, "utf8"), modeOf(file)]).toEqual(["new", 0o640]);
    expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
  });

  test("drafts of files with the longest names have names that a disk takes", async () => {
    const file = join(folderWith(null).folder, "ä".repeat(127));
    await replaceContent(file, "new");
    expect(readFileSync(file, "utf8")).toBe("new");
  });
});

describe("one at a time", () => {
  test("whoever comes later sees what was written before", async () => {
    const { file } = folderWith("0");
    const add = (): Promise<void> =>
      withLockedFile(file, async (locked) => {
        const next = Number(locked.text) + 1;
        await new Promise((resume) => setTimeout(resume, 5));
        await locked.write(String(next));
      });
    await Promise.all(Array.from({ length: 8 }, add));
    expect(readFileSync(file, "utf8")).toBe("8");
  });

  test("K04 the lock of one who was killed is taken over", async () => {
    const { file } = folderWith("old");
    fs.mkdirSync(`${file}.lock`);
    const long = new Date(Date.now() - 60_000);
    utimesSync(`${file}.lock`, long, long);
    await write(file, "new");
    expect(readFileSync(file, "utf8")).toBe("new");
    // One that is fresh is waited for, until its holder has not been heard of for a while.
    fs.mkdirSync(`${file}.lock`);
    const started = performance.now();
    await write(file, "newer", { staleMs: 2_000 });
    expect(performance.now() - started).toBeGreaterThan(1_000);
    expect(readFileSync(file, "utf8")).toBe("newer");
  });

  test("an error of the work lets the lock go", async () => {
    const { file } = folderWith("old");
    await expect(
      withLockedFile(file, () => {
        throw new Error("why");
      }),
    ).rejects.toThrow("why");
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});
