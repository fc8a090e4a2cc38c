import type { Services } from "../graph/contract/contract.js";

/** Held in a variable: bundlers leave it alone, so a bundle of a graph holds no models and no storage. */
const SERVICES = "flowsheet/services";

interface Module {
  readonly servicesFor: (folder: string) => Services;
}

/**
 * The services of the project that the working folder belongs to, for runs that were given none: a generated module
 * can be run as it is. They are loaded here and nowhere else, and only then.
 */
export async function defaultServices(): Promise<Services> {
  const { servicesFor } = (await import(/* @vite-ignore */ SERVICES)) as Module;
  return servicesFor(".");
}
