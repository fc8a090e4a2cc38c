import { createRequire } from "node:module";
import type * as TsMorph from "ts-morph";

export type { ts } from "ts-morph";

type Api = typeof TsMorph.ts;

let loaded: Api | undefined;

/** The compiler that ts-morph brings, loaded when it is first asked for. */
export function compilerApi(): Api {
  loaded ??= loadApi(createRequire(import.meta.url));
  return loaded;
}

/**
 * Takes the compiler alone where it lies in a file of its own: without all of ts-morph around it, it is there in
 * three quarters of the time. By `require`, since an import reads the text of such packages twice.
 */
function loadApi(load: NodeJS.Require): Api {
  try {
    return createRequire(load.resolve("ts-morph"))("@ts-morph/common/dist/typescript.js") as Api;
  } catch {
    return (load("ts-morph") as typeof TsMorph).ts;
  }
}
