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
import { tellListeners } from "./connection/hear.js";
import { engine, server, useServer } from "./connection/present.js";
import { Refusal, Requests } from "./connection/requests.js";
import { beginEditing, editsMade, heardOfSheet, heardOfWorld, isUnsaved } from "./editing/sheet-editing.js";
import {
  chosen,
  drawn,
  entry,
  failure,
  graph,
  isConnected,
  opened,
  session,
  sheets,
  subject,
} from "./state.js";

export { server } from "./connection/present.js";

/** The number of the last question for a sheet: answers to older ones are dropped. */
let asked = 0;

/** Begins with what the address and the tab hold. */
export async function begin(): Promise<void> {
  const { credential, at } = await takeStart();
  if (credential === null) entry.value = "asked";
  else await enterWhenThere(credential, at);
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

/** A server that does not answer is no reason to ask for the key again: it is tried until it does. */
async function enterWhenThere(credential: Credential, at: string | null): Promise<void> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    const came = await enter(credential, at);
    if (came === "no") entry.value = "asked";
    if (came !== "silent") return;
    entry.value = "waiting";
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

type Came = "in" | "no" | "silent";

/** A person has typed a key or a token: whether it opens the page, or nobody says so. */
export async function enterWith(text: string, isKept: boolean): Promise<Came> {
  let came: Came = "no";
  for (const kind of ["key", "token"] as const) {
    const credential = { kind, text };
    came = await enter(credential, null);
    if (came === "in" && isKept) keepCredential(credential);
    if (came !== "no") return came;
  }
  return came;
}

async function enter(credential: Credential, at: string | null): Promise<Came> {
  useServer(new Requests(headersOf(credential)));
  try {
    session.value = await server().session();
  } catch (error) {
    if (!(error instanceof Refusal) || error.status === 429 || error.status >= 500) return "silent";
    if (error.status === 401) forgetCredential();
    return "no";
  }
  entry.value = "in";
  beginAt(at);
  addEventListener("popstate", arriveAtAddress);
  keepOpening();
  // The rows of a sheet that is wanted come first: to list all, the server understands each.
  if (subject.peek().sheet === null) void listSheets();
  addEventListener("beforeunload", (event) => {
    if (isUnsaved()) event.preventDefault();
  });
  void follow(server(), { told, connected, refused });
  return "in";
}

const connected = (is: boolean): void => {
  isConnected.value = is;
  // What could not be shown without a connection is asked for again.
  if (is && failure.peek() !== null) void openSheet();
};

const refused = (): void => {
  forgetCredential();
  entry.value = "asked";
};

function told(event: StreamedEvent): void {
  const { type, data } = event;
  const { name, etag } = data;
  if (type === "sheet" || type === "resync") void listSheets();
  if (type === "sheet" && typeof name === "string") {
    if (name === subject.value.sheet && opened.value?.name !== name) void openSheet();
    heardOfSheet(name, typeof etag === "string" ? etag : null);
  }
  if (type === "resync" && opened.value !== null) heardOfSheet(opened.value.name, null);
  if (type === "world" || type === "resync") void renewWorld();
  tellListeners(event);
}

async function renewWorld(): Promise<void> {
  const world = await server()
    .world()
    .catch(() => null);
  if (world !== null) heardOfWorld(world);
}

/** Opens the sheet that is looked at, whatever led to it. */
function keepOpening(): void {
  const sheet = computed(() => subject.value.sheet);
  effect(() => {
    if (sheet.value !== null) void untracked(openSheet);
  });
}

/** Draws the graph that is looked at, and draws it again when its sheet has changed. */
export function keepDrawing(): void {
  let isAsked = false;
  const draw = async (): Promise<void> => {
    const now = graph.peek();
    if (isAsked || now === null || now === drawn.peek()?.graph) return;
    isAsked = true;
    const drawing = await engine.ask({ kind: "draw", graph: now.name }).finally(() => {
      isAsked = false;
    });
    if (drawing !== null) drawn.value = { graph: now, drawing };
    // It may have changed meanwhile; what was between is not drawn.
    if (graph.peek() !== now) void draw();
  };
  effect(() => {
    if (graph.value === null) drawn.value = null;
    else void draw();
  });
}

const listOnce = (): void => {
  if (sheets.peek() === null) void listSheets();
};

async function listSheets(): Promise<void> {
  if (session.value?.can.includes("read") !== true) return;
  sheets.value = await server()
    .sheets()
    .catch(() => sheets.value);
}

/** Shows the sheet that is looked at; nothing is asked for when it is shown already. */
async function openSheet(): Promise<void> {
  const { sheet } = subject.value;
  if (sheet === null || opened.value?.name === sheet) return;
  const number = ++asked;
  try {
    const disk = await server().sheet(sheet).finally(listOnce);
    // What is still worked out is an edit of the sheet that is shown, and of no other one.
    await editsMade();
    if (number !== asked) return;
    failure.value = null;
    // Whoever has chosen a cell before the sheet was understood keeps it.
    chosen.value = null;
    await beginEditing(sheet, disk, server().world());
    if (number === asked && chosen.peek() === null) chooseByPlace();
  } catch (error) {
    if (number === asked) fail(sheet, error);
  }
}

function fail(sheet: string, error: unknown): void {
  opened.value = null;
  failure.value =
    error instanceof Refusal && error.status === 404
      ? `There is no sheet ${sheet} any more. Choose another one.`
      : `${sheet} cannot be shown. ${whyOf(error)}`;
}

function whyOf(error: unknown): string {
  if (!(error instanceof Refusal)) return "The server did not answer: open it again when it does.";
  const { message, details, requestId } = error;
  const log = requestId === "" ? [] : [`The server's log tells more: request ${requestId}`];
  return [message, ...details, ...log].map((one) => one.replace(/\.$/, "")).join(". ");
}
