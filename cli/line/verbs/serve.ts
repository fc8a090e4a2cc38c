import type { Verb } from "../verb.js";

/** Commands for those who are not at this shell. */
export const serveVerbs: readonly Verb[] = [
  {
    name: "studio",
    operand: [
      "[sheet]",
      "a sheet's file to begin with, or a folder of sheets; the sheets of the project without one",
    ],
    brief: "see and run the sheets in a browser",
    summary:
      "Shows the sheets of the project in a browser on this machine, each beside the picture of its graph and what is wrong with it, and runs them. It prints its address, which holds a token: whoever has it may do what you may. It listens at 127.0.0.1 only. Ctrl-C or SIGTERM stops it.",
    options: [
      ["--port <port>", "the port to listen at (0: any that is free)"],
      ["--open", "open it in the browser"],
    ],
    examples: [
      ["flowsheet studio", "all sheets of the project"],
      ["flowsheet studio workflows/support.csv --open", "one sheet, in the browser at once"],
      ["flowsheet studio drafts", "the sheets of a folder"],
    ],
    run: async (...call) => (await import("../../commands/studio.js")).studio(...call),
  },
  {
    name: "serve",
    operand: null,
    brief: "serve the workflows over HTTP",
    summary:
      "Serves the workflows of the project over HTTP, with the authentication of its configuration. Ctrl-C or SIGTERM stops it, SIGHUP opens the log file again. Start one that lasts as node_modules/.bin/flowsheet-server: npx does not hand signals on.",
    options: [
      ["--host <host>", "the address to listen at (127.0.0.1)"],
      ["--port <port>", "the port to listen at (8000); 0 for any that is free"],
      ["--no-work", "leave the runs that are kept to other processes"],
    ],
    examples: [
      ["flowsheet serve", "at http://127.0.0.1:8000"],
      ["flowsheet serve --host 0.0.0.0 --port 9000", "for other machines, too"],
    ],
    run: async (context, _operands, given) => (await import("../../commands/serve.js")).serve(context, given),
  },
  {
    name: "mcp",
    operand: null,
    brief: "offer the workflows to an assistant as tools",
    summary:
      "Speaks the Model Context Protocol over standard input and output, as assistants start it: each valid workflow is a tool with typed input, and a run that waits for a person asks the user of the assistant. It may do what you may, and ends with its client. It needs the package @modelcontextprotocol/server.",
    options: [
      ["--workflows <names>", "these graphs alone, with a comma between them; team/* for a folder"],
      ["--authoring", "also tools for whoever writes sheets: flowsheet_fix and flowsheet_test"],
    ],
    examples: [
      ["flowsheet mcp", "all valid workflows of the project"],
      ["flowsheet mcp --workflows Refund,Support", "two of them"],
      ["flowsheet mcp --authoring", "for an assistant that writes sheets"],
    ],
    run: async (...call) => (await import("../../commands/mcp.js")).mcp(...call),
  },
  {
    name: "client",
    operand: null,
    brief: "write a typed HTTP client for the workflows",
    summary:
      "Writes a TypeScript module with a typed client for the workflows of the project, or of a running server. It needs nothing but `fetch`: inputs, final states and answers have the types of the sheet.",
    options: [
      ["--out <file>", "where it goes; standard output without it"],
      ["--server <url>", "of this running server; its key is taken from FLOWSHEET_KEY"],
      ["--check", "write nothing; fail when the file is out of date"],
    ],
    examples: [
      ["flowsheet client --out src/flows.ts", "for a program that calls the server"],
      ["flowsheet client --server http://127.0.0.1:8000 --out flows.ts", "without the sheets"],
      ["flowsheet client --out src/flows.ts --check", "in CI: is the client up to date?"],
    ],
    run: async (...call) => (await import("../../commands/client.js")).client(...call),
  },
  {
    name: "auth",
    operand: ["[action]", "init, add, update, view or token"],
    brief: "make, renew and show the keys of the server",
    summary:
      "Makes, renews and shows the keys that the server asks for. init writes the section authentication with four keys; add makes one more for a person, who may only answer questions when nothing else is said; update gives all keys new values, or those that are named; view shows what is there; token makes a token for tests.",
    options: [
      ["--force", "init: write a new section over the one that is there"],
      [
        "--store <where>",
        "init, update: keep digests in the configuration (hash), or keys in .env (env)",
        ["hash", "env"],
      ],
      ["--key <name>", "update: this key alone; may be given again", "repeatable"],
      ["--overlap <time>", "update: the old keys stay valid for so long, such as 24h, 30m or 7d"],
      ["--show-keys", "view: show the keys that can be known"],
      ["--user <name>", "add, token: whom it stands for (token: test)"],
      ["--permission <name>", "add, token: what it permits; may be given again (add: answer)", "repeatable"],
      ["--role <name>", "add: what questions may be asked of; token: that of a user of the identity service"],
      ["--graph <name>", "add: this graph alone; may be given again", "repeatable"],
      ["--minutes <n>", "token: how long it lasts (60)"],
      ["--json", "the same as JSON"],
    ],
    examples: [
      ["flowsheet auth init", "four keys, each shown once"],
      ["flowsheet auth add --user ada --role manager", "a key that only answers what is asked of managers"],
      ["flowsheet auth update", "new values for all keys"],
      ["flowsheet auth update --key executor --overlap 24h", "a new one; the old one ends in a day"],
      ["flowsheet auth view", "which keys there are, and what is wrong"],
    ],
    run: async (...call) => (await import("../../commands/auth.js")).auth(...call),
  },
];
