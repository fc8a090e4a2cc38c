import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { WorkflowResult } from "../runs/result.js";

/** Makes the metrics of one service. `busy` is the number of running runs. */
export function createMetrics(busy: () => number, workflows: () => number) {
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
  return {
    ran: ({ graph, status, steps: visits }: WorkflowResult) => {
      runs.inc({ graph, status });
      steps.inc(visits);
    },
    answered: (route: string, status: number, seconds: number) => answers.observe({ route, status }, seconds),
    /** All metrics in the format of Prometheus. */
    text: () => registry.metrics(),
  };
}
