import type { Digraph } from "./digraph.js";

/** Strongly connected components, numbered so that every edge leads to the same or a higher number. */
export interface Components {
  readonly of: Int32Array;
  readonly count: number;
}

/** Tarjan's algorithm without recursion; nodes for which `skip` says so are left out (-1). Linear. */
export function findComponents(graph: Digraph, skip: (v: number) => boolean = () => false): Components {
  const search = new Search(graph, skip);
  for (let v = 0; v < graph.size; v++) if (search.order[v] === 0 && !skip(v)) search.from(v);
  // Tarjan closes the last component first.
  for (let v = 0; v < graph.size; v++) {
    const closed = search.component[v] as number;
    if (closed >= 0) search.component[v] = search.count - 1 - closed;
  }
  return { of: search.component, count: search.count };
}

class Search {
  readonly order: Int32Array;
  readonly component: Int32Array;
  count = 0;
  readonly #graph: Digraph;
  readonly #skip: (v: number) => boolean;
  readonly #low: Int32Array;
  readonly #edge: Int32Array;
  readonly #open: number[] = [];
  #clock = 0;

  constructor(graph: Digraph, skip: (v: number) => boolean) {
    this.#graph = graph;
    this.#skip = skip;
    this.order = new Int32Array(graph.size);
    this.component = new Int32Array(graph.size).fill(-1);
    this.#low = new Int32Array(graph.size);
    this.#edge = graph.start.slice(0, graph.size);
  }

  from(root: number): void {
    const path = [this.#enter(root)];
    while (path.length > 0) {
      const v = path[path.length - 1] as number;
      const w = this.#nextEdge(v);
      if (w === undefined) {
        path.pop();
        this.#leave(v, path[path.length - 1]);
      } else if (this.order[w] === 0) {
        path.push(this.#enter(w));
      } else if (this.component[w] === -1) {
        this.#lower(v, this.order[w] as number);
      }
    }
  }

  #enter(v: number): number {
    this.#clock++;
    this.order[v] = this.#clock;
    this.#low[v] = this.#clock;
    this.#open.push(v);
    return v;
  }

  #nextEdge(v: number): number | undefined {
    const { start, to } = this.#graph;
    for (let i = this.#edge[v] as number; i < (start[v + 1] as number); i++) {
      const w = to[i] as number;
      if (this.#skip(w)) continue;
      this.#edge[v] = i + 1;
      return w;
    }
    this.#edge[v] = start[v + 1] as number;
    return undefined;
  }

  #lower(v: number, to: number): void {
    if (to < (this.#low[v] as number)) this.#low[v] = to;
  }

  #leave(v: number, parent: number | undefined): void {
    if (this.#low[v] === this.order[v]) this.#close(v);
    else if (parent !== undefined) this.#lower(parent, this.#low[v] as number);
  }

  #close(v: number): void {
    for (let w = this.#open.pop(); w !== undefined; w = this.#open.pop()) {
      this.component[w] = this.count;
      if (w === v) break;
    }
    this.count++;
  }
}
