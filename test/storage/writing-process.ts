import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const DIST = new URL("../../dist/runtime/index.js", import.meta.url).href;
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A process that runs a graph of a sheet again and again; `state` is code that may use the round's number `i`. */
export function startRuns(
  cwd: string,
  { rounds, state }: { readonly rounds: number; readonly state: string },
): { readonly child: ChildProcess; readonly ended: Promise<string> } {
  const code = `
    const { Flowsheet } = await import(${JSON.stringify(DIST)});
    const flowsheet = new Flowsheet();
    for (let i = 0; i < ${rounds}; i++) {
      const result = await flowsheet.runWorkflow({ csvPath: "s.csv", initialState: ${state} });
      if (!result.success) throw new Error(result.error.message);
      if (i === 0) console.log("begun");
    }
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { cwd, stdio: "pipe" });
  const errors: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  const ended = new Promise<string>((done) =>
    child.on("close", () => done(Buffer.concat(errors).toString())),
  );
  return { child, ended };
}
