/** What is stopped together: a run, a branch of it, or one attempt. Closing one closes all inside it. */
export interface Scope {
  /** Why it was closed; null while it is open. */
  reason: Error | null;
  controller: AbortController | null;
  readonly parent: Scope | null;
  /** Told when the scope closes: inner scopes, timers. */
  readonly listeners: Set<(reason: Error) => void>;
  readonly detach: () => void;
}

const nothing = (): void => {};

/** Opens a scope; an inner one closes with its parent. */
export function openScope(parent: Scope | null): Scope {
  const scope: Scope = {
    reason: parent?.reason ?? null,
    controller: null,
    parent,
    listeners: new Set(),
    detach: parent === null ? nothing : onClose(parent, (reason) => closeScope(scope, reason)),
  };
  return scope;
}

/** Closes a scope and all inside it; their abort signals fire. Does nothing the second time. */
export function closeScope(scope: Scope, reason: Error): void {
  if (scope.reason !== null) return;
  scope.reason = reason;
  scope.detach();
  for (const listener of [...scope.listeners]) listener(reason);
  scope.listeners.clear();
  scope.controller?.abort(reason);
}

/** Calls back when the scope closes, unless the returned function is called before. */
export function onClose(scope: Scope, listener: (reason: Error) => void): () => void {
  scope.listeners.add(listener);
  return () => scope.listeners.delete(listener);
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
const LONGEST = 2 ** 31 - 1;

/** Calls back after a time, unless the scope closes before or the returned function is called. */
export function startTimer(scope: Scope, ms: number, callback: () => void): () => void {
  const timer = setTimeout(
    () => {
      off();
      callback();
    },
    Math.min(ms, LONGEST),
  );
  const off = onClose(scope, () => clearTimeout(timer));
  return () => {
    off();
    clearTimeout(timer);
  };
}

/** Waits; rejects when the scope closes. */
export function sleep(scope: Scope, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    if (scope.reason !== null) return reject(scope.reason);
    const off = onClose(scope, reject);
    startTimer(scope, ms, () => {
      off();
      resolve();
    });
  });
}
