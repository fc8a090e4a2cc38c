import { afterAll, beforeAll, expect, test } from "vitest";
import { authentication, startService, type TestService } from "./service.js";

const CONFIGS = { on: "server:\n  studio: read\n", off: "" } as const;
const services = new Map<string, TestService>();
beforeAll(async () => {
  for (const [name, config] of Object.entries(CONFIGS))
    services.set(name, await startService({ config: `${config}${authentication()}` }));
});
afterAll(async () => {
  for (const service of services.values()) await service.stop();
});

const read = async (name: string, accept: string): Promise<string> => {
  const answer = await fetch(`${services.get(name)?.url}/`, { headers: { Accept: accept } });
  return answer.text();
};

test.each(Object.keys(CONFIGS))("the page at / leads to the Studio where there is one: %s", async (name) => {
  const page = await read(name, "text/html");
  expect(page).not.toContain("{{");
  expect(page.includes('href="studio/"')).toBe(name === "on");
  const { links } = JSON.parse(await read(name, "application/json")) as { readonly links: object };
  expect(Object.hasOwn(links, "studio")).toBe(name === "on");
  if (name === "off") return;
  const { status, url } = await fetch(new URL("studio/", `${services.get(name)?.url}/`));
  expect([status, new URL(url).pathname]).toEqual([200, "/studio/"]);
});
