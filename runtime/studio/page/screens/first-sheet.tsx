import { useState } from "preact/hooks";
import { LIST } from "../address.js";
import { goTo } from "../choose.js";
import { server } from "../connection/present.js";
import { wordsOf } from "../connection/requests.js";

interface Template {
  readonly file: string;
  readonly title: string;
  readonly about: string;
  readonly text: string;
}

const HEADER =
  "graph_name,node_name,next_node,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt,context.when\n";

const TEMPLATES: readonly Template[] = [
  {
    file: "hello.csv",
    title: "A greeting",
    about: "One step: it says hello to a name.",
    text: `${HEADER}Hello,Greet,,echo,,,name,greeting,Hello {name},\n`,
  },
  {
    file: "approval.csv",
    title: "A person decides",
    about: "A letter is drafted, and sent when somebody approves it.",
    text: `${HEADER}Approval,Draft,Approve,echo,,,customer,draft,"Dear {customer}, your order is on its way.",
Approval,Approve,,human,Send,Decline,draft,,Send this? {draft},
Approval,Send,,echo,,,draft,reply,{draft},
Approval,Decline,,echo,,,customer,reply,{customer} gets no letter,
`,
  },
  {
    file: "ways.csv",
    title: "Two ways",
    about: "A question about money goes one way, all others the other.",
    text: `${HEADER}Ways,Look,,branching,Money,Other,question,,,"{""question"": ""*money*""}"
Ways,Money,,echo,,,question,reply,The cashier answers: {question},
Ways,Other,,echo,,,question,reply,The office answers: {question},
`,
  },
];

/** What a folder without a sheet may begin with. */
export function FirstSheet() {
  const [fault, setFault] = useState("");
  const make = async ({ file, text }: Template): Promise<void> => {
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
          <li key={template.file}>
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
