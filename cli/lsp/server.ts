import {
  createProtocolConnection,
  InitializedNotification,
  InitializeRequest,
  LSPErrorCodes,
  type Message,
  MessageType,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  ShowMessageNotification,
  ShutdownRequest,
} from "vscode-languageserver/node";
import { host } from "../../runtime/host.js";
import { EXIT } from "../failure.js";
import type { Context } from "../process/context.js";
import { version } from "../version.js";
import { createRenewal, refreshDrawn } from "./around/renewal.js";
import { type Watching, watch } from "./around/watching.js";
import { capabilities } from "./capabilities.js";
import { answerAll } from "./features.js";
import { takeNotifications } from "./notifications.js";
import { createDesk } from "./open/desk.js";
import type { OpenFile } from "./open/open-file.js";
import { createPublishing, type Publishing } from "./open/publishing.js";
import { createRequests } from "./requests.js";
import { createTeller, type Teller } from "./teller.js";
import { type Client, clientOf } from "./wire/client.js";
import { Owed } from "./wire/owed.js";
import { WireReader, WireWriter } from "./wire/wire.js";

/** How often it is looked whether the client's process is still there. */
const WATCH_CLIENT_MS = 1_000;

/** Serves one editor until it leaves; answers the exit code. */
export function serveEditor(context: Context, clientProcess: number | null): Promise<number> {
  return new Promise((resolve) => {
    const ends: (() => void)[] = [];
    const leave = (inOrder: boolean): void => {
      for (const end of ends.splice(0)) end();
      resolve(inOrder ? EXIT.done : EXIT.findings);
    };
    const connection = connect(context, leave, ends);
    const teller = createTeller(context, (message) => {
      void connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Warning, message });
    });
    // A promise that nobody waits for must not end the server of an editor.
    ends.push(context.events.onStray((thrown) => teller.bug("a task", thrown)));
    if (clientProcess !== null) ends.push(watchClient(clientProcess, leave));
    serve({ connection, context, teller, leave, ends });
    connection.listen();
  });
}

type Leave = (inOrder: boolean) => void;

function connect(context: Context, leave: Leave, ends: (() => void)[]): ProtocolConnection {
  const chunks: Chunks = context.stdin.chunks();
  ends.push(() => chunks.destroy?.());
  const owed = new Owed();
  const writer = new WireWriter(context.stdout, leave, owed);
  const refuse = (message: object): void => void writer.write(message);
  const reader = new WireReader({ chunks, refuse, leave, owed });
  const { note, detail } = context;
  const logger = { error: note, warn: note, info: detail, log: detail };
  const connectionStrategy = { cancelUndispatched: refuseCancelled };
  return createProtocolConnection(reader, writer, logger, { connectionStrategy });
}

/** A stream of Node can be closed, so that it does not keep the process. */
type Chunks = AsyncIterable<Uint8Array> & { readonly destroy?: () => void };

/** A request that still waits is answered at once when it is cancelled. */
const refuseCancelled = (message: Message & { readonly id?: unknown }) => ({
  jsonrpc: "2.0",
  id: typeof message.id === "string" || typeof message.id === "number" ? message.id : null,
  error: { code: LSPErrorCodes.RequestCancelled, message: "the request was cancelled" },
});

interface Serving {
  readonly connection: ProtocolConnection;
  readonly context: Context;
  readonly teller: Teller;
  readonly leave: Leave;
  readonly ends: (() => void)[];
}

function serve({ connection, context, teller, leave, ends }: Serving): void {
  let client: Client | null = null;
  let roots: readonly string[] = [];
  let watching: Watching | null = null;
  const { desk, publishing, onText } = createTexts(context, connection, teller, () => roots);
  const onProjects = (): void => watching?.follow(desk.worlds.projects());
  const renewal = createRenewal(desk, () => {
    onProjects();
    if (client !== null) refreshDrawn(connection, client);
  });
  ends.push(renewal.end, publishing.end, () => watching?.end());
  connection.onRequest(InitializeRequest.type, (params) => {
    client = clientOf(params);
    roots = client.roots;
    if (client.processId !== null) ends.push(watchClient(client.processId, leave));
    const requests = createRequests({ connection, desk, onBug: teller.bug });
    answerAll(requests, { connection, context, client, desk });
    return { capabilities, serverInfo: { name: "flowsheet", version } };
  });
  connection.onRequest(ShutdownRequest.type, () => {});
  connection.onNotification(InitializedNotification.type, () => {
    if (client === null) return;
    const onChange = (path: string): void => renewal.changed([path]);
    watching = watch({ connection, client, onChange, onFault: teller.bug });
    onProjects();
  });
  const onFolders = (added: readonly string[], removed: readonly string[]): void => {
    roots = [...roots.filter((root) => !removed.includes(root)), ...added];
  };
  takeNotifications({ connection, desk, publishing, renewal, teller, onProjects, onText, onFolders });
}

/** The open files, and what is told of them. */
function createTexts(
  context: Context,
  connection: ProtocolConnection,
  teller: Teller,
  roots: () => readonly string[],
) {
  /** Files whose changes others have not seen yet. */
  const changed = new Set<OpenFile>();
  const desk = createDesk({
    context,
    roots,
    tell: teller.problem,
    onStale: (file, soon) => publishing.plan(file, soon),
  });
  const publishing: Publishing = createPublishing({
    context,
    desk,
    send: (params) => void connection.sendNotification(PublishDiagnosticsNotification.type, params),
    onTold: (file) => {
      if (changed.delete(file)) desk.spread(file);
    },
    onBug: teller.bug,
  });
  return { desk, publishing, onText: (file: OpenFile) => void changed.add(file) };
}

function watchClient(processId: number, leave: Leave): () => void {
  const timer = setInterval(() => {
    if (!host.isAlive(processId)) leave(false);
  }, WATCH_CLIENT_MS);
  return () => clearInterval(timer);
}
