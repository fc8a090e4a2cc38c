import { Engine } from "../engine/engine.js";
import { Requests } from "./requests.js";

/** The compiler of this page. */
export const engine = new Engine();

let requests = new Requests({});

/** The server, asked with what this page was let in with. */
export const server = (): Requests => requests;

export const useServer = (next: Requests): void => {
  requests = next;
};
