/** What editors say of agents, settings and columns. It stands apart from the facts: no run loads it. */

import type { About, AboutAgent } from "../../compiler/world.js";

const model = {
  provider: "The provider or entry of `llm.providers` that is asked.",
  model: "The model, by the name that its provider gives it.",
  temperature: "How free the model is in its words: 0 is the least.",
  max_tokens: "The most tokens that an answer may have.",
  system: "What the model is told before the prompt.",
  memory_key: "Nodes with the same key share one conversation with the model.",
  fallback: "Who is asked instead when the provider fails: a provider, or a list of them.",
  choices: "The answers that the model may choose from.",
} as const;

const asked = {
  remind_ms: "How often workers remind of an open question, in milliseconds.",
  assignee: 'Who may answer: a user, `"role:name"`, a list of these, or `{"input": "name"}`.',
  not_starter: "True when whoever started the run may not answer.",
  escalate: 'Who else may answer after a time: `{"after_ms": 86400000, "assignee": "role:director"}`.',
} as const;

const file = {
  collection: "The file in the data folder, where the prompt does not name it.",
  id_from: "The input whose value is the id of the entry.",
} as const;
const entries = {
  ...file,
  id: "The entry that is meant: its key in a mapping, its id in a list.",
  id_field: "The field of an entry, or the column, that holds its id.",
  query: 'The entries that are meant: `{"filter": {"city": "Rome"}, "sort": "name", "limit": 5}`.',
} as const;
const unlessThere = "The result when the file or the entry is not there.";
const writing = {
  mode: "What is done to the file or its entries: write, append, update or delete.",
  value: "The input, or the list of inputs, that is written.",
  upsert: "True when `update` adds what is not there.",
} as const;

const asksModel = (who: string): AboutAgent => ({
  line: `Asks ${who}; its prompt is the message.`,
  settings: model,
});

