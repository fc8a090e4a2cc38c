export { type CsvOptions, toCsv } from "./graph-csv.js";
export { type GraphOptions, graphs } from "./random-graphs.js";
export { runs, type ScriptOptions, scripts } from "./scripts.js";
