import { expect, test } from "vitest";
import { createRemoteKeys, KeysUnavailableError } from "../../runtime/auth/remote-keys.js";

test.each(["{}", '{"keys": {}}', "[]", "null", '"keys"', "no JSON"])(
  "J44 what is no set of keys (%s) is not fetched for each token",
  async (body) => {
    let fetched = 0;
    let now = 1_000_000;
    const keys = await createRemoteKeys({
      url: "https://identity.example/keys",
      clock: () => now,
      fetch: async () => {
        fetched++;
        return new Response(body, { status: 200 });
      },
    });
    const ask = async (): Promise<unknown> =>
      keys({ alg: "RS256", kid: "a" }).catch((error: unknown) => error);
    for (let i = 0; i < 5; i++) expect(await ask()).toBeInstanceOf(KeysUnavailableError);
    expect(fetched).toBe(1);
    now += 10_000;
    await ask();
    expect(fetched).toBe(2);
  },
);
