import { UsageError } from "../failure.js";

/** Hosts that sheets are shared by. Others are named in `network.allow`. */
export const SHARING_HOSTS = ["docs.google.com", "*.googleusercontent.com", "*.sharepoint.com"];

/** The address that gives the sheet itself, of a link as people copy it. */
export function downloadOf(link: string, wantsBook: boolean): string {
  const url = URL.canParse(link) ? new URL(link) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `${JSON.stringify(link)} is no link`,
      "copy the address of the sheet, with https://",
    );
  const google = /^\/spreadsheets\/d\/([\w-]+)/.exec(url.pathname)?.[1];
  if (url.hostname === "docs.google.com" && google !== undefined) return googleExport(url, google, wantsBook);
  if (url.hostname.endsWith(".sharepoint.com")) url.searchParams.set("download", "1");
  return url.href;
}

/** One worksheet as text, or all of them. The other ways to export lose text in columns of numbers. */
function googleExport({ hash, searchParams }: URL, id: string, wantsBook: boolean): string {
  const base = `https://docs.google.com/spreadsheets/d/${id}/export`;
  if (wantsBook) return `${base}?format=xlsx`;
  const gid = /gid=(\d+)/.exec(hash)?.[1] ?? searchParams.get("gid") ?? "0";
  return `${base}?format=csv&gid=${/^\d+$/.test(gid) ? gid : "0"}`;
}
