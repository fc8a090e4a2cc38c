import { expect, onTestFinished, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { request } from "../http/raw.js";
import { authentication, KEYS, startService } from "../http/service.js";
import { listenForMail } from "./mail-server.js";

const HEADER = "graph_name,node_name,agent_type,input_fields,output_field,prompt,context\n";
const TELL = `${HEADER}Tell,Tell,mail,who,message,Hello,"{""connection"": ""post"", ""to"": ""{who}""}"
`;
const WORD = "word-of-the-post";

/** The server repeats what it was told, as no server should. */
const project = async () => {
  const mails = await listenForMail("nothing", (line) =>
    line.includes("<bob@") ? `550 not with ${WORD}` : undefined,
  );
  onTestFinished(() => mails[Symbol.asyncDispose]());
  const post = `{kind: smtp, host: 127.0.0.1, port: ${mails.port}, from: a@example.com, username: ada, password: env:POST}`;
  const config = `connections:\n  post: ${post}\nnetwork: {allow: ["${mails.host}"]}\n`;
  return { mails, config, files: { "workflows/tell.csv": TELL, ".env": `POST=${WORD}\n` } };
};

const login = `AUTH PLAIN ${Buffer.from(`\0ada\0${WORD}`).toString("base64")}`;
const refusal = "127.0.0.1 answered 550 not with [redacted]";

test("a secret of a connection stands in the file .env: commands use it, and tell nobody", async () => {
  const { mails, config, files } = await project();
  const cwd = createFolder({ "flowsheet.yaml": config, ...files });
  const run = (who: string, env = {}) =>
    flowsheet(["run", "--graph", "Tell", "--input", `who=${who}`], { cwd, env });
  expect(await run("ada@example.com")).toMatchObject({ code: 0 });
  expect(mails.mails[0]?.commands).toContain(login);
  const { code, stdout, stderr } = await run("bob@example.com");
  expect([code, stdout + stderr]).toEqual([1, expect.stringContaining(refusal)]);
  expect(stdout + stderr).not.toContain(WORD);
  expect(await run("ada@example.com", { POST: "another" })).toMatchObject({ code: 0 });
  expect(mails.mails[1]?.commands).not.toContain(login);
});

test("so does a server", async () => {
  const { mails, config, files } = await project();
  const service = await startService({ files, config: config + authentication() });
  onTestFinished(() => service.stop());
  const run = (who: string) =>
    request(
      service.port,
      "POST /execute",
      [`X-API-Key: ${KEYS.admin}`, "Content-Type: application/json"],
      JSON.stringify({ graph_name: "Tell", initial_state: { who } }),
    );
  expect((await run("ada@example.com")).json).toMatchObject({ status: "completed" });
  expect(mails.mails[0]?.commands).toContain(login);
  const refused = await run("bob@example.com");
  expect(refused.json).toMatchObject({ status: "failed" });
  expect(refused.body + service.log()).not.toContain(WORD);
});
