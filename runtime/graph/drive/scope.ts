/**
 * What is stopped together: a run, the branches of a split, or one attempt. Closing one closes all inside it. Most
 * scopes are never listened to, so that one listens to the scope around it only from then on.
 */
export interface Scope {
  readonly parent: Scope | null;
  /** Why it was closed; null while it is open. Ask `closedBy`, which knows of the scopes around it. */
  reason: Error | null;
  controller: AbortController | null;
  /** Told when the scope closes: inner scopes, timers. Null until there is one. */
  listeners: Set<(reason: Error) => void> | null;
  /** Stops listening to the scope around it. */
  detach: (() => void) | null;
}

/** Opens a scope that closes with its parent. */
export function openScope(parent: Scope | null): Scope {
  return { parent, reason: null, controller: null, listeners: null, detach: null };
}

/** Why a scope is closed; null while it is open. Cost: its depth. */
export function closedBy(scope: Scope): Error | null {
  for (let outer: Scope | null = scope; outer !== null; outer = outer.parent) {
    if (outer.reason !== null) return outer.reason;
  }
  return null;
}

/** Closes a scope and all inside it; their abort signals fire. Does nothing the second time. */
export function closeScope(scope: Scope, reason: Error): void {
  if (scope.reason !== null) return;
  scope.reason = reason;
  endScope(scope);
  const listeners = [...(scope.listeners ?? [])];
  scope.listeners = null;
  for (const listener of listeners) listener(reason);
  scope.controller?.abort(reason);
}

/** Lets go of a scope that is over without having been closed. */
export function endScope(scope: Scope): void {
  scope.detach?.();
  scope.detach = null;
}

/** Calls back when the scope closes, unless the returned function is called before. */
export function onClose(scope: Scope, listener: (reason: Error) => void): () => void {
  attach(scope);
  scope.listeners ??= new Set();
  scope.listeners.add(listener);
  return () => scope.listeners?.delete(listener);
}

function attach(scope: Scope): void {
  const { parent, detach, reason } = scope;
  if (parent === null || detach !== null || reason !== null) return;
  scope.detach = onClose(parent, (outer) => closeScope(scope, outer));
}

/** The abort signal of a scope, made when somebody first asks for it. */
export function signalFor(scope: Scope): AbortSignal {
  if (scope.controller === null) {
    attach(scope);
    scope.controller = new AbortController();
    const reason = closedBy(scope);
    if (reason !== null) scope.controller.abort(reason);
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
    const reason = closedBy(scope);
    if (reason !== null) {
      reject(reason);
      return;
    }
    const off = onClose(scope, reject);
    startTimer(scope, ms, () => {
      off();
      resolve();
    });
  });
}
