/** Options of node that name each module it loads on stderr. */
export const TRACING = [
  "--no-warnings",
  "--import",
  `data:text/javascript,${encodeURIComponent(`
  import { register } from "node:module";
  register("data:text/javascript," + encodeURIComponent(\`
    import { writeSync } from "node:fs";
    export async function load(url, context, next) {
      writeSync(2, "load " + url + "\\\\n");
      return next(url, context);
    }
  \`));
`)}`,
];

/** The modules that a process with these options has loaded. */
export const loadedModules = (stderr: string): readonly string[] =>
  stderr.split("\n").flatMap((line) => (line.startsWith("load ") ? [line.slice("load ".length)] : []));
