import type { AgentContext, Json } from "../../graph/contract/contract.js";
import { AgentError } from "../../graph/contract/errors.js";
import type { Inputs } from "../agent.js";
import { effectKey, timeFor } from "./effect-key.js";
import { serviceOf } from "./services.js";
import { fillIn } from "./template.js";

/** Mail servers may think about a sender for a while. */
const TIMEOUT_MS = 60_000;

/** Sends its rendered prompt as a mail. It writes the id of the message. */
export async function mail(inputs: object, context: AgentContext): Promise<string> {
  const { settings, prompt = "", signal } = context;
  const { connection, to, cc, subject, html, attach } = settings;
  if (typeof connection !== "string")
    throw failure('nobody knows which server: the setting "connection" names it');
  const named = inputs as Inputs;
  const receivers = peopleIn(to, named);
  if (receivers.length === 0) throw failure('nobody gets the mail: the setting "to" names the receivers');
  const service = await serviceOf(context, "mail");
  return service.send({
    connection,
    to: receivers,
    cc: peopleIn(cc, named),
    subject: typeof subject === "string" ? fillIn(subject, named).replace(/\s+/g, " ").trim() : "",
    text: prompt,
    html: html === true,
    attach: textsIn(attach).map((file) => fillIn(file, named)),
    key: effectKey(context),
    timeoutMs: timeFor(context, TIMEOUT_MS),
    signal,
  });
}

const failure = (message: string): AgentError => new AgentError("agent_failed", message);

const textsIn = (value: Json | undefined): readonly string[] =>
  value === undefined ? [] : (Array.isArray(value) ? value : [value]).map(String);

const ADDRESS = /^(?:[^<>",;@\r\n]{0,100}<)?[^\s<>"(),:;\\@[\]]+@[^\s<>"(),:;\\@[\]]+>?$/;

/** The receivers. A value is one address: it cannot add others. */
function peopleIn(value: Json | undefined, inputs: Inputs): readonly string[] {
  const written = textsIn(value).flatMap((text) => text.split(/[,;]/));
  const people = written.map((one) => fillIn(one, inputs).trim()).filter((one) => one !== "");
  const odd = people.find((one) => !ADDRESS.test(one));
  if (odd === undefined) return people;
  throw failure(`${JSON.stringify(odd.slice(0, 100))} is no mail address`);
}
