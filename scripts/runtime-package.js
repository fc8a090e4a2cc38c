// Makes the package flowsheet-runtime in dist-runtime/: what generated modules need, and nothing else.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundle, bundleYaml, licencesOf, runtimeName, vendoredYaml } from "./bundle.js";
import { declarationsOf } from "./prune-declarations.js";

const FOLDER = "dist-runtime";
const NAME = "flowsheet-runtime";
const ENTRIES = {
  ".": "runtime/for-modules",
  "./graph": "runtime/graph/index",
  "./agents": "runtime/agents/index",
  "./services": "runtime/services",
  "./runs": "runtime/durable/index",
};

/** Started by their paths. */
const PROGRAMS = ["runtime/net/databases/sqlite-process"];

/** Packages of our own that it needs; the build fails when it imports others. */
const NEEDED = ["proper-lockfile"];

/** Builds it; the declarations of the whole stand in dist/ already. */
export async function buildRuntimePackage() {
  rmSync(FOLDER, { recursive: true, force: true });
  const outdir = `${FOLDER}/dist`;
  const metafile = await bundle({
    entries: [...Object.values(ENTRIES), ...PROGRAMS].map((entry) => `${entry}.ts`),
    outdir,
    plugins: [vendoredYaml, runtimeName(NAME)],
  });
  const yaml = await bundleYaml(outdir);
  const own = JSON.parse(readFileSync("package.json", "utf8"));
  checkImports(metafile, own);
  for (const file of declarationsOf(Object.values(ENTRIES).map((entry) => `dist/${entry}.d.ts`))) {
    mkdirSync(dirname(join(FOLDER, file)), { recursive: true });
    copyFileSync(file, join(FOLDER, file));
  }
  writeFileSync(`${outdir}/LICENSES-OF-BUNDLED-PACKAGES.txt`, licencesOf([metafile, yaml]));
  writeFileSync(`${FOLDER}/package.json`, `${JSON.stringify(description(own), null, 2)}\n`);
  writeFileSync(`${FOLDER}/README.md`, README);
  copyFileSync("LICENSE", `${FOLDER}/LICENSE`);
}

function checkImports({ outputs }, { peerDependencies }) {
  const known = [...NEEDED, ...Object.keys(peerDependencies)];
  for (const [file, { imports }] of Object.entries(outputs))
    for (const { path, external } of imports)
      if (external && !known.includes(path) && !path.startsWith("node:"))
        throw new Error(`${file} imports ${path}, which ${NAME} does not bring`);
}

/** Its package.json: the same version as the whole, always. */
function description({
  version,
  license,
  engines,
  dependencies,
  optionalDependencies,
  peerDependencies,
  peerDependenciesMeta,
}) {
  const exports = Object.entries(ENTRIES).map(([path, entry]) => [
    path,
    { types: `./dist/${entry}.d.ts`, default: `./dist/${entry}.js` },
  ]);
  return {
    name: NAME,
    version,
    description: "Runs the TypeScript modules that flowsheet makes of sheets.",
    license,
    type: "module",
    engines,
    sideEffects: false,
    files: ["dist"],
    exports: { ...Object.fromEntries(exports), "./package.json": "./package.json" },
    dependencies: Object.fromEntries(NEEDED.map((name) => [name, dependencies[name]])),
    optionalDependencies,
    peerDependencies,
    peerDependenciesMeta,
  };
}

const README = `# flowsheet-runtime

Runs the TypeScript modules that [flowsheet](https://www.npmjs.com/package/flowsheet) makes of sheets: the driver, the built-in agents,
language models and files. There is no compiler in it, no server and no command line.

\`\`\`sh
npm install flowsheet-runtime
npm install --save-dev flowsheet
\`\`\`

Both have the same version. Write \`generated_import: flowsheet-runtime\` into \`flowsheet.yaml\`, and \`flowsheet compile\` makes modules that
import this package. Your own agents import it, too: \`import { Agent } from "flowsheet-runtime"\`.
`;
