import { createRequire } from "node:module";
import type * as TsMorph from "ts-morph";

export type { ts } from "ts-morph";

type Api = typeof TsMorph.ts;

let loaded: Api | undefined;

export function compilerApi(): Api {
  loaded ??= loadApi(createRequire(import.meta.url));
  return loaded;
}

/**
 * Loads only the compiler inside of ts-morph, which takes three quarters of the time.
 * `require`, since an import parses a CommonJS package twice.
 */
function loadApi(load: NodeJS.Require): Api {
  try {
    return createRequire(load.resolve("ts-morph"))("@ts-morph/common/dist/typescript.js") as Api;
  } catch {
    return (load("ts-morph") as typeof TsMorph).ts;
  }
}
