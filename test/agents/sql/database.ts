import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Flowsheet } from "flowsheet";
import { createFolder } from "../../cli/folder.js";
import { sheetText } from "../sheet.js";

export interface Asked {
  readonly prompt: string;
  readonly given?: object;
  readonly inputs?: string;
  readonly outputs?: string;
  readonly context?: object;
  readonly signal?: AbortSignal;
}

export interface Tried {
  readonly values: { readonly [field: string]: unknown };
  readonly message: string | undefined;
  readonly runId: string;
}

export interface Database {
  readonly folder: string;
  /** Runs one statement as a graph of one node. */
  readonly run: (asked: Asked) => Promise<Tried>;
  /** What one statement gives; it throws what the node failed with. */
  readonly give: (prompt: string, given?: object, context?: object) => Promise<unknown>;
}

/** A project whose connection `shop` is the one that is told. */
export function databaseOf(connection: string, env: { readonly [name: string]: string } = {}): Database {
  const folder = createFolder({
    "flowsheet.yaml": `runs: {keep: waiting}\nconnections: {shop: ${connection}}\n`,
  });
  const flowsheet = new Flowsheet({ cwd: folder, env });
  let sheets = 0;
  const run: Database["run"] = async (asked) => {
    const { prompt, given = {}, outputs = "result", context = {}, signal } = asked;
    const inputs = asked.inputs ?? Object.keys(given).join("|");
    const settings = { connection: "shop", ...context };
    const csvPath = join(folder, `sheet-${++sheets}.csv`);
    writeFileSync(
      csvPath,
      sheetText([{ node: "Ask", agent: "sql", inputs, outputs, prompt, context: settings }]),
    );
    const { state, error, runId } = await flowsheet.runWorkflow({
      ...{ csvPath, graphName: "Main", initialState: { ...given } },
      ...(signal === undefined ? {} : { signal }),
    });
    return { values: state, message: error?.message, runId };
  };
  return {
    folder,
    run,
    give: async (prompt, given = {}, context = {}) => {
      const { values, message } = await run({ prompt, given, context });
      if (message !== undefined) throw new Error(message);
      return values["result"];
    },
  };
}

/** Texts that somebody would send to change a statement, or to break one. */
export const HOSTILE: readonly string[] = [
  "'; DROP TABLE orders; --",
  "' OR '1'='1",
  '" OR ""="',
  "x'); DELETE FROM orders; --",
  "$1",
  "?1",
  ":name",
  "{other}",
  "{{other}}",
  "$$; DROP TABLE orders; $$",
  "$tag$ it's $tag$",
  "/* */ -- \n;",
  "\\'; DROP TABLE orders; --",
  "\u02bc\uff07 OR 1=1",
  "\ud83d\ude00 \u0000end".replace("\u0000", "\u0001"),
  "\\x27",
  "NULL",
  "",
  " ".repeat(3),
  "line\r\nbreak\ttab",
];
