import { parentPort, Worker } from "node:worker_threads";
import { host } from "../../host.js";
import { messageFor, runStatement, type SqliteRequest } from "./sqlite-statement.js";

/** JSON of the result, or what is told of an error. */
export type SqliteAnswer = { readonly json: string } | { readonly error: string };

// A process of its own: nothing else can stop a statement that SQLite is at work on. SQLite has a thread in it, so
// that the process notices when its parent is gone, and does not go on with the statement.
if (parentPort === null) serve();
else parentPort.on("message", (request: SqliteRequest) => parentPort?.postMessage(answer(request)));

function serve(): void {
  const { parent } = host;
  if (parent === undefined) return;
  parent.endWith();
  const thread = new Worker(new URL(import.meta.url));
  parent.listen((message) => thread.postMessage(message));
  thread.on("message", (message: SqliteAnswer) => parent.send(message));
}

function answer(request: SqliteRequest): SqliteAnswer {
  try {
    return { json: runStatement(request) };
  } catch (error) {
    return { error: messageFor(error, request.path) };
  }
}
