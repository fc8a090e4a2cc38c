import type { KeptStatus, RunSummary } from "../run/records.js";

/** Runs that are looked at together. */
export interface Group {
  readonly name: string;
  readonly title: string;
  readonly statuses: readonly KeptStatus[];
}

/** The loudest first. */
export const GROUPS: readonly Group[] = [
  { name: "failed", title: "Failed", statuses: ["failed", "stuck"] },
  { name: "waiting", title: "Waiting", statuses: ["waiting"] },
  { name: "running", title: "Running", statuses: ["running", "queued"] },
  { name: "completed", title: "Completed", statuses: ["completed"] },
  { name: "stopped", title: "Stopped", statuses: ["cancelled"] },
];

export const isOf = ({ statuses }: Group, { status }: Pick<RunSummary, "status">): boolean =>
  statuses.includes(status);

export const numberIn = (group: Group, counts: { readonly [S in KeptStatus]: number }): number =>
  group.statuses.reduce((sum, status) => sum + counts[status], 0);
