/** A server of tools by hand: it also does what no good one does. It writes what it was called with to `calls.jsonl`. */
export const PROGRAM = `
import { appendFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const text = (text) => ({ content: [{ type: "text", text }] });
const tools = {
  add: ({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b, of: [a, b] } }),
  say: ({ what }) => text("you said " + what),
  env: () => ({ ...text(""), structuredContent: { names: Object.keys(process.env).sort(), token: process.env.TOKEN ?? null } }),
  refuse: () => ({ ...text("no such customer"), isError: true }),
  leak: () => ({ ...text("the token is " + process.env.TOKEN), isError: true }),
  wrong: () => ({ ...text("x"), structuredContent: { sum: "many" } }),
  huge: () => text("x".repeat(11_000_000)),
  never: () => null,
  child: () => {
    const left = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
    return text(String(left.pid));
  },
  die: () => (process.stderr.write("begins\\nno licence for " + process.env.TOKEN + " here\\n"), process.exit(3)),
  noisy: () => {
    for (let i = 0; i < 300; i++) process.stderr.write("at " + i + " the token is " + process.env.TOKEN + "\\n");
    return text("done");
  },
  long: () => (process.stderr.write("first\\n\\u001b[31mred " + "é".repeat(5_000) + process.env.TOKEN), process.exit(3)),
  edge: () => (process.stderr.write("x".repeat(1_990) + process.env.TOKEN + "\\nand then " + process.env.TOKEN.slice(0, 9)), process.stderr.write(process.env.TOKEN.slice(9)), process.exit(3)),
  cut: () => (process.stdout.write('{"jsonrpc":"2.0","id":'), process.exit(0)),
  junk: () => (process.stdout.write("not a message\\n\\n{}\\n"), text("after junk")),
  odd: () => "no result",
  both: () => (send({ id: current, result: text("x"), error: { code: 1, message: "y" } }), null),
  deaf: () => {
    process.stdin.pause();
    const pad = "x".repeat(100_000);
    const ask = () => (process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: pad, method: "ping" }) + "\\n") ? setImmediate(ask) : process.stdout.once("drain", ask));
    ask();
    return null;
  },
};
let current = null;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === "initialize")
    return send({ id, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "t", version: "1" } } });
  if (method !== "tools/call") return send({ id, error: { code: -32601, message: "no such method" } });
  appendFileSync("calls.jsonl", JSON.stringify({ ...params, capable: null }) + "\\n");
  const tool = tools[params.name];
  if (tool === undefined) return send({ id, error: { code: -32602, message: "there is no such tool" } });
  current = id;
  const result = tool(params.arguments);
  if (result !== null) send({ id, result });
});
`;
