import type { Node } from "yaml";
import { isPair, itemsOf, keyText, nodeRange } from "./locate.js";
import type { YamlDocument } from "./yaml.js";

const SECRET_NAME = /key|secret|token|passw/i;
/** References, digests and public keys are not secret. */
const HARMLESS = /^(?:env:[A-Za-z_]\w*$|sha256:[0-9a-fA-F]{64}$|-----BEGIN PUBLIC KEY)/;

/** The address of a server with a password in it, which may hold a `/` that should have been written `%2F`. */
const LOGIN = /:\/\/.*(?:@|[?&](?:ssl)?password=)/s;

export const holdsLogin = (value: unknown): boolean => typeof value === "string" && LOGIN.test(value);

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** Each character of a secret becomes a star, so that offsets stay valid. */
export function maskSecrets(text: string, document: YamlDocument): string {
  const pieces: string[] = [];
  let done = 0;
  for (const [start, end] of secretRanges(document.contents, false)) {
    pieces.push(text.slice(done, start), text.slice(start, end).replace(/[^\r\n]/g, "*"));
    done = end;
  }
  return pieces.join("") + text.slice(done);
}

/** Recursion is safe: nesting is at most 64 levels. */
function secretRanges(node: Node | null, secret: boolean): readonly (readonly [number, number])[] {
  if (node === null) return [];
  if ("items" in node) {
    return itemsOf(node).flatMap((item) => {
      if (!isPair(item)) return secretRanges(item as Node | null, secret);
      const name = keyText(item);
      const below = secret && name !== "permissions" && name !== "user_id" && name !== "expires_at";
      const plain = !("items" in ((item.value as Node | null) ?? {}));
      return secretRanges(item.value as Node | null, isSecretName(name) || (below && plain));
    });
  }
  const range = nodeRange(node);
  const value = "value" in node ? node.value : null;
  const shown = value === null || typeof value === "boolean" || HARMLESS.test(String(value));
  return (secret || holdsLogin(value)) && range !== null && !shown ? [range] : [];
}
