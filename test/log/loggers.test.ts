import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createLoggers, type LoggersOptions } from "../../runtime/log/loggers.js";
import { createFolder } from "../cli/folder.js";

function start(options: Partial<LoggersOptions> = {}): {
  readonly loggers: ReturnType<typeof createLoggers>;
  readonly told: readonly string[];
} {
  const told: string[] = [];
  const loggers = createLoggers({
    file: null,
    loggers: {},
    console: (line) => told.push(line),
    redact: (line) => line.replaceAll("canary", "[redacted]"),
    ...options,
  });
  return { loggers, told };
}

describe("loggers", () => {
  test("each has its level and its handlers; one that is not named has those of the one above it", () => {
    const file = join(createFolder(), "logs/server.log");
    const { loggers, told } = start({
      file,
      loggers: {
        flowsheet: { level: "warn", handlers: ["file"] },
        "flowsheet.auth": { level: "debug", handlers: ["console"] },
      },
    });
    loggers.of("flowsheet.auth").debug("a canary attempt", { path: "/x", by: "canary" });
    loggers.of("flowsheet.http").info("too low");
    loggers.of("flowsheet.http").warn("written", { status: 503 });
    loggers.close();
    expect(told).toEqual([
      expect.stringMatching(
        /^\S+Z debug flowsheet\.auth: a \[redacted\] attempt path=\/x by=.*redacted.*\n$/,
      ),
    ]);
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ name: "flowsheet.http", msg: "written", status: 503 }),
    ]);
  });

  test("S08 whatever is in a text, it stays on one line of its own", () => {
    const file = join(createFolder(), "server.log");
    const { loggers, told } = start({
      file,
      loggers: { flowsheet: { level: "debug", handlers: ["console", "file"] } },
    });
    const evil = 'x\n{"level":30,"msg":"forged"}\r\n\u2028\u001b[2Jx';
    loggers.of("flowsheet.auth").info(evil, { name: evil, level: 60, [evil]: evil });
    loggers.close();
    expect(told).toHaveLength(1);
    expect(told[0]).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u2028].|\n./);
    expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(1);
  });

  test.skipIf(process.platform !== "linux")(
    "L05 a full disk is told once, stops nobody, and nothing is kept for it",
    () => {
      const { loggers, told } = start({
        file: "/dev/full",
        loggers: { flowsheet: { level: "debug", handlers: ["file"] } },
      });
      const logger = loggers.of("flowsheet.http");
      const before = process.memoryUsage().heapUsed + process.memoryUsage().external;
      const long = "x".repeat(10_000);
      for (let i = 0; i < 20_000; i++) logger.info(long);
      expect(process.memoryUsage().heapUsed + process.memoryUsage().external - before).toBeLessThan(150e6);
      expect(() => loggers.close()).not.toThrow();
      expect(told).toEqual([expect.stringContaining("the log file cannot be written")]);
    },
  );

  test("after another program has moved the file, reopened ones write to a new one; lines after the end are let go", () => {
    const file = join(createFolder(), "server.log");
    const { loggers, told } = start({ file, loggers: { flowsheet: { level: "info", handlers: ["file"] } } });
    const logger = loggers.of("flowsheet.run");
    logger.info("first");
    renameSync(file, `${file}.1`);
    logger.info("second");
    loggers.reopen();
    logger.info("third");
    loggers.close();
    logger.info("fourth");
    const messages = (path: string): readonly string[] =>
      [...readFileSync(path, "utf8").matchAll(/"msg":"(\w+)"/g)].map(([, text = ""]) => text);
    expect([messages(`${file}.1`), messages(file), told]).toEqual([["first", "second"], ["third"], []]);
  });

  test("when the file cannot be opened again, the old one goes on", () => {
    const folder = createFolder({ "logs/server.log": "" });
    const file = join(folder, "logs/server.log");
    const { loggers, told } = start({ file, loggers: { flowsheet: { level: "info", handlers: ["file"] } } });
    renameSync(join(folder, "logs"), join(folder, "moved"));
    writeFileSync(join(folder, "logs"), "");
    loggers.reopen();
    loggers.of("flowsheet.run").info("still here");
    loggers.close();
    expect(told).toEqual([expect.stringContaining("the log file cannot be written")]);
    expect(readFileSync(join(folder, "moved/server.log"), "utf8")).toContain("still here");
  });

  test("a file that cannot be opened is told, and the console goes on", () => {
    const folder = createFolder();
    writeFileSync(join(folder, "taken"), "");
    const { loggers, told } = start({
      file: join(folder, "taken/server.log"),
      loggers: { flowsheet: { level: "info", handlers: ["file", "console"] } },
    });
    loggers.of("flowsheet.run").info("goes on");
    loggers.close();
    expect(told).toEqual([
      expect.stringContaining("cannot be written"),
      expect.stringContaining("flowsheet.run: goes on"),
    ]);
  });
});
