export const RUNS_WITH_VALUES = "runs JOIN run_values ON run_values.run = runs.n";
/** A run's number, by its id. */
export const N = "(SELECT n FROM runs WHERE run_id = ?)";
