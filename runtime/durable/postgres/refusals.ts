import { StoreError } from "../store-error.js";

/** What one meets with the server, by the codes of https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const MESSED_UP: readonly string[] = ["40001", "40P01"];
/** A class of codes, or a whole code: the server is away, is stopped, is full, or has become one that only reads. */
const AWAY = /^(08|57P0|53|25006|25P03)/;
/** PgBouncer has one code for all that it refuses. Its words tell what does not pass by itself. */
const POOLER_CODE = "08P01";
const POOLER_REFUSES =
  /authentication failed|no such (?:user|database)|transaction blocks not allowed|unsupported startup parameter/;
/** It is there, and takes nothing. */
const UNWRITABLE = /^(53[124]|25006)/;
/** Those of Node, and of TLS when a connection is cut. */
const CUT: readonly string[] = [
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "EHOSTDOWN"],
  ...["ENETUNREACH", "ENETDOWN", "ENOTFOUND", "EAI_AGAIN", "ENOENT", "ENOTCONN", "ERR_STREAM_DESTROYED"],
];
/** `pg` gives these no code. */
const CUT_SAID =
  /^(Connection terminated|timeout e|Query read timeout|Client has encountered a connection error)/;

/** Another transaction came between: done again, it succeeds. */
export const isConflict = (error: unknown): boolean => MESSED_UP.includes(codeOf(error));

/** The server cannot be reached, or does not take what is written. Whether the last call was done is not known. */
export const isAway = (error: unknown): boolean =>
  (AWAY.test(codeOf(error)) && !isRefusedByPooler(error)) ||
  CUT.includes(codeOf(error)) ||
  CUT_SAID.test(saidBy(error));

const isRefusedByPooler = (error: unknown): boolean =>
  codeOf(error) === POOLER_CODE && POOLER_REFUSES.test(saidBy(error));

/** The same step, run, wait or event is there. */
export class AlreadyThere extends Error {}

/** What is told of it: never the URL, the password, or values. */
export function refusal(place: string, error: unknown): Error {
  if (error instanceof StoreError || error instanceof AlreadyThere) return error;
  const code = codeOf(error);
  const said = saidBy(error);
  if (isAway(error)) {
    const what = UNWRITABLE.test(code) ? "written" : "reached";
    return new StoreError("store_unwritable", `the run store ${place} cannot be ${what}: ${said}`, {
      help: `what is stored stays, and goes on when it can be ${what}`,
    });
  }
  if (/^XX00[12]/.test(code))
    return new StoreError("store_damaged", `the run store ${place} is damaged: ${said}`);
  if (isConflict(error) || code === "55P03" || code === "57014")
    return new StoreError("store_busy", `the run store ${place} is held by others: ${said}`);
  const why = UNUSABLE.find(({ is }) => is.test(code) || is.test(said));
  if (why !== undefined)
    return new StoreError("store_unusable", `the run store ${place} cannot be used: ${said}`, {
      help: why.help,
    });
  if (TOO_MUCH.test(code))
    return new StoreError("input_invalid", `the run store ${place} cannot keep this: ${said}`);
  if (code === "23505") return new AlreadyThere(`the run store ${place} has this already: ${said}`);
  // A mistake of ours. What the server tells beside the message holds values.
  return new Error(`the run store ${place} refused a statement: ${said} (${code})`);
}

/** Signs that a text cannot hold, numbers that are too long or none, texts that no index takes. */
const TOO_MUCH = /^(22021|22P05|22P02|22003|54000)/;

const UNUSABLE: readonly { readonly is: RegExp; readonly help: string }[] = [
  {
    is: /no encryption|SSL off/,
    help: "when the server asks for TLS, write sslmode=require; else its pg_hba.conf must admit this machine",
  },
  {
    is: /transaction blocks not allowed/,
    help: "the pooler must be in transaction mode, or in session mode",
  },
  { is: /unsupported startup parameter/, help: "leave options out of the database's URL" },
  {
    is: /^(28|SASL|no such user|password authentication failed)/,
    help: "the user or the password of the database's URL is not right",
  },
  { is: /^(3D000|no such database)/, help: "make the database, or name another one in its URL" },
  {
    is: /^42501/,
    help: "let somebody with the right to make tables run what flowsheet runs setup --print writes",
  },
  { is: /^(42P01|3F000|42P07|42703|42704)/, help: "flowsheet runs setup makes the tables" },
  { is: /SSL|CERT|ALTNAME/i, help: "look at sslmode in the database's URL" },
];

/** A name may have several addresses: the first of them says enough. */
function causeOf(error: unknown): { readonly code?: unknown; readonly message?: unknown } {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return typeof first === "object" && first !== null ? first : { message: String(first) };
}

function codeOf(error: unknown): string {
  const { code } = causeOf(error);
  return typeof code === "string" ? code : "";
}

const saidBy = (error: unknown): string => String(causeOf(error).message ?? "") || codeOf(error);
