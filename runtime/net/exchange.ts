import { type IncomingMessage, request as plainRequest, type RequestOptions } from "node:http";
import { request as tlsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { ENCODINGS, readBody } from "./answer-body.js";
import type { HostAddress } from "./checked-addresses.js";
import { NetworkError } from "./network-error.js";

export type Headers = { readonly [name: string]: string };

/** One request to a host that was checked. */
export interface Exchange {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array | null;
  readonly addresses: readonly HostAddress[];
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  /** Certificates that are trusted beside those of the machine. */
  readonly ca?: string | undefined;
}

export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Answers such as `103 Early Hints`, which a server may send before the real one, as often as it likes. */
const MOST_INTERIM = 20;

/** Sends a request and reads its answer. It follows no redirect. */
export function exchange(one: Exchange): Promise<Answer> {
  const { url, signal, body } = one;
  return new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? tlsRequest : plainRequest;
    const sent = send(url, optionsOf(one));
    sent.on("error", (error) => reject(signal.aborted ? signal.reason : failureOf(error, url.host)));
    sent.on("response", (answer) => {
      take(answer, one).then(resolve, (error) => reject(signal.aborted ? signal.reason : error));
    });
    // No request asks for another protocol; an answer that offers one would leave the socket open.
    sent.on("upgrade", (_answer, socket) => {
      socket.destroy();
      reject(new NetworkError("bad-answer", `${url.host} answers with another protocol`));
    });
    let interim = 0;
    sent.on("information", () => {
      if (++interim <= MOST_INTERIM) return;
      sent.destroy();
      reject(new NetworkError("bad-answer", `${url.host} announces its answer again and again`));
    });
    sent.end(body ?? undefined);
  });
}

function optionsOf({ method, headers, body, addresses, signal, ca }: Exchange): RequestOptions {
  const length = body === null ? {} : { "content-length": String(body.byteLength) };
  return {
    method,
    signal,
    headers: { "accept-encoding": ENCODINGS, "user-agent": "flowsheet", ...headers, ...length },
    lookup: lookupIn(addresses),
    // No connection is used again: it may have been opened under other rules.
    agent: false,
    insecureHTTPParser: false,
    // The environment of the process cannot turn the check of certificates off.
    ...{ rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
  };
}

/** Gives the addresses that were checked, whatever the name resolves to by now. */
function lookupIn(addresses: readonly HostAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family);
  };
}

async function take(answer: IncomingMessage, { url, method, maxBytes }: Exchange): Promise<Answer> {
  const body = await readBody(answer, { method, host: url.host, most: maxBytes });
  return { status: answer.statusCode ?? 0, headers: headersOf(answer), body };
}

const headersOf = ({ headers }: IncomingMessage): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value = ""]) => [
      name,
      Array.isArray(value) ? value.join(", ") : value,
    ]),
  );

/** Node's words may name an address, so they are not told. */
function failureOf(error: NodeJS.ErrnoException, host: string): NetworkError {
  const code = error.code ?? "";
  if (CERTIFICATE.test(code))
    return new NetworkError("bad-certificate", `${host} has no valid certificate (${code})`);
  if (/^HPE_|^ERR_HTTP/.test(code))
    return new NetworkError("bad-answer", `${host} does not answer in HTTP (${code})`);
  if (code === "ECONNRESET" || code === "EPIPE")
    return new NetworkError("unreachable", `${host} closed the connection`);
  return new NetworkError("unreachable", `${host} cannot be reached${code === "" ? "" : ` (${code})`}`);
}

const CERTIFICATE = /CERT|^ERR_TLS|^ERR_SSL|^EPROTO$|UNABLE_TO|SELF_SIGNED/;
