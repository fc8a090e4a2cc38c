import { postCode } from "./requests.js";

/** What the page is let in with: the token of `flowsheet studio`, or an API key. */
export type Credential =
  | { readonly kind: "token"; readonly text: string }
  | { readonly kind: "key"; readonly text: string };

const KEPT = "flowsheet-studio-credential";

export interface Start {
  readonly credential: Credential | null;
  /** The sheet that the page is to begin with. */
  readonly at: string | null;
}

/** Takes the credential out of the address, so that it is in no history, screenshot or bookmark. */
export async function takeStart(): Promise<Start> {
  const words = new URLSearchParams(location.hash.slice(1));
  const [token, code, at] = [words.get("token"), words.get("code"), words.get("at")];
  if (token === null && code === null) return { credential: keptCredential(), at: null };
  history.replaceState(null, "", location.pathname);
  const text = token ?? (code === null ? null : await postCode(code));
  if (text === null) return { credential: keptCredential(), at };
  const credential: Credential = { kind: "token", text };
  keepCredential(credential);
  return { credential, at };
}

/** A person may have copied the whole address that the command has printed. */
export const tokenIn = (text: string): string => /#(?:.*&)?token=([^&]+)/.exec(text)?.[1] ?? text;

/** For this tab alone. */
export function keepCredential({ kind, text }: Credential): void {
  sessionStorage.setItem(KEPT, `${kind} ${text}`);
}

export const forgetCredential = (): void => sessionStorage.removeItem(KEPT);

function keptCredential(): Credential | null {
  const [kind, text] = (sessionStorage.getItem(KEPT) ?? "").split(" ");
  return (kind === "token" || kind === "key") && text !== undefined ? { kind, text } : null;
}

export const headersOf = ({ kind, text }: Credential): { readonly [name: string]: string } =>
  kind === "token" ? { Authorization: `Bearer ${text}` } : { "X-API-Key": text };
