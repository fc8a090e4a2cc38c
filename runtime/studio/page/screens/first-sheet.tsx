import { useState } from "preact/hooks";
import { LIST } from "../address.js";
import { goTo } from "../choose.js";
import { server } from "../connection/present.js";
import { wordsOf } from "../connection/requests.js";
import { sheets } from "../state.js";

interface Template {
  /** Its file and its graph are called so. */
  readonly graph: string;
  readonly title: string;
  readonly about: string;
  readonly rows: readonly string[];
}

const HEADER =
  "graph_name,node_name,next_node,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt,context.when\n";

const TEMPLATES: readonly Template[] = [
  {
    graph: "Hello",
    title: "A greeting",
    about: "One step: it says hello to a name.",
    rows: ["Greet,,echo,,,name,greeting,Hello {name},"],
  },
  {
    graph: "Approval",
    title: "A person decides",
    about: "A letter is drafted, and sent when somebody approves it.",
    rows: [
      'Draft,Approve,echo,,,customer,draft,"Dear {customer}, your order is on its way.",',
      "Approve,,human,Send,Decline,draft,,Send this? {draft},",
      "Send,,echo,,,draft,reply,{draft},",
      "Decline,,echo,,,customer,reply,{customer} gets no letter,",
    ],
  },
  {
    graph: "Ways",
    title: "Two ways",
    about: "A question about money goes one way, all others the other.",
    rows: [
      'Look,,branching,Money,Other,question,,,"{""question"": ""*money*""}"',
      "Money,,echo,,,question,reply,The cashier answers: {question},",
      "Other,,echo,,,question,reply,The office answers: {question},",
    ],
  },
];

/** A name that no sheet and no graph has yet, with a number where it needs one. */
function freeName(graph: string): string {
  const taken = new Set(
    (sheets.value ?? []).flatMap(({ name, graphs }) => [name, ...graphs.map((one) => one.name)]),
  );
  const isFree = (name: string): boolean => !taken.has(name) && !taken.has(fileOf(name));
  for (let number = 2; ; number++) {
    const name = number === 2 && isFree(graph) ? graph : `${graph}${number}`;
    if (isFree(name)) return name;
  }
}

const fileOf = (graph: string): string => `${graph.toLowerCase()}.csv`;

/** What a new sheet may begin with. */
export function FirstSheet() {
  const [fault, setFault] = useState("");
  const make = async ({ graph, rows }: Template): Promise<void> => {
    const name = freeName(graph);
    const [file, text] = [fileOf(name), `${HEADER}${rows.map((row) => `${name},${row}\n`).join("")}`];
    const headers = { "Content-Type": "text/csv", "If-None-Match": "*" };
    try {
      await server().ask(`api/sheets/${file}`, { method: "PUT", headers, body: text });
      goTo({ ...LIST, sheet: file });
    } catch (error) {
      setFault(`${file} was not made. ${wordsOf(error).join(" ")}`);
    }
  };
  return (
    <>
      <h2>New from a template</h2>
      <ul>
        {TEMPLATES.map((template) => (
          <li key={template.graph}>
            <button type="button" class="template" onClick={() => void make(template)}>
              <b>{template.title}</b>
              <span class="quiet">{template.about}</span>
            </button>
          </li>
        ))}
      </ul>
      <output class="said error">{fault}</output>
    </>
  );
}
