import { spawn } from "node:child_process";

/** The programs that open an address, by platform; the last one is for all others. */
const OPENERS: { readonly [platform: string]: readonly string[] } = {
  darwin: ["open"],
  win32: ["rundll32.exe", "url.dll,FileProtocolHandler"],
};

/** Others may read the command lines of programs, so the address may hold nothing that lasts. */
export function openBrowser(address: string, failed: () => void): void {
  const [command = "xdg-open", ...before] = OPENERS[process.platform] ?? [];
  const child = spawn(command, [...before, address], { stdio: "ignore", detached: true });
  child.on("error", failed);
  child.unref();
}
