import { host } from "../../host.js";
import { messageFor, runStatement, type SqliteRequest } from "./sqlite-statement.js";

/** JSON of the result, or what is told of an error. */
export type SqliteAnswer = { readonly json: string } | { readonly error: string };

// A process of its own: nothing else can stop a statement that SQLite is at work on.
host.parent?.listen((message) => {
  const request = message as SqliteRequest;
  host.parent?.send(answer(request));
});

function answer(request: SqliteRequest): SqliteAnswer {
  try {
    return { json: runStatement(request) };
  } catch (error) {
    return { error: messageFor(error, request.path) };
  }
}
