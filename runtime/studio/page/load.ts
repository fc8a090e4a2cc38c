import { computed, effect, untracked } from "@preact/signals";
import { arriveAtAddress, beginAt, chooseByPlace } from "./choose.js";
import {
  type Credential,
  forgetCredential,
  headersOf,
  keepCredential,
  takeStart,
} from "./connection/credential.js";
import type { StreamedEvent } from "./connection/event-stream.js";
import { follow } from "./connection/follow.js";
import { Refusal, Requests } from "./connection/requests.js";
import { Engine } from "./engine/engine.js";
import {
  chosen,
  drawn,
  entry,
  failure,
  graph,
  isConnected,
  opened,
  place,
  session,
  sheets,
} from "./state.js";

const engine = new Engine();
let requests = new Requests({});

export const server = (): Requests => requests;

/** The number of the last question for a sheet: answers to older ones are dropped. */
let asked = 0;

/** Begins with what the address and the tab hold. */
export async function begin(): Promise<void> {
  const { credential, at } = await takeStart();
  if (credential === null || !(await enter(credential, at))) entry.value = "asked";
}

/** A person has typed a key or a token; false when it opens nothing. */
export async function enterWith(text: string, isKept: boolean): Promise<boolean> {
  for (const kind of ["key", "token"] as const) {
    const credential = { kind, text };
    if (!(await enter(credential, null))) continue;
    if (isKept) keepCredential(credential);
    return true;
  }
  return false;
}

async function enter(credential: Credential, at: string | null): Promise<boolean> {
  requests = new Requests(headersOf(credential));
  try {
    session.value = await requests.session();
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) forgetCredential();
    return false;
  }
  entry.value = "in";
  beginAt(at);
  addEventListener("popstate", arriveAtAddress);
  void listSheets();
  keepOpening();
  void follow(requests, { told, connected, refused });
  return true;
}

const connected = (is: boolean): void => {
  isConnected.value = is;
};

const refused = (): void => {
  forgetCredential();
  entry.value = "asked";
};

function told({ type, data }: StreamedEvent): void {
  const isOwn = type === "sheet" && data["name"] === place.value.sheet;
  if (type === "sheet" || type === "resync") void listSheets();
  if (type === "world" || type === "resync" || isOwn) void openSheet({ again: true });
}

/** Opens the sheet of the address, whatever led to it. */
function keepOpening(): void {
  const sheet = computed(() => place.value.sheet);
  effect(() => {
    if (sheet.value !== null) void untracked(openSheet);
  });
}

/** Draws the graph that is looked at, and draws it again when its sheet has changed. */
export function keepDrawing(): void {
  let last = 0;
  effect(() => {
    const { name, nodes } = graph.value ?? { name: "", nodes: [] };
    const number = ++last;
    if (nodes.length === 0) {
      drawn.value = null;
      return;
    }
    void engine.ask({ kind: "draw", graph: name }).then((drawing) => {
      if (number === last) drawn.value = { graph: name, drawing };
    });
  });
}

async function listSheets(): Promise<void> {
  sheets.value = await requests.sheets().catch(() => sheets.value);
}

/** Shows the sheet of the address; nothing is asked for when it is shown already. */
export async function openSheet({ again = false } = {}): Promise<void> {
  const { sheet } = place.value;
  if (sheet === null || (!again && opened.value?.name === sheet)) return;
  const number = ++asked;
  try {
    const [{ text, etag }, world] = await Promise.all([requests.sheet(sheet), requests.world()]);
    const understood = await engine.ask({ kind: "open", file: sheet, text, world });
    const group = world.sheets.find(({ name }) => name === sheet)?.group ?? "";
    if (number === asked) show({ ...understood, name: sheet, etag, group });
  } catch (error) {
    if (number === asked) fail(sheet, error);
  }
}

function show(next: NonNullable<typeof opened.value>): void {
  const isOther = opened.value?.name !== next.name;
  failure.value = null;
  opened.value = next;
  const { record } = chosen.value ?? { record: -1 };
  if (isOther || !next.rows.some((row) => row.record === record)) chooseByPlace();
}

function fail(sheet: string, error: unknown): void {
  opened.value = null;
  failure.value =
    error instanceof Refusal && error.status === 404
      ? `There is no sheet ${sheet} any more. Choose another one.`
      : `${sheet} cannot be shown: ${error instanceof Error ? error.message : "the server did not answer"}.`;
}
