import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface LocalServer extends AsyncDisposable {
  readonly port: number;
  /** `127.0.0.1:port`, as `network.allow` names it. */
  readonly host: string;
  readonly asked: Asked[];
}

type Answering = (asked: Asked, answer: ServerResponse) => void;

/** A server on this machine that notes what it is asked. */
export async function listen(
  answering: Answering,
  tls?: { readonly key: string; readonly cert: string },
): Promise<LocalServer> {
  const asked: Asked[] = [];
  const take: RequestListener = async (request, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "", headers } = request;
    const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
    asked.push(one);
    answering(one, answer);
  };
  const server = tls === undefined ? createServer(take) : createTlsServer(tls, take);
  server.on("error", () => {});
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    host: `127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
