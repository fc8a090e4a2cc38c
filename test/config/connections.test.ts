import { expect, test } from "vitest";
import { checkConfiguration } from "../../runtime/config/configuration.js";
import { AgentError } from "../../runtime/graph/contract/errors.js";
import { connectionNamed } from "../../runtime/net/connections.js";
import { createRedactor } from "../../runtime/runs/redact.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

const env = { CRM: "t0k3n-of-the-crm", HOOK: "https://hooks.example/T1/B2/s3cr3t" };

function findings(entries: string): readonly string[] {
  const text = `connections:\n  ${entries}\n`;
  const now = Date.now();
  const checked = checkConfiguration({ file: null, root: ".", shown: "flowsheet.yaml", text, env, now });
  return checked.findings.map(({ severity, message }) => `${severity} ${message}`);
}

test.each([
  ["crm: {kind: bearer, token: env:CRM}", []],
  ["crm: {kind: bearer, token: env:CRM, host: api.example.com}", []],
  ["crm: {kind: basic, username: ada, password: env:CRM}", []],
  ["crm: {kind: header, name: X-Key, value: env:CRM}", []],
  ["crm: {kind: slack, url: env:HOOK}", []],
  ["crm: {kind: telegram, token: env:CRM, chat: '12', base_url: https://t.example}", []],
  ["crm: {kind: smtp, host: mail.example, port: 587, secure: false, from: a@b.example}", []],
  ["crm: {kind: sqlite, file: orders.db}", []],
  ["crm: {kind: postgres, url: env:HOOK}", []],
  [
    "crm: {kind: bearer, token: abc}",
    ["error connections.crm.token must be env:NAME: secrets do not stand in this file"],
  ],
  ["crm: {kind: bearer}", ["error connections.crm is a connection of kind bearer and has no token"]],
  [
    "crm: {kind: bearer, token: env:CRM, url: env:HOOK}",
    ['warning a connection of kind bearer has no "url"'],
  ],
  [
    "crm: {kind: bearer, tokn: env:CRM}",
    [
      'warning connections.crm has no setting "tokn"',
      "error connections.crm is a connection of kind bearer and has no token",
    ],
  ],
  [
    "crm: {kind: bearer, token: env:NOBODY}",
    ["error connections.crm.token refers to the environment variable NOBODY, which is not set"],
  ],
  [
    "crm: {kind: oauth, token: env:CRM}",
    [
      'error connections.crm.kind must be one of bearer, basic, header, smtp, slack, teams, discord, webhook, telegram, sqlite, postgres, not "oauth"',
    ],
  ],
])("%s", (entries, expected) => {
  expect(findings(entries)).toEqual(expected);
});

test("secrets among what servers of tools are given are warned of, and not shown", () => {
  const text = `mcp:
  servers:
    a: {url: "https://a.example/mcp", headers: {X-API-Key: k9-plain, Accept-Language: de, X-Own: env:CRM}}
    b: {command: b, env: {B_TOKEN: plain-text, MODE: fast, C_TOKEN: env:CRM, URL: "postgres://u:pw12@h/d"}}
`;
  const checked = checkConfiguration({ file: null, root: ".", shown: "f.yaml", text, env, now: Date.now() });
  const should = "looks like a secret: it should be env:NAME";
  expect(checked.findings.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
    `warning mcp.servers.a.headers.X-API-Key ${should}`,
    `warning mcp.servers.b.env.B_TOKEN ${should}`,
    `warning mcp.servers.b.env.URL ${should}`,
  ]);
  expect(checked.configuration).not.toBeNull();
});

test("validate tells of it with its place", async () => {
  const cwd = createFolder({
    "flowsheet.yaml": "connections:\n  crm:\n    kind: bearer\n    token: t0k3n-itself\n",
  });
  const { code, stdout, stderr } = await flowsheet(["validate", "--config", "flowsheet.yaml"], { cwd });
  expect([code, stdout + stderr]).toEqual([1, expect.stringContaining("flowsheet.yaml:4:12")]);
  expect(stdout + stderr).not.toContain("t0k3n-itself");
});

const section = {
  crm: { kind: "bearer", token: "env:CRM" },
  plain: { kind: "bearer", token: "abc" },
  unset: { kind: "bearer", token: "env:NOBODY" },
  odd: { kind: "bearer", token: "env:CRM", chat: "1" },
};

test.each([
  ["crm", { name: "crm", kind: "bearer", host: null, values: { token: env.CRM } }],
  ["cmr", 'flowsheet.yaml has no connection "cmr"; did you mean "crm"?'],
  ["constructor", 'flowsheet.yaml has no connection "constructor"; known are crm, plain, unset, odd'],
  ["plain", "connections.plain must have its token as env:NAME, not in the file"],
  ["unset", "connections.unset needs the environment variable NOBODY, which is not set"],
  ["odd", 'connections.odd of kind bearer has no "chat"'],
])("a run that names %s", (name, expected) => {
  const named = (): unknown => connectionNamed(name, ["bearer"], { section, env });
  if (typeof expected === "string") expect(named).toThrow(new AgentError("agent_failed", expected));
  else expect(named()).toEqual(expected);
});

test("a run that names a connection of another kind", () => {
  expect(() => connectionNamed("crm", ["smtp"], { section, env })).toThrow(
    'connections.crm must be of kind smtp, not "bearer"',
  );
});

test("secrets of connections are taken out of messages, whatever their variables are called", () => {
  const connections = {
    a: { kind: "header", name: "X", value: "env:CRM" },
    b: { kind: "slack", url: "env:HOOK" },
  };
  const redact = createRedactor(env, { configuration: { connections }, root: createFolder() });
  const bytes = Buffer.from(`ada:${env.CRM}`).toString("base64");
  expect(redact(`${env.CRM} ${env.HOOK} ${encodeURIComponent(env.HOOK)}`)).toBe(
    "[redacted] [redacted] [redacted]",
  );
  expect(redact(bytes)).not.toBe(bytes);
});
