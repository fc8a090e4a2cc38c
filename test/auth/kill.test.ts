import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess as flowsheet } from "../cli/process.js";
import { howMany } from "../how-many.js";

/** How often the process is killed: CI has little time, a release has more. */
const KILLS = howMany(25, 3, "AUTH_KILLS");
const AT_ONCE = 2;

interface Keys {
  readonly [name: string]: { readonly key: string };
}

const keysOf = (text: string): readonly string[] => {
  const { authentication, server } = parse(text) as {
    readonly authentication: { readonly api_keys: Keys };
    readonly server: unknown;
  };
  expect(server).toEqual({ port: 81 });
  return Object.values(authentication.api_keys).map(({ key }) => key);
};

test(`K01 K02 ${KILLS} kills in the middle of auth update: the file is the old one or the new one, whole`, {
  timeout: 1_200_000,
}, async () => {
  const origin = createFolder({ "flowsheet.yaml": "# mine\nserver: {port: 81}\n" });
  await flowsheet(["auth", "init"], { cwd: origin });
  const old = readFileSync(join(origin, "flowsheet.yaml"), "utf8");
  const started = performance.now();
  await flowsheet(["auth", "update"], { cwd: origin });
  const whole = performance.now() - started;
  const ends = { old: 0, new: 0 };
  let at = 0;
  const killOnce = async (): Promise<void> => {
    const folder = createFolder({ "flowsheet.yaml": old });
    const file = join(folder, "flowsheet.yaml");
    // Spread over the second half of its life, where it writes.
    const after = whole * (0.3 + (1.1 * at++) / KILLS);
    await flowsheet(["auth", "update"], {
      cwd: folder,
      started: (child) => setTimeout(() => child.kill("SIGKILL"), after),
    });
    const text = readFileSync(file, "utf8");
    const [before, now] = [keysOf(old), keysOf(text)];
    if (text === old) ends.old++;
    else {
      ends.new++;
      expect(now).toHaveLength(4);
      expect(now.filter((key) => before.includes(key))).toEqual([]);
      expect(text.startsWith("# mine\n")).toBe(true);
    }
    for (const name of readdirSync(folder)) {
      if (/\.tmp$|\.bak$/.test(name)) expect(statSync(join(folder, name)).mode & 0o137, name).toBe(0);
    }
  };
  const work = async (): Promise<void> => {
    while (at < KILLS) await killOnce();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(ends.old + ends.new).toBeGreaterThanOrEqual(KILLS);
});

test("K02 K04 after a kill the next update takes over the lock, and sweeps", async () => {
  const folder = createFolder();
  await flowsheet(["auth", "init"], { cwd: folder });
  let killed = false;
  for (let round = 0; round < 200 && !killed; round++) {
    await flowsheet(["auth", "update"], {
      cwd: folder,
      started: (child) => {
        const look = setInterval(() => {
          if (!readdirSync(folder).includes("flowsheet.yaml.lock")) return;
          clearInterval(look);
          child.kill("SIGKILL");
        }, 1);
        child.on("close", () => clearInterval(look));
      },
    });
    killed = readdirSync(folder).includes("flowsheet.yaml.lock");
  }
  expect(killed).toBe(true);
  const started = performance.now();
  const { code } = await flowsheet(["auth", "update"], { cwd: folder });
  expect(code).toBe(0);
  expect(performance.now() - started).toBeLessThan(60_000);
  expect(readdirSync(folder).sort()).toEqual(["flowsheet.yaml", "flowsheet.yaml.bak"]);
});
