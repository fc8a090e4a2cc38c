import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { AgentError } from "../graph/contract/errors.js";
import type { Mail, MailMessage } from "../graph/contract/services.js";
import { loadPackage, missingPackages, missingText } from "../optional-packages.js";
import { readAttachment } from "../storage/attachment.js";
import { checkHost, type NetworkRules, type Resolve, resolveWithSystem } from "./checked-addresses.js";
import { type Connection, type ConnectionSource, connectionNamed } from "./connections.js";
import { deadline, until } from "./deadline.js";
import { NetworkError } from "./network-error.js";
import { readRules } from "./rules.js";

const PACKAGE = "nodemailer";

export interface MailSource {
  /** The section `network`, as it stands in the file. */
  readonly network: unknown;
  readonly connections: ConnectionSource;
  readonly others: boolean;
  /** The data folder, whose files may be attached. */
  readonly data: string;
  /** The folder of the project, whose packages are used. */
  readonly root: string;
  readonly resolve?: Resolve;
}

interface Sender {
  sendMail(message: object): Promise<unknown>;
  close(): void;
}

interface Nodemailer {
  createTransport(options: object): Sender;
}

/** Sends mails over the servers of connections. */
export function createMail(source: MailSource): Mail {
  const rules = readRules(source.network, source.others);
  return { send: (message) => send(message, source, rules) };
}

const TIMEOUT_MS = 60_000;
/** The deadline is ours: the package would give up a part of the time earlier. */
const LONGEST_MS = 2_147_483_647;

/** Name servers and mail servers that say nothing are not waited for any longer than a node may take. */
async function send(message: MailMessage, source: MailSource, rules: NetworkRules): Promise<string> {
  const connection = connectionNamed(message.connection, ["smtp"], source.connections);
  const { timeoutMs = TIMEOUT_MS } = message;
  const { signal, over } = deadline(timeoutMs, message.signal);
  try {
    return await until(signal, sendOver(connection, { ...message, signal }, source, rules));
  } catch (error) {
    if (!signal.aborted || message.signal?.aborted === true) throw error;
    const { host } = connection;
    throw new NetworkError("time-out", `the mail server ${host} did not answer within ${timeoutMs} ms`);
  } finally {
    over();
  }
}

async function sendOver(
  connection: Connection,
  message: MailMessage & { readonly signal: AbortSignal },
  source: MailSource,
  rules: NetworkRules,
): Promise<string> {
  // The configuration names the server, so a public one needs no entry.
  const options = await serverOf(connection, { ...rules, others: true }, source.resolve ?? resolveWithSystem);
  const limits = { connectionTimeout: LONGEST_MS, greetingTimeout: LONGEST_MS, socketTimeout: LONGEST_MS };
  const attachments = await Promise.all(
    message.attach.map(async (file) => ({
      filename: file.split("/").at(-1) ?? file,
      content: await readAttachment(source.data, file),
    })),
  );
  const from = String(connection.values["from"]);
  const messageId = idOf(message.key, from);
  const { to, cc, subject, text, html } = message;
  const transport = (await loadMailer(source.root)).createTransport({ ...options, ...limits });
  try {
    await transport.sendMail({
      // The package closes the connection of a mail that is cancelled, wherever it is.
      ...{ from, to: [...to], cc: [...cc], subject, messageId, attachments, signal: message.signal },
      ...(html ? { html: text } : { text }),
      headers: { "X-Flowsheet-Key": message.key },
    });
    return messageId;
  } catch (error) {
    throw failureOf(error, connection);
  } finally {
    transport.close();
  }
}

/** Connects to the address that was checked; the certificate is for the name. */
async function serverOf(connection: Connection, rules: NetworkRules, resolve: Resolve): Promise<object> {
  const { port: given, secure = false, username, password } = connection.values;
  const port = given ?? (secure === true ? 465 : 587);
  const { url, name } = addressOf(connection, Number(port));
  const { addresses, isOwn } = await checkHost(url, rules, resolve);
  const { address: host = "" } = addresses[0] ?? {};
  return {
    ...{ host, port: Number(port), secure: secure === true, disableFileAccess: true, disableUrlAccess: true },
    // A password goes over TLS, or to a host of one's own.
    requireTLS: !isOwn,
    ...(username === undefined ? {} : { auth: { user: String(username), pass: String(password ?? "") } }),
    tls: { ...(name === null ? {} : { servername: name }), rejectUnauthorized: true },
  };
}

/** A host is a name, or an address, whose certificate is for the address. IPv6 stands with brackets or without. */
function addressOf(
  { name, host }: Connection,
  port: number,
): { readonly url: URL; readonly name: string | null } {
  const bare = (host ?? "").replace(/^\[(.*)\]$/, "$1");
  const family = isIP(bare);
  const url = `http://${family === 6 ? `[${bare}]` : bare}:${port}/`;
  if ((family === 0 && /[\s:/?#@[\]%]/.test(bare)) || !URL.canParse(url)) {
    const shown = JSON.stringify((host ?? "").slice(0, 100));
    const form = "the name or the address of a mail server, such as mail.example.com";
    throw new AgentError("agent_failed", `connections.${name}.host must be ${form}, not ${shown}`);
  }
  return { url: new URL(url), name: family === 0 ? bare : null };
}

async function loadMailer(root: string): Promise<Nodemailer> {
  const missing = missingPackages([PACKAGE], root);
  if (missing.length > 0) throw new AgentError("agent_failed", missingText(missing));
  const loaded = (await loadPackage(PACKAGE, root)) as Partial<Nodemailer> & {
    readonly default?: Nodemailer;
  };
  return loaded.default ?? (loaded as Nodemailer);
}

/** The same in every attempt, so that servers may know a mail again. */
const idOf = (key: string, from: string): string => {
  const domain = /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? "flowsheet";
  return `<${createHash("sha256").update(key).digest("hex").slice(0, 32)}@${domain}>`;
};

/** What the server said is told; addresses of the network are not. */
function failureOf(error: unknown, { name, host }: Connection): Error {
  const {
    code = "",
    responseCode,
    response,
  } = error as {
    readonly code?: string;
    readonly responseCode?: number;
    readonly response?: string;
  };
  if (responseCode !== undefined)
    return new AgentError("agent_failed", `${host} answered ${response ?? responseCode}`);
  if (code === "EAUTH") return new AgentError("agent_failed", `${host} does not let connections.${name} in`);
  return new NetworkError(
    "unreachable",
    `the mail server ${host} cannot be used${code === "" ? "" : ` (${code})`}`,
  );
}
