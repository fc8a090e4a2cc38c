/** Counts bad credentials by address. */
export interface Attempts {
  /** Counts one; null while there are not too many. */
  readonly fail: (address: string | undefined, now: number) => TooMany | null;
}

/** More bad credentials than an address may send. */
export interface TooMany {
  readonly seconds: number;
  /** So many it may send. */
  readonly most: number;
  /** The first of its window that is too many: what is worth a line in the log. */
  readonly first: boolean;
}

export interface AttemptLimits {
  /** So many a window get their answer. */
  readonly most?: number;
  readonly windowMs?: number;
  /** So many addresses are remembered: the oldest are forgotten first. */
  readonly addresses?: number;
}

interface Window {
  readonly since: number;
  count: number;
}

/** Remembers bad credentials of the last minute, in bounded memory. */
export function createAttempts({
  most = 20,
  windowMs = 60_000,
  addresses = 10_000,
}: AttemptLimits = {}): Attempts {
  const windows = new Map<string, Window>();
  return {
    fail: (address, now) => {
      const name = networkOf(address);
      let window = windows.get(name);
      // A clock that was set back must not lock anybody out for longer than a window.
      if (window === undefined || now - window.since >= windowMs || now < window.since) {
        windows.delete(name);
        window = { since: now, count: 0 };
        windows.set(name, window);
        if (windows.size > addresses) forgetOldest(windows);
      }
      window.count++;
      if (window.count <= most) return null;
      const seconds = Math.max(1, Math.ceil((window.since + windowMs - now) / 1_000));
      return { seconds, most, first: window.count === most + 1 };
    },
  };
}

function forgetOldest(windows: Map<string, Window>): void {
  for (const name of windows.keys()) {
    windows.delete(name);
    return;
  }
}

/** An IPv4 address, or the network of an IPv6 one: whoever has one address of it has them all. */
function networkOf(address = "unknown"): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("%", 1)[0]?.split("::", 2) ?? [];
  const groups = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === "" ? 0 : tail.split(":").length);
  const full = [...groups, ...Array<string>(Math.max(0, missing)).fill("0"), ...(tail ?? "").split(":")];
  return full.slice(0, 4).join(":").toLowerCase();
}
