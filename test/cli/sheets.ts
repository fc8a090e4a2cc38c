/** The canonical header of a sheet. */
export const HEADER =
  "graph_name,node_name,next_node,context,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt";
export const ASK = "Support,Ask,Answer,,input,,,,question,What is your question?";
export const ANSWER = "Support,Answer,,,echo,,,question,answer,You asked: {question}";

/** A cell in quotes. */
export const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** A sheet of these lines. */
export const sheetOf = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** A sheet without a problem: one graph of two nodes. */
export const CLEAN: string = sheetOf(HEADER, ASK, ANSWER);
/** One error: a target that is misspelt. */
export const BROKEN: string = sheetOf(HEADER, ASK.replace("Answer", "Anwser"), ANSWER);
/** One warning, which has no fix: a node that nothing leads to. */
export const WARNED: string = sheetOf(HEADER, ASK, ANSWER, "Support,Extra,,,echo,,,,extra,Hello");
/** One error that is mended safely: a graph's name that was in a merged cell. */
export const MERGED: string = sheetOf(HEADER, ASK, ANSWER.replace("Support", ""));
