import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { Host } from "../host.js";
import { once } from "../lazy.js";

export interface Owner {
  /** Identifies the machine, its boot and its process namespace, since a process id is unique only there. */
  readonly place: string;
  readonly pid: number;
  /** The start time of the process, since process ids are reused. Null where it is unknown. */
  readonly started: string | null;
}

/** The lease: without heartbeats for this long, an owner on another machine counts as gone. */
export const LEASE_MS = 120_000;

export function currentOwner({ pid }: Host): Owner {
  return { place: placeOfProcesses(), pid, started: processAt("self")?.started ?? null };
}

export const ownerName = ({ place, pid, started }: Owner): string => `${place}-${pid}-${started ?? ""}`;

export function parseOwner(name: string): Owner | null {
  const found = /^([0-9a-f]{16})-(\d{1,10})-(\d{0,20})$/.exec(name);
  if (found === null) return null;
  const [, place = "", pid = "", started = ""] = found;
  return { place, pid: Number(pid), started: started === "" ? null : started };
}

/**
 * True when the owner cannot be running. On the same machine its process is looked up. Elsewhere, or before a reboot,
 * the age of its last heartbeat decides.
 */
export function isGone(owner: Owner, seenAt: number, host: Host, leaseMs: number = LEASE_MS): boolean {
  if (owner.place === placeOfProcesses()) {
    if (owner.started !== null) return processAt(owner.pid)?.started !== owner.started;
    if (!host.isAlive(owner.pid)) return true;
  }
  return Date.now() - seenAt > leaseMs;
}

const placeOfProcesses = once(() =>
  createHash("sha256").update(placeFacts().join("|")).digest("hex").slice(0, 16),
);

function placeFacts(): readonly string[] {
  try {
    return [readFileSync("/proc/sys/kernel/random/boot_id", "utf8"), readlinkSync("/proc/self/ns/pid")];
  } catch {
    return [hostname()];
  }
}

/** Null when there is no such process, or when it is a zombie. */
function processAt(pid: number | "self"): { readonly started: string } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The process name in parentheses may contain spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const [state = "", started = ""] = [fields[0], fields[19]];
    return state === "Z" || state === "X" || !/^\d+$/.test(started) ? null : { started };
  } catch {
    return null;
  }
}
