// Makes a project in a temporary folder: a copy of the built package, the agents, the sheets, the modules that the
// compiler prints of them, and the modules written by hand.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** @param {readonly import("./shapes.js").Shape[]} shapes */
export function prepareProject(shapes) {
  const folder = mkdtempSync(join(tmpdir(), "flowsheet-bench-"));
  const inside = (...parts) => join(folder, ...parts);
  // A copy, so that a build in the meantime changes nothing.
  cpSync(join(root, "dist"), inside("node_modules/flowsheet/dist"), { recursive: true });
  cpSync(join(root, "package.json"), inside("node_modules/flowsheet/package.json"));
  for (const name of ["agents", "hand", "workflows"]) mkdirSync(inside(name));
  writeFileSync(inside("package.json"), '{ "type": "module" }\n');
  cpSync(new URL("agents.js", import.meta.url), inside("agents/agents.js"));
  for (const { id, sheet, bare, careful } of shapes) {
    writeFileSync(inside("workflows", `${id}.csv`), sheet);
    writeFileSync(inside("hand", `bare-${id}.js`), bare);
    writeFileSync(inside("hand", `careful-${id}.js`), careful);
  }
  compileAll(folder, shapes);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The compiler's modules, and the same as JavaScript beside them. */
function compileAll(folder, shapes) {
  const sheets = shapes.map(({ id }) => `workflows/${id}.csv`);
  const bin = join(root, "dist/cli/bin.js");
  execFileSync(process.execPath, [bin, "compile", "--quiet", ...sheets], { cwd: folder, stdio: "pipe" });
  const generated = join(folder, "generated");
  for (const file of readdirSync(generated)) {
    const { code } = transformSync(readFileSync(join(generated, file), "utf8"), { loader: "ts" });
    writeFileSync(join(generated, file.replace(/\.ts$/, ".js")), code);
  }
}
