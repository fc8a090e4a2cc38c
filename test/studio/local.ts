import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Context, createContext } from "../../cli/process/context.js";
import { createWorkshop } from "../../cli/studio/workshop.js";
import { createLocalSecret, type LocalSecret } from "../../runtime/auth/local.js";
import { createFlowsheetServer } from "../../runtime/http/server.js";
import { parseAnswer, type RawAnswer, sendLast } from "../http/raw.js";
import { HELLO } from "../http/service.js";

export interface LocalSetup {
  readonly files?: { readonly [path: string]: string | Buffer };
  /** The text of flowsheet.yaml; null for none. */
  readonly config?: string | null;
  /** The folder shown in place of the workflows folder, below the project's. */
  readonly shown?: string;
  readonly clock?: () => number;
  /** With what only the command line has: modules are shown and written. */
  readonly compiles?: boolean;
}

export interface TestStudio {
  readonly folder: string;
  readonly port: number;
  readonly secret: LocalSecret;
  readonly log: () => string;
  readonly write: (path: string, text: string | Buffer) => void;
  /** Asks with the token and the right name of the host. */
  readonly ask: (line: string, headers?: readonly string[], body?: string | Buffer) => Promise<RawAnswer>;
  /** Asks with these headers alone, which have no name of the host either. */
  readonly askBare: (line: string, headers: readonly string[], body?: string) => Promise<RawAnswer>;
  readonly stop: () => Promise<void>;
}

/** The Studio of one machine, as `flowsheet studio` starts it. */
export async function startStudio(setup: LocalSetup = {}): Promise<TestStudio> {
  const folder = mkdtempSync(join(tmpdir(), "flowsheet-studio-"));
  const write = (path: string, text: string | Buffer): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const { files = { "workflows/hello.csv": HELLO }, config = "", shown } = setup;
  for (const [path, text] of Object.entries(files)) write(path, text);
  if (config !== null) write("flowsheet.yaml", config);
  const secret = createLocalSecret(setup.clock);
  const lines: string[] = [];
  const server = createFlowsheetServer({
    cwd: folder,
    config: null,
    env: {},
    console: (line) => lines.push(line),
    host: "127.0.0.1",
    port: 0,
    local: {
      ...{ secret, user: "os:test", folder: shown === undefined ? null : join(folder, shown) },
      ...(setup.compiles === true ? { workshop: createWorkshop(contextIn(folder)) } : {}),
    },
  });
  const { port, stop } = await server.listen();
  const token = `Authorization: Bearer ${secret.token}`;
  const host = `Host: 127.0.0.1:${port}`;
  const ask: TestStudio["ask"] = (line, headers = [], body = "") =>
    bare(port, line, [host, token, ...headers], body);
  return {
    ...{ folder, port, secret, write, ask },
    log: () => lines.join(""),
    askBare: (line, headers, body = "") => bare(port, line, headers, body),
    stop: () => stop(1_000),
  };
}

function contextIn(cwd: string): Context {
  const output = { write: () => {}, isTerminal: () => false, columns: () => null };
  const stdin = { isTerminal: () => false, chunks: () => noChunks() };
  return createContext({ stdout: output, stderr: output, stdin, env: {}, cwd }, {});
}

async function* noChunks(): AsyncGenerator<Uint8Array, undefined> {}

/** One request, written as it is given; the server is asked to close after it. */
async function bare(
  port: number,
  line: string,
  headers: readonly string[],
  body: string | Buffer,
): Promise<RawAnswer> {
  const length = body.length === 0 ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const head = [`${line} HTTP/1.1`, "Connection: close", ...headers, ...length];
  const bytes = Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), Buffer.from(body)]);
  return parseAnswer(await sendLast(port, bytes));
}
