import { readHealthy } from "../../compiler/1-parse/text/records.js";
import type { Json } from "../graph/contract/contract.js";
import type { WebCall } from "../graph/contract/services.js";
import { isReserved } from "../graph/values/values.js";
import type { Headers } from "./exchange.js";
import { NetworkError } from "./network-error.js";

interface Read {
  readonly host: string;
  readonly headers: Headers;
  readonly body: Buffer;
  readonly parse: WebCall["parse"];
}

/** The body of an answer as data. */
export function valueOfAnswer({ host, headers, body, parse }: Read): Json {
  if (body.length === 0) return parse === "text" ? "" : null;
  const text = textIn(body, host);
  const kind = parse === "auto" ? kindOf(headers["content-type"] ?? "") : parse;
  if (kind === "text") return text;
  return kind === "json" ? jsonIn(text, host) : rowsIn(text, host);
}

function kindOf(contentType: string): "json" | "csv" | "text" {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "application/json" || type.endsWith("+json")) return "json";
  return type === "text/csv" ? "csv" : "text";
}

function textIn(body: Buffer, host: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw new NetworkError("bad-answer", `the answer of ${host} is no text in UTF-8`);
  }
}

function jsonIn(text: string, host: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new NetworkError("bad-answer", `the answer of ${host} is no JSON: it begins with ${begin(text)}`);
  }
}

const begin = (text: string): string => JSON.stringify(text.slice(0, 60));

/** Rows as mappings from column names to texts. */
function rowsIn(text: string, host: string): Json {
  const first = text.slice(0, text.search(/[\r\n]|$/));
  const delimiter = ([",", ";", "\t"] as const).find((one) => first.includes(one)) ?? ",";
  const [header = [], ...rows] = readHealthy(text, delimiter) ?? brokenCsv(host);
  const filled = rows.filter((cells) => cells.some((cell) => cell !== ""));
  return filled.map((cells) =>
    Object.fromEntries(
      header.flatMap((name, index) => (name === "" || isReserved(name) ? [] : [[name, cells[index] ?? ""]])),
    ),
  );
}

function brokenCsv(host: string): never {
  throw new NetworkError("bad-answer", `the answer of ${host} is no CSV: its quotes are not closed`);
}
