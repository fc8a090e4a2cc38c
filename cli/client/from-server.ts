import { z } from "zod";
import type { ClientWorkflow } from "../../compiler/3-emit/client/emit-client.js";
import { readAllowed } from "../../runtime/net/allowed.js";
import { NetworkError } from "../../runtime/net/network-error.js";
import { createSafeFetch } from "../../runtime/net/safe-fetch.js";
import { UsageError } from "../failure.js";

const MOST_BYTES = 20_000_000;
/** Requests at once: a server limits its callers. */
const AT_ONCE = 8;

const list = z.object({
  workflows: z.array(z.object({ name: z.string(), valid: z.boolean() })),
  next_cursor: z.string().nullable(),
});

const schema = z.record(z.string(), z.json());
const detail = z.object({
  name: z.string(),
  description: z.string(),
  inputs: schema,
  state: schema,
  questions: z.array(z.object({ node: z.string(), answer: schema })).default([]),
});

/** The workflows of a running server. Those with errors are left out, since nobody can run them. */
export async function workflowsOfServer(
  address: string,
  key: string | null,
): Promise<readonly ClientWorkflow[]> {
  const ask = askerOf(address, key);
  const names: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: z.infer<typeof list> = await ask(
      `/workflows${cursor === "" ? "" : `?cursor=${cursor}`}`,
      list,
    );
    names.push(...page.workflows.flatMap(({ name, valid }) => (valid ? [name] : [])));
    cursor = page.next_cursor === null ? null : encodeURIComponent(page.next_cursor);
  }
  const found: ClientWorkflow[] = [];
  for (let from = 0; from < names.length; from += AT_ONCE) {
    const some = names.slice(from, from + AT_ONCE);
    found.push(...(await Promise.all(some.map((name) => ask(`/workflows/${pathOf(name)}`, detail)))));
  }
  return found;
}

/** Names may hold slashes, which stand as they are. */
const pathOf = (name: string): string => name.split("/").map(encodeURIComponent).join("/");

type Ask = <T>(path: string, shape: z.ZodType<T>) => Promise<T>;

function askerOf(address: string, key: string | null): Ask {
  const base = baseOf(address);
  const server = readAllowed(new URL(base).host);
  // Whoever names a server means it, wherever it is.
  const send = createSafeFetch({ allow: server === null ? [] : [server], private: true, others: true });
  const secrets = key === null ? {} : { "X-API-Key": key };
  return async (path, shape) => {
    const request = { url: base + path, headers: { Accept: "application/json" }, secrets };
    const { status, body } = await send({ ...request, maxBytes: MOST_BYTES }).catch((error: unknown) => {
      if (!(error instanceof NetworkError)) throw error;
      throw new UsageError(error.message, "is this the address of a Flowsheet server?");
    });
    if (status === 401 || status === 403)
      throw new UsageError(
        `${base} refuses to tell its workflows`,
        "put a key that may read into FLOWSHEET_KEY",
      );
    if (status !== 200) throw new UsageError(`${base} answers ${path} with the status ${status}`);
    const read = shape.safeParse(parsed(body.toString("utf8")));
    if (read.success) return read.data;
    throw new UsageError(`${base} answers ${path} as no Flowsheet server does`);
  };
}

function baseOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `--server ${JSON.stringify(address)} is no address`,
      "such as http://127.0.0.1:8000",
    );
  if (url.username !== "" || url.password !== "")
    throw new UsageError("the address holds a user or a password", "put a key into FLOWSHEET_KEY");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
