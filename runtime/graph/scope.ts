/** What is stopped together: a run, the branches of a split, or one attempt. Closing one closes all inside it. */
export interface Scope {
  /** Why it was closed; null while it is open. */
  reason: Error | null;
  controller: AbortController | null;
  /** Told when the scope closes: inner scopes, timers. Null until there is one. */
  listeners: Set<(reason: Error) => void> | null;
  /** Stops listening to the outer scope. */
  readonly detach: () => void;
}

const nothing = (): void => {};

/** The outermost scope of a run. */
export function openRootScope(): Scope {
  return { reason: null, controller: null, listeners: null, detach: nothing };
}

/** Opens a scope that closes with its parent. */
export function openScope(parent: Scope): Scope {
  const detach = onClose(parent, (reason) => closeScope(scope, reason));
  const scope: Scope = { reason: parent.reason, controller: null, listeners: null, detach };
  return scope;
}

/** Closes a scope and all inside it; their abort signals fire. Does nothing the second time. */
export function closeScope(scope: Scope, reason: Error): void {
  if (scope.reason !== null) return;
  scope.reason = reason;
  scope.detach();
  const listeners = [...(scope.listeners ?? [])];
  scope.listeners = null;
  for (const listener of listeners) listener(reason);
  scope.controller?.abort(reason);
}

/** Calls back when the scope closes, unless the returned function is called before. */
export function onClose(scope: Scope, listener: (reason: Error) => void): () => void {
  scope.listeners ??= new Set();
  scope.listeners.add(listener);
  return () => scope.listeners?.delete(listener);
}

/** The abort signal of a scope, made when somebody first asks for it. */
export function signalFor(scope: Scope): AbortSignal {
  if (scope.controller === null) {
    scope.controller = new AbortController();
    if (scope.reason !== null) scope.controller.abort(scope.reason);
  }
  return scope.controller.signal;
}

/** The longest time that a timer can hold: a longer one would fire at once. */
export const LONGEST_MS: number = 2 ** 31 - 1;

/** Calls back after a time, unless the scope closes before or the returned function is called. */
export function startTimer(scope: Scope, ms: number, callback: () => void): () => void {
  const fire = (): void => {
    off();
    callback();
  };
  const timer = setTimeout(fire, Math.min(ms, LONGEST_MS));
  const off = onClose(scope, () => clearTimeout(timer));
  return () => {
    off();
    clearTimeout(timer);
  };
}

/** Waits; rejects when the scope closes. */
export function sleep(scope: Scope, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    if (scope.reason !== null) {
      reject(scope.reason);
      return;
    }
    const off = onClose(scope, reject);
    startTimer(scope, ms, () => {
      off();
      resolve();
    });
  });
}
