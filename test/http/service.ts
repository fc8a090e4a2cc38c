import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse, stringify } from "yaml";
import { createFlowsheetServer } from "../../runtime/http/server.js";

/** The keys of the four kinds, and one that has expired. */
export const KEYS = {
  admin: "fsk_admin-0123456789-0123456789-0123456789",
  readonly: "fsk_readonly-0123456789-0123456789-01234",
  executor: "fsk_executor-0123456789-0123456789-01234",
  developer: "fsk_developer-0123456789-0123456789-0123",
  expired: "fsk_expired-0123456789-0123456789-012345",
} as const;

const PERMISSIONS: { readonly [K in keyof typeof KEYS]: string } = {
  admin: "[admin]",
  readonly: "[read]",
  executor: "[read, execute]",
  developer: "[read, write]",
  expired: "[admin]",
};

const digest = (key: string): string => `sha256:${createHash("sha256").update(key).digest("hex")}`;

/** A section of keys as `auth init` writes it. */
export function authentication(more = ""): string {
  const entries = Object.entries(KEYS).map(
    ([name, key]) => `    ${name}:
      key: ${digest(key)}
      permissions: ${PERMISSIONS[name as keyof typeof KEYS]}
      user_id: ${name}
${name === "expired" ? '      expires_at: "2020-01-01T00:00:00"\n' : ""}`,
  );
  return `authentication:\n  enabled: true\n  api_keys:\n${entries.join("")}${more}`;
}

export const HELLO = `graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt
Hello,Greet,,echo,name,greeting,Hello {name}
`;
export const ASKING = `graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt
Asking,Ask,Answer,input,,question,What is it?
Asking,Answer,,echo,question,answer,You asked {question}
`;

export interface ServiceSetup {
  /** A folder that is there already; a new one without. */
  readonly folder?: string;
  /** Files of the project, beside flowsheet.yaml. */
  readonly files?: { readonly [path: string]: string };
  /** The text of flowsheet.yaml; the keys without it. */
  readonly config?: string;
  readonly env?: { readonly [name: string]: string };
  readonly host?: string;
  /** False: others work on its runs. */
  readonly works?: boolean;
}

export interface TestService {
  readonly folder: string;
  readonly url: string;
  readonly port: number;
  /** All that was logged for people. */
  readonly log: () => string;
  readonly write: (path: string, text: string) => void;
  readonly stop: (graceMs?: number) => Promise<void>;
}

let databaseOf: ((folder: string) => Promise<string>) | null = null;

/** The services of this file of tests keep their runs in databases, by the folders of their projects. */
export const keepRunsIn = (of: NonNullable<typeof databaseOf>): void => {
  databaseOf = of;
};
export const hasRunsInFiles = (): boolean => databaseOf === null;

/** The configuration with the setting that names the database. */
function withDatabase(config: string): string {
  const { runs, ...rest } = parse(config) as { readonly runs?: object };
  return stringify({ ...rest, runs: { ...runs, store: "env:DATABASE_URL" } });
}

/** A project in a folder of its own, served by the real server on a free port. */
export async function startService(setup: ServiceSetup = {}): Promise<TestService> {
  const { folder = mkdtempSync(join(tmpdir(), "flowsheet-http-")) } = setup;
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const { files = { "workflows/hello.csv": HELLO, "workflows/asking.csv": ASKING } } = setup;
  for (const [path, text] of Object.entries(files)) write(path, text);
  const { config = authentication() } = setup;
  write("flowsheet.yaml", databaseOf === null ? config : withDatabase(config));
  if (databaseOf !== null) write(".env", `DATABASE_URL=${await databaseOf(folder)}\n`);
  const lines: string[] = [];
  const server = createFlowsheetServer({
    cwd: folder,
    config: null,
    env: setup.env ?? {},
    works: setup.works,
    console: (line) => lines.push(line),
    host: setup.host ?? "127.0.0.1",
    port: 0,
  });
  const running = await server.listen();
  return {
    folder,
    url: running.url,
    port: running.port,
    log: () => lines.join(""),
    write,
    stop: (graceMs = 1_000) => running.stop(graceMs),
  };
}
