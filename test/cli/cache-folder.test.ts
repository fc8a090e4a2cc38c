import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { usableCache } from "../../runtime/agents/custom/cache-folder.js";
import { createFolder } from "./folder.js";

afterEach(() => vi.unstubAllEnvs());

/** Nobody can make a folder below a file, not even root. */
const wanted = (): string => join(createFolder({ file: "" }), "file", "cache");

test("where the project cannot be written, bundles of agents are kept among temporary files", () => {
  const folder = createFolder({});
  vi.stubEnv("TMPDIR", folder);
  expect(usableCache(wanted())).toMatch(new RegExp(`^${folder}/`));
});

test("where these cannot be written either, the error names both folders and the cure", () => {
  const [project, temporary] = [wanted(), wanted()];
  vi.stubEnv("TMPDIR", temporary);
  expect(() => usableCache(project)).toThrow(
    expect.objectContaining({
      code: "agent_unusable",
      message: `agents are bundled, and the bundles can be written neither to ${project} nor to ${temporary}; make one of them writable, or name another with TMPDIR`,
    }),
  );
});
