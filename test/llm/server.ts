import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A question as a model's server got it. */
export interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: the body is whatever the product sends
  readonly body: any;
}

/** Answers one question. */
export type Reply = (response: ServerResponse, asked: Asked) => void;

/** A small server of models on loopback, which goes away with the test. The last reply is repeated. */
export async function modelServer(...replies: readonly Reply[]): Promise<{
  readonly url: string;
  readonly asked: readonly Asked[];
  /** How many connections are open. */
  readonly open: () => Promise<number>;
}> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const { url: path = "", headers } = request;
      const one = { path, headers, body: text === "" ? null : JSON.parse(text) };
      asked.push(one);
      (replies[asked.length - 1] ?? replies.at(-1))?.(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = (): Promise<number> =>
    new Promise((resolve, reject) =>
      server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  return { url: `http://127.0.0.1:${port}/v1`, asked, open };
}

/** An answer with a status, a body and headers. */
export const status =
  (code: number, body: unknown = { error: { message: `made up ${code}` } }, headers = {}): Reply =>
  (response) => {
    response.writeHead(code, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

/** What OpenAI's chat completions answer. */
export const says = (content: string | null, usage = { prompt_tokens: 11, completion_tokens: 7 }): Reply =>
  status(200, {
    id: "c1",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
  });

/** What Anthropic's messages answer. */
export const claudeSays = (content: readonly object[], stop = "end_turn"): Reply =>
  status(200, {
    id: "m1",
    type: "message",
    role: "assistant",
    model: "m",
    content,
    stop_reason: stop,
    stop_sequence: null,
    usage: { input_tokens: 5, output_tokens: 3 },
  });

/** What Google's generateContent answers. */
export const geminiSays = (text: string): Reply =>
  status(200, {
    candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 2, totalTokenCount: 6 },
  });

/** Half of an answer, and then nothing but the end of the connection. */
export const breaksOff: Reply = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"id": "c1", "choi');
  setTimeout(() => response.destroy(), 20);
};

/** No answer at all. */
export const hangs: Reply = () => {};

/** An address where nobody listens. */
export async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/v1`;
}
