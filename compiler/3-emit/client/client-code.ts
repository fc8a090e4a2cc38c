/** The part of a client that is the same for all workflows. It is code of the generated file, so it stands as text. */
export const CLIENT_CODE = `export type WorkflowName = keyof Workflows;
export type InputOf<Name extends WorkflowName> = Workflows[Name]["input"];
export type StateOf<Name extends WorkflowName> = Workflows[Name]["state"];
export type AnswersOf<Name extends WorkflowName> = Workflows[Name]["answers"];

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A person's answer, alone or with a comment. */
export type Judged<Answer> = Answer | { readonly answer: Answer; readonly comment?: string };

/** A question that a run waits with. */
export interface Waiting<Name extends WorkflowName> {
  readonly node: keyof AnswersOf<Name> & string;
  readonly field: string | null;
  readonly prompt: string;
  readonly options: readonly string[] | null;
}

/** Why a run failed, and where in the sheet. */
export interface RunFailure {
  readonly code: string;
  readonly message: string;
  readonly graph: string;
  readonly node: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly cell: string | null;
}

interface Run {
  readonly run_id: string;
  readonly graph_name: string;
  readonly success: boolean;
  /** The nodes that were visited. */
  readonly path: readonly string[];
  readonly steps: number;
  readonly duration_ms: number;
}

/** What a run has come to: \`status\` tells which it is. */
export type RunResult<Name extends WorkflowName> =
  | (Run & { readonly status: "completed"; readonly state: StateOf<Name> })
  | (Run & {
      readonly status: "suspended";
      readonly state: Partial<StateOf<Name>>;
      readonly waiting: readonly Waiting<Name>[];
    })
  | (Run & {
      readonly status: "failed" | "cancelled";
      readonly state: Partial<StateOf<Name>>;
      readonly error: RunFailure;
    })
  /** It goes on without the caller. */
  | { readonly run_id: string; readonly status: "queued" | "running" | "waiting" };

/** The server refused a call, or its answer was none. \`code\` is that of the problem. */
export class FlowsheetError extends Error {
  readonly status: number;
  readonly code: string;
  /** What is wrong with what was sent, by JSON pointer. */
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];

  constructor(status: number, code: string, message: string, errors: FlowsheetError["errors"] = []) {
    super(message);
    this.name = "FlowsheetError";
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

export interface HeaderValues {
  readonly [name: string]: string;
}

export interface ClientOptions {
  /** Where the server is, such as https://flows.example.com. */
  readonly url: string;
  /** An API key. */
  readonly key?: string;
  /** Sent with each request, such as \`{ Authorization: "Bearer …" }\`. */
  readonly headers?: HeaderValues;
  /** In the place of the global \`fetch\`. */
  readonly fetch?: typeof fetch;
}

export interface Client {
  /** Runs a workflow. With a key of its own, a call that is repeated gives the first run again. */
  readonly run: <Name extends WorkflowName>(
    name: Name,
    input: InputOf<Name>,
    signal?: AbortSignal,
    callKey?: string,
  ) => Promise<RunResult<Name>>;
  /** Answers what a run waits for, and goes on with it. */
  readonly resume: <Name extends WorkflowName>(
    name: Name,
    runId: string,
    answers: AnswersOf<Name>,
    signal?: AbortSignal,
  ) => Promise<RunResult<Name>>;
}

export function createClient({ url, key, headers = {}, fetch: send = fetch }: ClientOptions): Client {
  const base = url.replace(/\\/+$/, "");
  const credential: HeaderValues = key === undefined ? {} : { "X-API-Key": key };
  async function post<Name extends WorkflowName>(
    path: string,
    body: object,
    signal: AbortSignal | undefined,
    more: HeaderValues = {},
  ): Promise<RunResult<Name>> {
    const answer = await send(base + path, {
      method: "POST",
      headers: { ...headers, ...credential, ...more, "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(body),
      signal: signal ?? null,
    });
    const text = await answer.text();
    if (answer.ok) return parse(text, answer.status) as RunResult<Name>;
    throw failureOf(text, answer.status);
  }
  return {
    run: (name, input, signal, callKey) => {
      const more: HeaderValues = callKey === undefined ? {} : { "Idempotency-Key": callKey };
      return post("/execute", { graph_name: name, initial_state: input }, signal, more);
    },
    resume: (_name, runId, answers, signal) =>
      post(\`/runs/\${encodeURIComponent(runId)}/resume\`, { answers }, signal),
  };
}

function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FlowsheetError(status, "answer_invalid", "the server's answer is no JSON");
  }
}

function failureOf(text: string, status: number): FlowsheetError {
  try {
    const { code, title, detail, errors } = JSON.parse(text) as {
      readonly [key: string]: unknown;
    };
    const words = typeof detail === "string" ? detail : title;
    const list = Array.isArray(errors) ? (errors as FlowsheetError["errors"]) : [];
    if (typeof code === "string") return new FlowsheetError(status, code, String(words ?? code), list);
  } catch {
    // A proxy may answer in its own words.
  }
  return new FlowsheetError(status, "answer_invalid", \`the server answers with the status \${status}\`);
}
`;
