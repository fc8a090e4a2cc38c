import { AgentError, asksToWait } from "../graph/contract/errors.js";
import type { Notice } from "../graph/contract/services.js";
import {
  type Connection,
  type ConnectionKind,
  type ConnectionSource,
  connectionNamed,
} from "./connections.js";
import { retryAfter } from "./retry-after.js";
import type { SafeFetch } from "./safe-fetch.js";

type NoticeKind = Extract<ConnectionKind, "slack" | "teams" | "discord" | "webhook" | "telegram">;

const KINDS: readonly NoticeKind[] = ["slack", "teams", "discord", "webhook", "telegram"];

/** The most characters that each service takes. */
const LONGEST: { readonly [K in NoticeKind]: number } = {
  slack: 40_000,
  teams: 20_000,
  discord: 2_000,
  webhook: 1_000_000,
  telegram: 4_096,
};

/** In Slack, `<!here>` and `<@user>` are mentions: without these three characters there are none. */
const forSlack = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** What each service is sent. Values of a run make no mentions. */
const bodies: { readonly [K in NoticeKind]: (text: string, connection: Connection) => object } = {
  slack: (text) => ({ text: forSlack(text), link_names: false }),
  teams: (text) => ({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [{ type: "TextBlock", text: forTeams(text), wrap: true }],
        },
      },
    ],
  }),
  discord: (text) => ({ content: forDiscord(text), allowed_mentions: { parse: [] } }),
  webhook: (text) => ({ text }),
  // Without a parse mode, nothing in the text is markup.
  telegram: (text, { values }) => ({ chat_id: values["chat"], text }),
};

/** The text of a card is Markdown; a mention is `<at>`. */
const forTeams = (text: string): string => text.replace(/[\\`*_[\]<>#~|]/g, "\\$&");

/** In Discord, `[words](address)` hides where a link leads. A backslash before it would take away the one that helps. */
const forDiscord = (text: string): string => text.replace(/[\\[]/g, "\\$&");

/** Sends a message to a service for messages. */
export async function sendNotice(
  send: SafeFetch,
  { connection: name, text, key, timeoutMs, signal }: Notice,
  source: ConnectionSource,
): Promise<void> {
  const connection = connectionNamed(name, KINDS, source);
  const kind = connection.kind as NoticeKind;
  const most = LONGEST[kind];
  if (text.length > most)
    throw new AgentError(
      "agent_failed",
      `a message to ${kind} has at most ${most} characters, not ${text.length}`,
    );
  const url = addressOf(connection);
  const headers = { "content-type": "application/json", "idempotency-key": key };
  const body = JSON.stringify(bodies[kind](text, connection));
  // The address is the secret, so nothing may be told of it, and no redirect may see the message.
  const answer = await send({
    url,
    method: "POST",
    headers,
    body,
    timeoutMs,
    signal,
    secretAddress: true,
    isConfigured: true,
  });
  if (answer.status >= 200 && answer.status < 300) return;
  throw failed(kind, answer.status, answer.headers["retry-after"]);
}

function failed(kind: NoticeKind, status: number, wait: string | undefined): AgentError {
  const error = new AgentError("agent_failed", `${kind} answered ${status}: the message was not taken`);
  return asksToWait(error, retryAfter(wait));
}

function addressOf({ kind, values }: Connection): string {
  if (kind !== "telegram") return String(values["url"]);
  const base = String(values["base_url"] ?? "https://api.telegram.org").replace(/\/+$/, "");
  return `${base}/bot${values["token"]}/sendMessage`;
}
