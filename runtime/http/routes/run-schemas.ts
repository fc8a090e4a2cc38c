import { z } from "zod";
import type { RunStatus } from "../../durable/rows.js";

export const STATUSES = [
  "queued",
  "running",
  "waiting",
  "stuck",
  "completed",
  "failed",
  "cancelled",
] as const satisfies readonly RunStatus[];

const time = z.string().nullable();

const told = {
  run_id: z.string(),
  graph_name: z.string(),
  sheet: z.string().nullable(),
  sheet_gone: z
    .literal(true)
    .optional()
    .meta({ description: "The sheet is there no more. The run goes on." }),
  version: z.string().nullable(),
  status: z.enum(STATUSES),
  key: z.string().nullable(),
  started_by: z.string().nullable(),
  created_at: z.string(),
  started_at: time,
  ended_at: time,
  due_at: time,
  deadline_at: time,
  suspended_at: time,
  recoveries: z.int(),
  held: z.string().nullable().meta({ description: "Why it cannot go on at present." }),
  error: z.looseObject({ code: z.string(), message: z.string(), node: z.string().nullable() }).nullable(),
  waiting: z.array(
    z.object({
      node: z.string(),
      field: z.string().nullable(),
      prompt: z.string(),
      options: z.array(z.string()).nullable(),
      assignee: z
        .array(z.string())
        .nullable()
        .meta({ description: "Users and `role:name` who may answer; null: whoever may answer at all." }),
      until: time,
      refused: z
        .enum(["not_assignee", "starter_may_not_answer"])
        .optional()
        .meta({ description: "Why the caller may not answer." }),
    }),
  ),
  forked_from: z
    .object({ run_id: z.string(), at: z.string() })
    .optional()
    .meta({ description: "Of a fork: its parent, and the visit that it was forked at." }),
};

export const run = z.object(told).meta({ id: "Run" });

export const runPage = z
  .object({
    runs: z.array(run),
    next_cursor: z.string().nullable(),
    total: z.int().nullable().meta({ description: "Of the filter; null over 10,000." }),
    counts: z
      .record(z.string(), z.int())
      .meta({ description: "By status, of the filter without its status." }),
  })
  .meta({ id: "RunPage" });

const visit = z
  .object({
    n: z.int(),
    node: z.string(),
    visit: z.int(),
    branch: z.array(z.int()),
    attempt: z.int(),
    began_at: z.string(),
    ms: z.number(),
    outcome: z.string(),
    inputs: z.json(),
    prompt: z.json(),
    cut: z.array(z.string()).meta({
      description:
        "JSON pointers to what is too long to be kept: of it `inputs` and `prompt` have only the beginning, as text.",
    }),
    writes: z.json(),
    error: z.string().nullable(),
    answered_by: z.string().nullable(),
    answered_at: time,
    asks: z
      .object({
        interaction: z
          .enum(["approval", "choice", "text"])
          .nullable()
          .meta({ description: "With one the answer may be `{answer, comment}`." }),
        opened_at: time,
        remind_at: time,
        escalate_at: time,
      })
      .optional()
      .meta({ description: "Of a visit whose question is open." }),
  })
  .meta({ id: "Visit" });

export const runDetail = z
  .object({
    ...told,
    state: z.record(z.string(), z.json()).optional(),
    path: z.array(z.string()).optional(),
    steps: z.int().optional(),
    duration_ms: z.number().optional(),
    visits: z.array(visit).optional(),
    next_cursor: z.string().nullable().optional(),
  })
  .meta({ id: "RunDetail" });

/** Of a run that others work on. */
export const accepted = z
  .object({ run_id: z.string(), status: z.enum(STATUSES) })
  .meta({ id: "AcceptedRun" });
