import type { BuildOptions } from "esbuild";

export function bundleForBrowser(
  contents: string,
  options: BuildOptions & { readonly resolveDir: string },
): Promise<{ readonly text: string; readonly inputs: readonly string[] }>;
