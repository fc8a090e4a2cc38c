import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { authentication, KEYS } from "../http/service.js";
import { readBlocks } from "./page.js";

const run = promisify(execFile);
const blocks = readBlocks("docs/deploying.md");

/** The content of a file that a page shows. */
function fileOf(path: string, of = blocks): string {
  const block = of.find((one) => one.path === path);
  if (block === undefined) throw new Error(`no page shows ${path}`);
  return block.content;
}

test("what is written outlives a version, and a backup follows the link to it", async () => {
  const unit = fileOf("flowsheet.service");
  expect(unit).toContain("StateDirectory=flowsheet\n");
  // A folder that is named but not there keeps a unit from starting.
  expect(unit).not.toContain("ReadWritePaths");
  const cwd = makeProject();
  const kept = createFolder({ "runs/one.json": "{}" });
  symlinkSync(kept, join(cwd, "state"));
  const backup = blocks
    .map(({ content }) => /^tar czf .*$/m.exec(content)?.[0])
    .find((line) => line !== undefined);
  const { stdout } = await run("sh", ["-c", `${backup} && tar tzf backup.tgz`], { cwd });
  expect(stdout).toMatch(/^state\/(?:\.\/)?runs\/one\.json$/m);
});

/** Where a program is; null when it is not installed here. */
const find = (name: string): string | null =>
  ["/usr/sbin", "/usr/bin", "/bin", "/sbin"].map((at) => join(at, name)).find((path) => existsSync(path)) ??
  null;

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });

/** The page's project, with keys, and with the package as if it were installed. */
function makeProject(): string {
  const folder = createFolder({
    "flowsheet.yaml": fileOf("flowsheet.yaml") + authentication(),
    "workflows/refund.csv": fileOf("workflows/refund.csv"),
    "node_modules/.bin/flowsheet": `#!/bin/sh\nexec ${process.execPath} ${resolve("dist/cli/bin.js")} "$@"\n`,
  });
  symlinkSync(resolve("."), join(folder, "node_modules/flowsheet"));
  return folder;
}

interface Served {
  readonly child: ChildProcess;
  readonly port: number;
}

