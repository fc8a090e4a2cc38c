// The long form of the kill matrix: npm run chaos. The sources are bundled, as the test runner does not start here.
import { join } from "node:path";
import { bundleProgram } from "./bundle.js";

const root = join(import.meta.dirname, "..", "..");
process.chdir(root);
await import(await bundleProgram(root, "main"));
