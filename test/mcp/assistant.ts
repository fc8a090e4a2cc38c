import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client, type ElicitResult, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";

const { runArguments } = createRequire(import.meta.url)(
  "../../dist/cli/start.js",
) as typeof import("../../cli/main.js");

/** Both eras of the protocol, by what a client of each does. */
export const ERAS = {
  "2025-11-25": "legacy",
  "2026-07-28": { pin: "2026-07-28" },
} as const;
export type Era = keyof typeof ERAS;

export interface AssistantOptions {
  readonly folder: string;
  readonly era?: Era;
  readonly args?: readonly string[];
  readonly env?: { readonly [name: string]: string };
  /** How its user answers; a client without it cannot ask. */
  readonly ask?: (message: string, schema: unknown) => ElicitResult;
}

/** `flowsheet mcp`, begun in this process by a real client. */
export interface Stdio {
  readonly transport: Transport;
  /** Writes bytes to its standard input, such as what no client would. */
  readonly type: (text: string) => void;
  /** What it has written to its standard output, line by line. */
  readonly lines: () => readonly string[];
  readonly stderr: () => string;
  /** Closes its standard input, and gives its exit code. */
  readonly leave: () => Promise<number>;
}

export function project(files: { readonly [path: string]: string }): string {
  const folder = mkdtempSync(join(tmpdir(), "flowsheet-mcp-"));
  for (const [path, text] of Object.entries({ "flowsheet.yaml": "", ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

export function startStdio({ folder, args = [], env = {} }: AssistantOptions): Stdio {
  const input = createInput();
  const lines: string[] = [];
  let rest = "";
  let errors = "";
  const transport: Transport = {
    start: async () => {},
    send: async (message) => input.push(`${JSON.stringify(message)}\n`),
    close: async () => input.end(),
  };
  const take = (text: string): void => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) {
      lines.push(line);
      transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
    }
  };
  const output = { isTerminal: () => false, columns: () => null };
  const code = runArguments(
    {
      stdout: { ...output, write: take },
      stderr: {
        ...output,
        write: (text) => {
          errors += text;
        },
      },
      stdin: { isTerminal: () => false, chunks: input.chunks },
      env: { PATH: process.env["PATH"] ?? "", ...env },
      cwd: folder,
    },
    ["mcp", ...args],
  );
  const leave = async (): Promise<number> => {
    input.end();
    return code;
  };
  return { transport, type: input.push, lines: () => lines, stderr: () => errors, leave };
}

function createInput() {
  const waiting: string[] = [];
  let wake = (): void => {};
  let isOver = false;
  return {
    push: (text: string): void => {
      waiting.push(text);
      wake();
    },
    end: (): void => {
      isOver = true;
      wake();
    },
    async *chunks(): AsyncGenerator<Uint8Array> {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) yield Buffer.from(next);
        else if (isOver) return;
        else
          await new Promise<void>((go) => {
            wake = go;
          });
      }
    },
  };
}

/** A client of an era over any transport. */
export async function connect(
  transport: Transport,
  { era = "2026-07-28", ask }: Pick<AssistantOptions, "era" | "ask">,
): Promise<Client> {
  const client = new Client(
    { name: "assistant", version: "1.0.0" },
    {
      capabilities: ask === undefined ? {} : { elicitation: {} },
      versionNegotiation: { mode: ERAS[era] },
    },
  );
  if (ask !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }) =>
      ask(params.message, "requestedSchema" in params ? params.requestedSchema : null),
    );
  await client.connect(transport);
  return client;
}

export interface Assistant {
  readonly client: Client;
  readonly stdio: Stdio;
  /** The data of a tool's answer, and whether it is an error. */
  readonly call: (name: string, args?: { readonly [name: string]: unknown }) => Promise<Called>;
  readonly leave: () => Promise<number>;
}

export interface Called {
  readonly isError: boolean;
  readonly text: string;
  readonly data: { readonly [name: string]: unknown };
}

export async function callTool(
  client: Client,
  name: string,
  args: { readonly [name: string]: unknown } = {},
): Promise<Called> {
  const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: args });
  const [first] = content;
  const data = (structuredContent ?? {}) as Called["data"];
  return { isError, text: first?.type === "text" ? first.text : "", data };
}

export async function startAssistant(options: AssistantOptions): Promise<Assistant> {
  const stdio = startStdio(options);
  const client = await connect(stdio.transport, options);
  return { client, stdio, call: (name, args) => callTool(client, name, args), leave: stdio.leave };
}
