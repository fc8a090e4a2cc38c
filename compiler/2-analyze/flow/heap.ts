/** A binary min-heap of node numbers ordered by a key that each node has for good. */
export interface Heap {
  readonly push: (node: number) => void;
  /** The node of least key, or undefined when empty. */
  readonly pop: () => number | undefined;
  /** The least key, or Infinity when empty. */
  readonly least: () => number;
  readonly clear: () => void;
}

export function createHeap(key: Int32Array): Heap {
  const heap: number[] = [];
  const keyAt = (i: number): number => key[heap[i] as number] as number;
  const swap = (i: number, j: number): void => {
    const node = heap[i] as number;
    heap[i] = heap[j] as number;
    heap[j] = node;
  };
  const rise = (from: number): void => {
    for (let i = from; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (keyAt(parent) <= keyAt(i)) return;
      swap(i, parent);
      i = parent;
    }
  };
  const sink = (): void => {
    for (let i = 0; ; ) {
      const left = 2 * i + 1;
      if (left >= heap.length) return;
      const right = left + 1;
      const child = right < heap.length && keyAt(right) < keyAt(left) ? right : left;
      if (keyAt(i) <= keyAt(child)) return;
      swap(i, child);
      i = child;
    }
  };
  return {
    push: (node) => {
      heap.push(node);
      rise(heap.length - 1);
    },
    pop: () => {
      const top = heap[0];
      const last = heap.pop();
      if (heap.length > 0 && last !== undefined) {
        heap[0] = last;
        sink();
      }
      return top;
    },
    least: () => (heap.length === 0 ? Number.POSITIVE_INFINITY : keyAt(0)),
    clear: () => {
      heap.length = 0;
    },
  };
}
