import { describe, expect, test } from "vitest";
import { type AddressKind, kindOfAddress } from "../../runtime/net/addresses.js";
import { readAllowed } from "../../runtime/net/allowed.js";
import type { NetworkRules } from "../../runtime/net/checked-addresses.js";
import { checkHost } from "../../runtime/net/checked-addresses.js";
import { NetworkError } from "../../runtime/net/network-error.js";

const rules = (allow: readonly string[] = [], more: Partial<NetworkRules> = {}): NetworkRules => ({
  allow: allow.map((text) => readAllowed(text)!),
  private: false,
  others: true,
  ...more,
});

const unresolved = async (host: string): Promise<never> => {
  throw new Error(`${host} was looked up`);
};

/** What becomes of an address: the ones to connect to, or why it is refused. */
async function met(url: string, allowed = rules(), found?: readonly string[]): Promise<unknown> {
  const resolve =
    found === undefined
      ? unresolved
      : async () => found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }) as const);
  try {
    const { addresses } = await checkHost(new URL(url), allowed, resolve);
    return addresses.map(({ address }) => address);
  } catch (error) {
    if (error instanceof NetworkError) return error.reason;
    throw error;
  }
}

test.each<[string, AddressKind]>([
  ["8.8.8.8", "public"],
  ["1.1.1.1", "public"],
  ["9.255.255.255", "public"],
  ["11.0.0.0", "public"],
  ["100.63.255.255", "public"],
  ["100.128.0.0", "public"],
  ["172.15.255.255", "public"],
  ["172.32.0.0", "public"],
  ["192.167.255.255", "public"],
  ["198.20.0.0", "public"],
  ["223.255.255.255", "public"],
  ["2606:4700::1111", "public"],
  ["2a00:1450:4001::200e", "public"],
  ["::ffff:8.8.8.8", "public"],
  ["64:ff9b::808:808", "public"],
  ["127.0.0.1", "private"],
  ["127.255.255.254", "private"],
  ["10.0.0.1", "private"],
  ["10.255.255.255", "private"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.168.0.1", "private"],
  ["100.64.0.1", "private"],
  ["100.127.255.255", "private"],
  ["::1", "private"],
  ["0:0:0:0:0:0:0:1", "private"],
  ["fc00::1", "private"],
  ["fd00:ec2::254", "private"],
  ["fdff::1", "private"],
  ["::ffff:127.0.0.1", "private"],
  ["::ffff:7f00:1", "private"],
  ["0:0:0:0:0:ffff:a00:1", "private"],
  ["64:ff9b::7f00:1", "private"],
  ["64:ff9b::192.168.0.1", "private"],
  ["0.0.0.0", "special"],
  ["0.1.2.3", "special"],
  ["169.254.169.254", "special"],
  ["169.254.0.1", "special"],
  ["192.0.0.1", "special"],
  ["192.0.2.1", "special"],
  ["192.88.99.1", "special"],
  ["198.18.0.1", "special"],
  ["198.51.100.1", "special"],
  ["203.0.113.1", "special"],
  ["224.0.0.1", "special"],
  ["239.255.255.255", "special"],
  ["240.0.0.1", "special"],
  ["255.255.255.255", "special"],
  ["::", "special"],
  ["::7f00:1", "special"],
  ["::ffff:0:127.0.0.1", "special"],
  ["::ffff:169.254.169.254", "special"],
  ["64:ff9b::a9fe:a9fe", "special"],
  ["64:ff9b:1::1", "special"],
  ["100::1", "special"],
  ["2001::1", "special"],
  ["2001:db8::1", "special"],
  ["2002:7f00:1::", "special"],
  ["3fff::1", "special"],
  ["fe80::1", "special"],
  ["fe80::1%eth0", "special"],
  ["febf::1", "special"],
  ["fec0::1", "special"],
  ["ff02::1", "special"],
  ["4000::1", "special"],
  ["localhost", "special"],
  ["", "special"],
])("%s is %s", (address, kind) => {
  expect(kindOfAddress(address)).toBe(kind);
});

/** All of these are ways to write, or to hide, an address that no sheet may call. */
test.each([
  "http://127.0.0.1/",
  "http://127.1/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0x7f.1/",
  "http://0177.0.0.1/",
  "http://017700000001/",
  "http://0/",
  "http://0.0.0.0/",
  "http://[::]/",
  "http://[::1]/",
  "http://[0:0:0:0:0:0:0:1]:8080/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[64:ff9b::a9fe:a9fe]/",
  "http://[fd00::1]/",
  "http://[fe80::1]/",
  "http://169.254.169.254/latest/meta-data/",
  "http://0xa9fea9fe/",
  "http://2852039166/",
  "http://10.0.0.1/",
  "http://172.16.0.1:9200/",
  "http://192.168.1.1/",
  "http://100.100.100.200/",
  "http://1２7.0.0.1/",
  "http://127。0。0。1/",
  "http://user@example.com/",
  "http://user:word@example.com/",
  "http://127.0.0.1:80@example.com/",
  "http://example.com:0/",
  "file:///etc/passwd",
  "data:text/plain,hello",
  "gopher://127.0.0.1/",
  "ftp://example.com/",
  "javascript:alert(1)",
  "ws://example.com/",
])("refused: %s", async (url) => {
  expect(await met(url)).toBe("refused");
});

describe("names", () => {
  test("a name is called at the addresses that were checked", async () => {
    expect(await met("https://example.com/", rules(), ["93.184.216.34", "2606:2800::1"])).toEqual([
      "93.184.216.34",
      "2606:2800::1",
    ]);
  });

  test.each([[["127.0.0.1"]], [["93.184.216.34", "10.0.0.1"]], [["2606:2800::1", "fe80::1%eth0"]]])(
    "one bad address among %s is enough",
    async (found) => {
      expect(await met("https://example.com/", rules(), found)).toBe("refused");
    },
  );

  test("a name without an address", async () => {
    expect(await met("https://example.com/", rules(), [])).toBe("unreachable");
    expect(await met("https://example.com/")).toBe("unreachable");
  });

  test("private hosts in general, but nothing special", async () => {
    const free = rules([], { private: true });
    expect(await met("http://localhost:9/", free, ["127.0.0.1"])).toEqual(["127.0.0.1"]);
    expect(await met("http://metadata/", free, ["169.254.169.254"])).toBe("refused");
  });
});

describe("network.allow", () => {
  test.each([
    ["10.0.0.5:8080", "http://10.0.0.5:8080/x"],
    ["10.0.0.5", "http://10.0.0.5/"],
    ["10.0.0.5", "https://10.0.0.5/"],
    ["127.0.0.1:80", "http://0x7f000001/"],
    ["[::1]:8080", "http://[::1]:8080/"],
    ["::1", "http://[0::1]/"],
    ["169.254.169.254", "http://169.254.169.254/"],
  ])("%s lets %s pass", async (entry, url) => {
    expect(await met(url, rules([entry]))).toHaveLength(1);
  });

  test.each([
    ["10.0.0.5:8080", "http://10.0.0.5/"],
    ["10.0.0.5", "http://10.0.0.5:8080/"],
    ["10.0.0.5:443", "http://10.0.0.5/"],
    ["10.0.0.5", "http://10.0.0.6/"],
  ])("%s does not let %s pass", async (entry, url) => {
    expect(await met(url, rules([entry]))).toBe("refused");
  });

  test.each([
    ["API.Example.com", "https://api.example.COM./", true],
    ["api.example.com.", "https://api.example.com/", true],
    ["*.example.com", "https://a.b.example.com/", true],
    ["*.example.com", "https://example.com/", false],
    ["*.example.com", "https://badexample.com/", false],
    ["*.example.com", "https://a.example.com:8443/", false],
    ["example.com", "https://a.example.com/", false],
    ["bücher.example", "https://xn--bcher-kva.example/", true],
    ["example.com", "https://ехаmple.com/", false],
  ])("%s and %s: %s", async (entry, url, passes) => {
    const found = await met(url, rules([entry]), ["10.0.0.1"]);
    expect(found).toEqual(passes ? ["10.0.0.1"] : "refused");
  });

  test("an entry is compared with the address as written, never with what it resolves to", async () => {
    expect(await met("http://example.com/", rules(["10.0.0.5"]), ["10.0.0.5"])).toBe("refused");
  });

  test("a list shuts out public hosts only where it is all that may be called", async () => {
    const listed = ["api.example.com"];
    const found = ["93.184.216.34"];
    expect(await met("https://other.example/", rules(listed), found)).toEqual(found);
    expect(await met("https://other.example/", rules(listed, { others: false }), found)).toBe("refused");
    expect(await met("https://other.example/", rules([], { others: false }), found)).toBe("refused");
    expect(await met("https://api.example.com/", rules(listed, { others: false }), found)).toEqual(found);
  });

  test.each([
    "",
    "https://a.example",
    "a b",
    "a/b",
    "*",
    "*.",
    "a.*",
    "*.10.0.0.1",
    "*.a.example:8",
    "a:99999",
    "u@h",
  ])("%j is no entry", (entry) => {
    expect(readAllowed(entry)).toBeNull();
  });

  test("a refusal names no cure that is none: a name never leads to what is no host", async () => {
    const refusal = checkHost(new URL("https://api.example/"), rules(), async () => [
      { address: "169.254.169.254", family: 4 },
    ]);
    await expect(refusal).rejects.toThrow(
      /^api\.example is not called: it leads to an address that is no host$/,
    );
  });

  test("a refusal says how to allow the host, and names neither its address nor a path", async () => {
    const refusal = checkHost(new URL("https://api.example:8443/t0ken?key=1"), rules(), async () => [
      { address: "10.1.2.3", family: 4 },
    ]);
    await expect(refusal).rejects.toThrow(
      'api.example:8443 is not called: it is no public host. To allow it, write network: {allow: ["api.example:8443"]} into flowsheet.yaml',
    );
  });
});