/** Starts the program that the container starts, on a free port of this machine. */
async function start(cwd: string): Promise<Served> {
  const [, line = "[]"] = /^CMD (\[.*\])$/m.exec(fileOf("Dockerfile")) ?? [];
  const [, ...args] = JSON.parse(line) as readonly string[];
  const port = await freePort();
  const own = args.map((arg) => (arg === "8000" ? String(port) : arg === "0.0.0.0" ? "127.0.0.1" : arg));
  const child = spawn(process.execPath, own, { cwd, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  await expect.poll(() => isUp(port)).toBe(true);
  return { child, port };
}

const isUp = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

const ended = (child: ChildProcess): Promise<number | null> =>
  child.exitCode === null ? new Promise((done) => child.on("exit", done)) : Promise.resolve(child.exitCode);

test("the container's steps: what it checks, starts, asks and stops", async () => {
  const cwd = makeProject();
  mkdirSync(join(cwd, "state"));
  for (const [, step = ""] of fileOf("Dockerfile").matchAll(/^RUN (node_modules.*)$/gm)) {
    const { stderr } = await run("sh", ["-c", `chmod +x node_modules/.bin/* && ${step}`], { cwd });
    expect(stderr).toBe("");
  }
  const { child, port } = await start(cwd);
  const [, line = ""] = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(fileOf("Dockerfile")) ?? [];
  const [, ...asks] = JSON.parse(line) as readonly string[];
  const healthy = (at: number) =>
    run(
      process.execPath,
      asks.map((arg) => arg.replace("8000", String(at))),
    );
  await healthy(port);
  await expect(healthy(await freePort())).rejects.toMatchObject({ code: 1 });
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
});

test.for([
  ["deploying.md", "flowsheet.service"],
  ["operating.md", "flowsheet-worker.service"],
  ["many-machines.md", "flowsheet-worker@.service"],
] as const)("the systemd unit of %s is one", async ([page, name], { skip }) => {
  const analyze = find("systemd-analyze");
  if (analyze === null) return skip("systemd-analyze is not installed");
  const folder = createFolder();
  const file = join(folder, name.replace("@", "@1"));
  // What it names must be there to be verified: the program, and the folder of the project.
  const unit = fileOf(name, readBlocks(`docs/${page}`)).replaceAll("/usr/bin/node", process.execPath);
  writeFileSync(file, unit.replaceAll("/srv/flows", folder));
  const { stdout, stderr } = await run(analyze, ["verify", "--man=no", file]);
  const said = `${stdout}${stderr}`.split("\n").filter((text) => text.includes("flowsheet"));
  expect(said).toEqual([]);
  await expect(
    (async () => {
      writeFileSync(file, unit.replace("ExecStart=", "ExecStrt="));
      const wrong = await run(analyze, ["verify", "--man=no", file]);
      if (wrong.stderr.includes("flowsheet")) throw new Error(wrong.stderr);
    })(),
  ).rejects.toThrow();
});

async function certificate(openssl: string, folder: string): Promise<{ key: string; pem: string }> {
  const [key, pem] = [join(folder, "flows.key"), join(folder, "flows.pem")];
  const subject = ["-subj", "/CN=flows.example.org", "-days", "2", "-nodes"];
  await run(openssl, ["req", "-x509", "-newkey", "rsa:2048", "-keyout", key, "-out", pem, ...subject]);
  return { key, pem };
}

test("nginx with TLS: runs and their events come through", async ({ skip }) => {
  const [nginx, openssl] = [find("nginx"), find("openssl")];
  if (nginx === null || openssl === null) return skip("nginx or openssl is not installed");
  const cwd = makeProject();
  const served = await start(cwd);
  const folder = createFolder();
  const [{ key, pem }, port] = [await certificate(openssl, folder), await freePort()];
  const server = fileOf("nginx.conf")
    .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
    .replace("/etc/ssl/flows.pem", pem)
    .replace("/etc/ssl/flows.key", key)
    .replace("127.0.0.1:8000", `127.0.0.1:${served.port}`);
  const own = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (one) => `${one}_temp_path ${folder}/${one};`,
  );
  const http = `http { access_log off; ${own.join(" ")} ${server} }`;
  const user = process.getuid?.() === 0 ? "user root; " : "";
  writeFileSync(
    join(folder, "all.conf"),
    `${user}pid ${folder}/pid; error_log ${folder}/error.log; events {}\n${http}`,
  );
  const args = ["-p", folder, "-c", join(folder, "all.conf")];
  await run(nginx, ["-t", ...args]);
  const child = spawn(nginx, [...args, "-g", "daemon off;"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGTERM"));

  const curl = (...more: readonly string[]) =>
    run("curl", [
      "-sS",
      "--insecure",
      "--max-time",
      "60",
      ...more.map((arg) => arg.replace("BASE", `https://127.0.0.1:${port}`)),
    ]);
  await expect
    .poll(
      () =>
        curl("BASE/health").then(
          ({ stdout }) => stdout,
          () => "",
        ),
      { timeout: 60_000 },
    )
    .toContain('"ok"');
  const call = ["BASE/execute", "-H", `X-API-Key: ${KEYS.executor}`, "-H", "Content-Type: application/json"];
  const body = ["-d", '{"graph_name":"Refund","initial_state":{"amount":80}}'];
  expect((await curl(...call, ...body)).stdout).toContain('"status":"suspended"');
  expect((await curl(...call, ...body, "-H", "Accept: text/event-stream")).stdout).toContain(
    "event: run_end",
  );
});

test("nginx takes the proxy of many machines", async ({ skip }) => {
  const [nginx, openssl] = [find("nginx"), find("openssl")];
  if (nginx === null || openssl === null) return skip("nginx or openssl is not installed");
  const folder = createFolder();
  await certificate(openssl, folder);
  const block = fileOf("nginx.conf", readBlocks("docs/many-machines.md"))
    // A name is looked up also when nothing is started.
    .replace("server server:8000", "server 127.0.0.1:8000")
    .replaceAll("/etc/ssl/flows", folder);
  const file = join(folder, "all.conf");
  writeFileSync(file, `pid ${folder}/pid; error_log ${folder}/error.log; events {}\nhttp { ${block} }`);
  const { stderr } = await run(nginx, ["-t", "-p", folder, "-c", file]);
  expect(stderr).toContain("test is successful");
});

test("logrotate gives the log another name, and the server goes on with a new file", async ({ skip }) => {
  const logrotate = find("logrotate");
  if (logrotate === null) return skip("logrotate is not installed");
  const cwd = makeProject();
  const { child, port } = await start(cwd);
  const log = join(cwd, "state/log/flowsheet.log");
  await fetch(`http://127.0.0.1:${port}/health`);
  const config = fileOf("logrotate.conf")
    .replace("/srv/flows", cwd)
    .replace("systemctl kill --signal=HUP flowsheet", `kill -HUP ${child.pid}`);
  writeFileSync(
    join(cwd, "logrotate.conf"),
    process.getuid?.() === 0 ? config.replace("{\n", "{\n  su root root\n") : config,
    {
      mode: 0o644,
    },
  );
  await run(logrotate, ["--force", "--state", join(cwd, "rotated"), join(cwd, "logrotate.conf")]);
  await expect.poll(() => existsSync(log)).toBe(true);
  expect(readFileSync(`${log}.1`, "utf8")).toContain("GET /health 200");
  await fetch(`http://127.0.0.1:${port}/ready`);
  await expect.poll(() => readFileSync(log, "utf8")).toContain("GET /ready 200");
  expect(statSync(log).mode & 0o777).toBe(0o600);
});
