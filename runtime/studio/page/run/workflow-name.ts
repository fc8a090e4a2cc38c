import { graph, opened } from "../state.js";

/** The workflow's name, with its sheet's: others may have a graph of that name. */
export const workflowName = (): string => `${opened.value?.group ?? ""}::${graph.value?.name ?? ""}`;
