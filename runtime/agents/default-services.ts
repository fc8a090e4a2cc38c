import type { Services } from "../graph/contract/contract.js";

/** In a variable, so that bundlers do not resolve it. A bundle of a graph then holds no models and no storage. */
const SERVICES = "flowsheet/services";

interface Module {
  readonly servicesFor: (folder: string) => Services;
}

/** Those of the project around the working folder, on demand: a module runs without any setup. */
export async function defaultServices(): Promise<Services> {
  const { servicesFor } = (await import(/* @vite-ignore */ SERVICES)) as Module;
  return servicesFor(".");
}
