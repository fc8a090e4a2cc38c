/** The values of the run that an input may read, with their names in the code of modules. */
export const RUN_VALUES = {
  $run_id: "runId",
  $graph: "graph",
  $started_at: "startedAt",
  $started_by: "startedBy",
  $now: "now",
  $today: "today",
} as const;

export type RunValue = keyof typeof RUN_VALUES;

/** No field can have such a name. */
export const isRunValue = (name: string): name is RunValue =>
  name.startsWith("$") && Object.hasOwn(RUN_VALUES, name);

/** Nobody need have started a run by name. */
export const mayBeNobody = (name: string): boolean => name === "$started_by";

/** The usual name of a time zone; null when there is none of that name. */
export function timezoneNamed(name: unknown): string | null {
  if (typeof name !== "string" || !/^[A-Za-z]/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
