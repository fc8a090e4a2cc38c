import { BlockList, isIP, isIPv4 } from "node:net";

/**
 * Where an address leads. `private` is this machine or its own network. `special` is what no workflow needs: link-local
 * addresses (the metadata of clouds), multicast, and what is reserved.
 */
export type AddressKind = "public" | "private" | "special";

const PRIVATE_4 = ["10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"];
const SPECIAL_4 = [
  ...["0.0.0.0/8", "169.254.0.0/16", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15"],
  ...["198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
];
const PRIVATE_6 = ["::1/128", "fc00::/7"];
/** Outside of this, no address is public. */
const GLOBAL_6 = ["2000::/3"];
/** Protocol assignments with Teredo, documentation, and 6to4, which hides an IPv4 address. */
const SPECIAL_6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", prefix] = range.split("/");
    list.addSubnet(address, Number(prefix), isIPv4(address) ? "ipv4" : "ipv6");
  }
  return list;
}

const lists = {
  private4: listOf(PRIVATE_4),
  special4: listOf(SPECIAL_4),
  private6: listOf(PRIVATE_6),
  global6: listOf(GLOBAL_6),
  special6: listOf(SPECIAL_6),
} as const;

/** The kind of an IP address in any spelling that Node takes. Everything else is `special`. */
export function kindOfAddress(written: string): AddressKind {
  const address = written.replace(/%.*$/s, "");
  const family = isIP(address);
  if (family === 0) return "special";
  const inner = family === 6 ? embedded(address) : address;
  if (inner !== null) {
    if (lists.special4.check(inner)) return "special";
    return lists.private4.check(inner) ? "private" : "public";
  }
  if (lists.private6.check(address, "ipv6")) return "private";
  const isGlobal = lists.global6.check(address, "ipv6") && !lists.special6.check(address, "ipv6");
  return isGlobal ? "public" : "special";
}

/** The IPv4 address inside of a mapped address (`::ffff:…`) or of one for NAT64 (`64:ff9b::…`); null for others. */
function embedded(address: string): string | null {
  const groups = groupsOf(address);
  const start = groups.slice(0, 6).join(":");
  if (start !== "0:0:0:0:0:ffff" && start !== "64:ff9b:0:0:0:0") return null;
  const bytes = groups.slice(6).flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
  return bytes.join(".");
}

/** The eight groups of an IPv6 address. The URL parser gives every spelling one form. */
function groupsOf(address: string): readonly string[] {
  const normal = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [left = "", right] = normal.split("::");
  const head = left === "" ? [] : left.split(":");
  if (right === undefined) return head;
  const tail = right === "" ? [] : right.split(":");
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => "0"), ...tail];
}
