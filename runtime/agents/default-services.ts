import type { Services } from "../graph/contract.js";

/**
 * The services of the project that the working folder belongs to, for runs that were given none: a generated module
 * can be run as it is. They are loaded here and nowhere else, and only then.
 */
export async function defaultServices(): Promise<Services> {
  const { servicesFor } = await import("../services.js");
  return servicesFor(".");
}
