import { type ChildProcess, spawn } from "node:child_process";
import { platform } from "node:os";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { visible } from "../../../compiler/diagnostics/visible.js";
import { isMapping } from "../../graph/values/values.js";
import { host } from "../../host.js";
import { NetworkError } from "../network-error.js";
import type { ToolServer } from "./servers.js";

/** A longer message ends the connection. */
const LONGEST = 10_000_000;
/** So long a program may take to end by itself, when its input has ended. */
const GRACE_MS = 500;

/** So much of what it writes for people is kept, and so much of the last line is shown. */
const KEPT = 2_000;
const SHOWN = 200;
const WINDOWS = platform() === "win32";

type Program = Extract<ToolServer, { kind: "program" }>;

/** The connection to a program that is started for it, and ends with it. It sees `PATH` and the named variables alone. */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Rejects when the program ends before it has answered. */
  readonly gone: Promise<never>;
  readonly #server: Program;
  readonly #root: string;
  readonly #redact: (text: string) => string;
  #child: ChildProcess | null = null;
  #said = "";
  #rest: Buffer[] = [];
  #size = 0;
  #fail: (error: Error) => void = () => {};

  constructor(server: Program, root: string, redact: (text: string) => string) {
    this.#redact = redact;
    this.#server = server;
    this.#root = root;
    this.gone = new Promise((_, reject) => {
      this.#fail = reject;
    });
    // Whoever does not wait for it is not told.
    this.gone.catch(() => {});
  }

  start(): Promise<void> {
    const { name, command, args, env } = this.#server;
    const child = spawn(command, [...args], {
      ...{ cwd: this.#root, env, stdio: ["pipe", "pipe", "pipe"], windowsHide: true },
      // So it leads a group of processes, which is ended as one.
      detached: !WINDOWS,
    });
    this.#child = child;
    child.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    child.stdin.on("error", () => {});
    // Half a sign at the end of a piece would make a secret unknown.
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => this.#hear(chunk));
    const tell = (): void =>
      this.#end(new NetworkError("bad-answer", `mcp.servers.${name}: its program has ended${this.#words()}`));
    child.on("exit", () => {
      killRest(child);
      // Its last words may still be on their way.
      const late = setTimeout(tell, GRACE_MS);
      child.once("close", () => {
        clearTimeout(late);
        tell();
      });
    });
    return new Promise((resolve, reject) => {
      child.once("spawn", () => resolve());
      child.once("error", () => {
        const error = new NetworkError("bad-request", `mcp.servers.${name}: its command cannot be started`);
        this.#end(error);
        reject(error);
      });
    });
  }

  #hear(chunk: string): void {
    const all = this.#said + chunk;
    const end = all.slice(-KEPT);
    const at = end.indexOf("\n");
    // A line without its beginning may begin inside of a secret, which nobody would know.
    this.#said = all.length <= KEPT ? all : at < 0 ? all.slice(0, KEPT) : end.slice(at + 1);
  }

  /** The last line that it wrote for people. Redacted before it is cut, since half a secret is not known. */
  #words(): string {
    const last = this.#redact(this.#said).trim().split("\n").at(-1)?.trim() ?? "";
    return last === "" ? "" : `: ${visible(last).slice(0, SHOWN)}`;
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#rest.push(chunk.subarray(from, at));
      const line = Buffer.concat(this.#rest).toString("utf8").trim();
      [this.#rest, this.#size, from] = [[], 0, at + 1];
      if (line !== "") this.#tell(line);
    }
    const rest = chunk.subarray(from);
    this.#rest.push(rest);
    this.#size += rest.length;
    if (this.#size > LONGEST)
      this.#end(new NetworkError("too-large", `mcp.servers.${this.#server.name}: its message is too long`));
  }

  /** Programs that print something else beside messages are borne with. */
  #tell(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return;
    }
    if (!isMapping(message)) return;
    // The library would wait on for another answer.
    const { result, error } = message;
    if (result === undefined || (isMapping(result) && error === undefined))
      this.onmessage?.(message as unknown as JSONRPCMessage);
    else
      this.#end(new NetworkError("bad-answer", `mcp.servers.${this.#server.name}: its answer is no message`));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    // A program that asks and asks, and reads no answer, would fill the memory.
    if (stdin != null && stdin.writableLength > LONGEST)
      this.#end(new NetworkError("bad-answer", `mcp.servers.${this.#server.name}: it reads no answers`));
    else stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #end(error: Error): void {
    this.#fail(error);
    this.#kill();
  }

  #kill(): void {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    child.stdout?.removeAllListeners("data");
    child.stdout?.resume();
    child.stdin?.end();
    const stop = setTimeout(() => killAll(child), GRACE_MS);
    const hasEnded = (): void => {
      clearTimeout(stop);
      killRest(child);
    };
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) hasEnded();
    else child.once("exit", hasEnded);
    this.onclose?.();
  }

  async close(): Promise<void> {
    this.#kill();
  }
}

/** The program, and what it has started. */
function killAll(child: ChildProcess): void {
  if (!WINDOWS) {
    killRest(child);
    return;
  }
  // Windows has no groups of processes: the tree is known only while its root lives.
  const ended = spawn("taskkill", ["/pid", String(child.pid), "/T", "/F"], {
    stdio: "ignore",
    windowsHide: true,
  });
  ended.on("error", () => child.kill("SIGKILL"));
}

/** What is left of the group, whose number stays taken while one of it lives. */
function killRest({ pid }: ChildProcess): void {
  if (WINDOWS || pid === undefined) return;
  host.killGroup(pid);
}
