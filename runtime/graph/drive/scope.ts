import { AgentError } from "../contract/errors.js";

/**
 * Things that stop together: a run, the branches of a split, or one attempt. Closing a scope closes all scopes inside
 * it. A scope listens to its parent only when it has a listener itself, because most never have one.
 */
export interface Scope {
  readonly parent: Scope | null;
  /** Why it was closed; null while it is open. `closedBy` also asks the scopes around it. */
  reason: Error | null;
  controller: AbortController | null;
  /** Called when the scope closes: inner scopes, timers. Null until there is one. */
  listeners: Set<(reason: Error) => void> | null;
  /** Stops listening to the scope around it. */
  detach: (() => void) | null;
}

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

/** Closes a scope and all scopes inside it, which aborts their signals. A second call does nothing. */
export function closeScope(scope: Scope, reason: Error): void {
  if (scope.reason !== null) return;
  scope.reason = reason;
  endScope(scope);
  const listeners = [...(scope.listeners ?? [])];
  scope.listeners = null;
  for (const listener of listeners) listener(reason);
  scope.controller?.abort(reason);
}

/** Detaches a scope that has ended without being closed. */
export function endScope(scope: Scope): void {
  scope.detach?.();
  scope.detach = null;
}

/** Calls the listener when the scope closes. The returned function removes the listener. */
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

/** The abort signal of a scope, created on first use. */
export function signalFor(scope: Scope): AbortSignal {
  if (scope.controller === null) {
    attach(scope);
    scope.controller = new AbortController();
    const reason = closedBy(scope);
    if (reason !== null) scope.controller.abort(reason);
  }
  return scope.controller.signal;
}

/** The longest delay of a timer: setTimeout fires at once for longer ones. */
export const LONGEST_MS: number = 2 ** 31 - 1;

/** Calls back after a delay. Closing the scope or calling the returned function stops the timer. */
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

/** The error of a time-out. */
export function tooSlow(ms: number, what: string): AgentError {
  return new AgentError("node_timeout", `${what} within ${ms} ms`);
}

/** A promise that also rejects when the scope closes. */
export function whileOpen<T>(scope: Scope, promise: PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const off = onClose(scope, reject);
    promise.then(
      (value) => {
        off();
        resolve(value);
      },
      (thrown) => {
        off();
        reject(thrown);
      },
    );
  });
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
