import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where this run of the tests keeps the packed packages: each is packed when it is first asked for. */
    readonly packed: string;
  }
}

/** Makes that folder before the tests, and removes it after them. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "flowsheet-packed-"));
  project.provide("packed", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
