import { ErrorCodes, MessageType, ResponseError, ShowMessageNotification } from "vscode-languageserver/node";
import { UsageError } from "../../failure.js";
import type { FeaturesOptions } from "../requests.js";
import { isData, textIn } from "../wire/wanted.js";
import { COMMANDS } from "../words.js";
import { scaffoldAgent } from "./scaffolding.js";

/** `workspace/executeCommand`: what the server does itself. */
export async function execute(options: FeaturesOptions, params: unknown): Promise<unknown> {
  const command = textIn(params, "command");
  const list: unknown = isData(params) ? params["arguments"] : undefined;
  const argument: unknown = Array.isArray(list) ? list[0] : undefined;
  if (command === COMMANDS.explain) return explain(options, argument);
  if (command === COMMANDS.scaffold) return scaffold(options, argument);
  throw wrong(`there is no command ${JSON.stringify(command)}`);
}

const wrong = (message: string): ResponseError<void> => new ResponseError(ErrorCodes.InvalidParams, message);

/** Answers the text. A client that does not say that it shows texts itself is asked to show it, too. */
async function explain({ context, connection, client }: FeaturesOptions, argument: unknown): Promise<string> {
  const text = await explanationOf(context, textIn(argument, "code"));
  if (!client.showsTexts)
    await connection.sendNotification(ShowMessageNotification.type, {
      type: MessageType.Info,
      message: text,
    });
  return text;
}

async function explanationOf(context: FeaturesOptions["context"], code: string): Promise<string> {
  const { explain } = await import("../../commands/explain.js");
  let said = "";
  const stdout = { write: (text: string) => (said += text), isTerminal: () => false, columns: () => null };
  try {
    await explain({ ...context, stdout, color: () => false }, [code]);
  } catch (error) {
    if (error instanceof UsageError) throw wrong(error.message);
    throw error;
  }
  return said;
}

async function scaffold({ desk, context }: FeaturesOptions, argument: unknown): Promise<object> {
  const file = desk.find(textIn(argument, "uri"));
  const view = file === null ? null : desk.viewOf(file);
  if (file === null || view === null) throw wrong("the sheet is not open");
  const done = await scaffoldAgent({ file, view, desk }, textIn(argument, "agent"), context);
  // A client that watches the files may tell of the new ones late, or never.
  desk.renew();
  return done;
}
