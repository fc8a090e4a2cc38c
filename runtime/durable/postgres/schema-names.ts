/** The schema of the runs. */
export const SCHEMA = "flowsheet";

/** DBOS keeps its books apart from the runs, next to them. */
export const dbosSchemaOf = (schema: string): string => `${schema}_dbos`;
