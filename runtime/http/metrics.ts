import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { RunStatus } from "../durable/rows.js";
import type { StoreStats } from "../durable/store.js";
import type { WorkflowResult } from "../runs/result.js";

/** Of the store of runs, as Prometheus shows it. */
export interface KeptFigures {
  readonly stats: StoreStats;
  readonly hasWorkers: boolean;
}

export interface Measured {
  /** The number of running runs. */
  readonly busy: () => number;
  readonly workflows: () => number;
  /** Null without a store; rejects when it cannot be read. */
  readonly kept: () => Promise<KeptFigures | null>;
}

const STATUSES: readonly RunStatus[] = [
  ...(["queued", "running", "waiting", "stuck"] as const),
  ...(["completed", "failed", "cancelled"] as const),
];

/** Makes the metrics of one service. */
export function createMetrics({ busy, workflows, kept }: Measured) {
  const registry = new Registry();
  const registers = [registry];
  const runs = new Counter({
    name: "flowsheet_runs_total",
    help: "Runs by how they ended.",
    labelNames: ["graph", "status"],
    registers,
  });
  const steps = new Counter({
    name: "flowsheet_steps_total",
    help: "Node visits.",
    registers,
  });
  const answers = new Histogram({
    name: "flowsheet_http_request_duration_seconds",
    help: "Requests by route and status.",
    labelNames: ["route", "status"],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10, 60],
    registers,
  });
  new Gauge({
    name: "flowsheet_runs_active",
    help: "Runs under way.",
    registers,
    collect() {
      this.set(busy());
    },
  });
  new Gauge({
    name: "flowsheet_workflows",
    help: "Workflows of the folder.",
    registers,
    collect() {
      this.set(workflows());
    },
  });
  const tellKept = keptGauges(registers);
  return {
    ran: ({ graph, status, steps: visits }: Pick<WorkflowResult, "graph" | "status" | "steps">) => {
      runs.inc({ graph, status });
      steps.inc(visits);
    },
    answered: (route: string, status: number, seconds: number) => answers.observe({ route, status }, seconds),
    /** All metrics in the format of Prometheus. */
    text: async () => {
      await kept().then(tellKept, () => tellKept(null));
      return registry.metrics();
    },
  };
}

/** The gauges of the store. Without figures it cannot be read, and they are left out. */
function keptGauges(registers: Registry[]): (figures: KeptFigures | null) => void {
  const gauge = (name: string, help: string, ...labelNames: string[]): Gauge =>
    new Gauge({ name: `flowsheet_${name}`, help, labelNames, registers });
  const runs = gauge("kept_runs", "Runs of the store by status.", "status");
  const due = gauge("due_runs", "Queued runs whose time has come.");
  const oldest = gauge("oldest_wait_seconds", "How long the oldest open question has waited.");
  const workers = gauge("has_workers", "1 when somebody works on the runs of the store.");
  return (figures) => {
    for (const one of [runs, due, oldest, workers]) one.reset();
    if (figures === null) return;
    const { stats, hasWorkers } = figures;
    for (const status of STATUSES) runs.set({ status }, stats.counts[status] ?? 0);
    due.set(stats.due);
    oldest.set(stats.oldestWait === null ? 0 : Math.max(0, (Date.now() - stats.oldestWait) / 1_000));
    workers.set(hasWorkers ? 1 : 0);
  };
}
