import type { ConnectionOptions } from "node:tls";
import type { StoreError } from "../../store-error.js";

export interface TlsFiles {
  readonly host: string | null;
  readonly wrong: (why: string, options?: { readonly help?: string }) => StoreError;
  /** The text of the file that a part of the address names. */
  readonly read: (name: string, path: string) => string;
}

const KNOWN = ["ssl", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslpassword"];

/** libpq means the certificates of the system by it. */
const SYSTEM = "system";

/**
 * What the address says of TLS, as libpq means it. Null when it says nothing: then `pg` goes by PGSSLMODE. A part that
 * is not known is refused: somebody who misspelt it would believe that the connection is safe.
 */
export function tlsOf(words: URLSearchParams, about: TlsFiles): false | ConnectionOptions | null {
  const { host, wrong, read } = about;
  const unknown = [...words.keys()].find((name) => /^ssl/i.test(name) && !KNOWN.includes(name));
  if (unknown !== undefined) throw wrong(`it has the unknown part ${JSON.stringify(unknown.slice(0, 40))}`);
  const mode = modeOf(words, wrong);
  if (mode === null) return null;
  // A socket of the same machine knows no TLS.
  if (mode === "disable" || host?.startsWith("/") === true) return false;
  const file = (name: string): string | null => {
    const path = words.get(name);
    return path === null ? null : read(name, path);
  };
  const ca = words.get("sslrootcert") === SYSTEM ? null : file("sslrootcert");
  const [cert, key, passphrase] = [file("sslcert"), file("sslkey"), words.get("sslpassword")];
  return {
    ...(ca === null ? {} : { ca }),
    ...(cert === null ? {} : { cert }),
    ...(key === null ? {} : { key }),
    ...(passphrase === null ? {} : { passphrase }),
    ...checksOf(mode, words, about),
  };
}

const MODES = ["disable", "require", "verify-ca", "verify-full"] as const;
type Mode = (typeof MODES)[number];

function modeOf(words: URLSearchParams, wrong: TlsFiles["wrong"]): Mode | null {
  const said = words.get("sslmode") ?? ofFlag(words.get("ssl"));
  const mode = MODES.find((one) => one === said);
  if (mode !== undefined) return mode;
  if (said !== null)
    throw wrong(`sslmode is ${JSON.stringify(said.slice(0, 40))}`, {
      help: `write one of ${MODES.join(", ")}`,
    });
  const file = [...words.keys()].find((name) => name.startsWith("ssl") && name !== "ssl");
  if (file === undefined) return null;
  throw wrong(`it has ${file} and no sslmode`, { help: "write sslmode=verify-full, too" });
}

/** `ssl=true` is the word of drivers that check the certificate. */
const ofFlag = (flag: string | null): string | null =>
  flag === null
    ? null
    : /^(?:true|1)$/.test(flag)
      ? "verify-full"
      : /^(?:false|0)$/.test(flag)
        ? "disable"
        : flag;

/** With a file of authorities `require` is `verify-ca`, for libpq, too. */
function checksOf(mode: Mode, words: URLSearchParams, { wrong }: TlsFiles): ConnectionOptions {
  const root = words.get("sslrootcert");
  if (mode === "verify-full") return { rejectUnauthorized: true };
  if (root === SYSTEM) throw wrong("sslrootcert=system needs sslmode=verify-full");
  if (mode === "require" && root === null) return { rejectUnauthorized: false };
  if (root === null)
    throw wrong("sslmode=verify-ca needs sslrootcert", {
      help: "or write sslmode=verify-full, which checks the name, too",
    });
  return { rejectUnauthorized: true, checkServerIdentity: () => undefined };
}