export const about: About = {
  agents: {
    default: { line: "Says its rendered prompt, or passes on its input.", settings: {} },
    echo: { line: "Says its rendered prompt, or passes on its input.", settings: {} },
    input: { line: "Asks a person for a value, unless the run was given it.", settings: asked },
    human: {
      line: "Asks a person to approve, to choose or to write; a no is a failure.",
      settings: {
        interaction: "What the person does: approval, choice or text.",
        options: "The answers that the person may choose from; of an approval the first approves.",
        default_action: "The answer that stands when `timeout_ms` is over.",
        ...asked,
      },
    },
    branching: {
      line: "Decides between success and failure, and writes true or false.",
      settings: {
        success_field: "The input that decides; the first one without it.",
        success_values: "The values that mean success.",
        failure_values: "The values that mean failure.",
        default_result: "The result for values that mean neither.",
        when: 'What must hold of the inputs: `{"amount": ">100", "country": "<>DE"}`.',
        if: 'The condition as a formula: `AND(amount > 100, country <> "DE")`.',
      },
    },
    formula: { line: "Computes its prompt, a formula over its inputs.", settings: {} },
    switch: {
      line: "Goes to the one node of its list that its first input names.",
      settings: {
        cases: 'The nodes by values of the input: `{"1": "Bronze", "2": "Silver"}`.',
        default: "The node for values that name none.",
      },
    },
    success: { line: "Always succeeds; its value is the rendered prompt.", settings: {} },
    failure: { line: "Always fails; the rendered prompt becomes the field `error`.", settings: {} },
    llm: asksModel("the language model of the configuration"),
    openai: asksModel("a language model of OpenAI"),
    anthropic: asksModel("a language model of Anthropic"),
    google: asksModel("a language model of Google"),
    summary: {
      line: "Joins its inputs to one text, each by a template.",
      settings: {
        format: 'The template of one input, such as `"{key}: {value}"`.',
        separator: "The text between two inputs.",
        include_keys: "The inputs that are joined, in this order; or true for all, with their names.",
        ...model,
        llm: "True, or a provider, when a model sums the joined text up.",
      },
    },
    orchestrator: {
      line: "Chooses the one node of its list that its inputs fit best.",
      settings: {
        strategy: "How it chooses: by words in common, or by a language model.",
        default_target: "The node that it goes to when nothing matches.",
        ...model,
      },
    },
    graph: {
      line: "Runs another graph with its inputs, once or for each item of a list.",
      settings: {
        graph: "The graph that is run; `sheet::Name` for one of another sheet.",
        over: "The input that holds the list: the graph is run once for each item.",
        as: "The name under which the graph gets an item.",
        concurrency: "How many items are under way at the same time.",
        on_error: "What the error of one item does: fail ends the node, collect goes on.",
      },
    },
    list: {
      line: "Filters, sorts, shortens, groups or picks from the list that its first input holds.",
      settings: {
        do: "What is done: filter, sort, unique, limit, group, flatten or pick.",
        where: 'What must hold of the items that `filter` keeps: `{"amount": ">100"}`.',
        by: "The field, or the list of fields, that items are sorted, grouped or told apart by.",
        order: "The order of `sort`: asc or desc.",
        count: "How many items `limit` keeps.",
        fields: "The fields of each item that `pick` keeps.",
      },
    },
    wait: {
      line: "Goes on after a time, or at one; meanwhile the run is put aside.",
      settings: {
        for: 'How long it waits: `"90s"`, `"2h"` or `"3d"`.',
        until: "The input with the time that it waits for, such as 2026-11-22T09:00:00Z.",
      },
    },
    mail: {
      line: "Sends its prompt as a mail.",
      settings: {
        connection: "The connection of `flowsheet.yaml` with the mail server.",
        to: "Who gets it: an address, or a list of them; `{name}` stands for an input.",
        cc: "Who gets a copy, as in `to`.",
        subject: "The subject; `{name}` stands for an input.",
        html: "True when the prompt is HTML.",
        attach: "The file of the data folder that goes along, or a list of them.",
      },
    },
    notify: {
      line: "Sends its prompt as a message: to Slack, Teams, Discord, Telegram or a hook.",
      settings: { connection: "The connection of `flowsheet.yaml` that says where to." },
    },
    mcp: {
      line: "Calls a tool of another server over the Model Context Protocol; its inputs are the arguments.",
      settings: {
        server: "The server: one of `mcp.servers` in the configuration.",
        tool: "The tool, by the name that its server gives it.",
      },
    },
    sql: {
      line: "Asks or changes a database: its prompt is the statement, and `{name}` is bound as a value.",
      settings: {
        connection: "The connection of `flowsheet.yaml` that names the database.",
        read_only: "True when nothing may be changed; without it, as the statement looks.",
        once: "True when a change must not happen twice, even if the run was killed: the database keeps its key.",
        max_rows: "The most rows that the answer may have.",
      },
    },
    http: {
      line: "Calls a host outside over HTTP, and gives the body of its answer.",
      settings: {
        method: "What is asked for: GET, POST, PUT, PATCH, DELETE or HEAD.",
        url: "The address; `{name}` stands for an input, and is percent-encoded.",
        query: 'What is added behind `?`: `{"page": 1, "q": "{term}"}`.',
        headers: 'Headers of the request: `{"Accept-Language": "de"}`; secrets belong into a connection.',
        body: "What is sent: the prompt or the inputs as JSON, the inputs as a form, the prompt as text, or nothing.",
        connection: "The connection of `flowsheet.yaml` that holds the credential.",
        expect: "The statuses that are no error, such as `[200, 404]`; without it those from 200 to 299.",
        parse: "How the body of the answer is read; `auto` goes by the type that the answer names.",
        max_bytes: "The most bytes that the answer may have.",
        next: "Where the address of the next page is: `link` for the header, or a path in the body.",
      },
    },
    json_reader: {
      line: "Reads a JSON file of the data folder, or entries of it.",
      settings: { ...entries, default: unlessThere },
    },
    json_writer: {
      line: "Writes a JSON file of the data folder, or changes entries of it.",
      settings: { ...entries, ...writing },
    },
    csv_reader: {
      line: "Reads the rows of a CSV file of the data folder.",
      settings: {
        ...entries,
        default: unlessThere,
        types: 'The types of columns: `{"net": "number", "due": "date"}`; all others are text.',
        decimal: "The sign before the fraction of a number.",
        thousands: "The sign between the thousands of a number.",
        date_format: "How dates are written, such as `dd.MM.yyyy`.",
      },
    },
    csv_writer: {
      line: "Writes rows into a CSV file of the data folder, or changes some.",
      settings: {
        ...entries,
        ...writing,
        delimiter: "The sign between the cells of a file that is written as a whole.",
      },
    },
    file_reader: {
      line: "Reads a text file of the data folder, or lines of it.",
      settings: {
        ...file,
        id: "The number of the line that is meant.",
        query: 'The lines that are meant: `{"filter": {"line": "error*"}}`.',
        default: unlessThere,
      },
    },
    file_writer: {
      line: "Writes a text file of the data folder.",
      settings: { collection: file.collection, ...writing },
    },
  },
  everyNode: {
    retry: 'How often the agent is called in all: `3`, or `{"attempts": 3, "delay_ms": 500}`.',
    timeout_ms: "How long one attempt, or the wait for an answer, may take.",
    max_visits: "How often a run may come to this node.",
    on_limit: "The node that the visit after the last one goes to.",
    merge: 'What becomes of a field that two branches write: `{"notes": "append"}`, `"last"` or `"sum"`.',
    description: "The node in words.",
    timezone: "The clock of `$today` and of `schedule`; in the first row of a graph.",
    schedule: "When workers begin the graph: a cron expression, in its first row.",
    catch_up: "Beside `schedule`: which of the times are made up for at which nobody was at work.",
    missed: "Beside `schedule`: `once` is `last` of `catch_up`, `skip` is `none`.",
    overlap: "Beside `schedule`: what becomes of a time at which its last run has not ended.",
    webhook: 'How requests begin the graph, in its first row: `{"path": "/orders", "secret": "env:ORDERS"}`.',
    mcp: "False hides the graph from assistants, to which it would be a tool; in its first row.",
  },
  columns: {
    graph_name: "The graph that the row belongs to.",
    node_name: "The name of the node; the first row of a graph is where a run begins.",
    next_node: "Where the run goes after every outcome that no other column takes.",
    context: "A description in words, or settings in JSON.",
    agent_type: "Who does the work; an empty cell means `default`.",
    next_on_success: "Where the run goes after a success.",
    next_on_failure: "Where the run goes after a failure or an error.",
    input_fields: "The fields that the node reads.",
    output_field: "The fields that the node writes.",
    prompt: "The text for the agent; `{name}` stands for an input.",
    description: "The node in words.",
  },
  runValues: {
    $run_id: "The id of the run.",
    $graph: "The graph that the node belongs to.",
    $started_at: "When the run began.",
    $started_by: "The user who began the run; unset when nobody is known.",
    $now: "The time of the visit.",
    $today: "The date of the visit, such as 2026-11-22.",
  },
  testColumns: {
    graph_name: "The graph that is run; may be empty when the sheet has one.",
    case: "The name of the case.",
    given: "The values that the run begins with, by field.",
    mocks: "What stands in for agents, by node.",
    answers: "What people say, by the node that asks.",
    expect_status: "How the run ends: completed, failed or suspended.",
    expect_path: "The nodes that the run visits; `*` stands for any number of them.",
    expect_state: "Fields that the run must end with, and their values.",
    expect_absent: "Fields that must not be set at the end.",
    expect_error: "What the error of a failed run says.",
  },
};
