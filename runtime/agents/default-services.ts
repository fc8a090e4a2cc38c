import type { Services } from "../graph/contract/contract.js";

/** In a variable, so that bundlers do not resolve it. A bundle of a graph then holds no models and no storage. */
const SERVICES = "flowsheet/services";

interface Module {
  readonly servicesFor: (folder: string) => Services;
}

/**
 * The services of the project around the working folder. They let a generated module run without any setup. They are
 * loaded only on demand.
 */
export async function defaultServices(): Promise<Services> {
  const { servicesFor } = (await import(/* @vite-ignore */ SERVICES)) as Module;
  return servicesFor(".");
}
