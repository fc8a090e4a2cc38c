const HEAD =
  "graph_name,node_name,next_node,context,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt";

/** Graphs that run each other: in a row, in a circle, themselves, and one that is not there. */
const CALLS = `${HEAD}
Main,Start,Second,,echo,,,name,greeting,Hello {name}
Main,Second,Third,"{""graph"": ""Helper""}",graph,,,name=greeting,answer,
Main,Third,,"{""graph"": ""Gone""}",graph,,Oops,name=answer,rest,
Main,Oops,,,failure,,,error,,{error}
Helper,Ask,Deep,,echo,,,name,answer,Who is {name}?
Helper,Deep,,"{""graph"": ""Deepest""}",graph,,,name=answer,answer,
Deepest,Only,Fail,,echo,,,name?,answer:text,{name}
Deepest,Fail,,,failure,,,,,no
Left,One,,"{""graph"": ""Right""}",graph,,,a,b,
Right,One,Two,"{""graph"": ""Left""}",graph,,,a=b,b,
Right,Two,,"{""graph"": ""Right"", ""over"": ""items""}",graph,,,items,b,
`;

const ROWS = `Hello,Greet,Bye,"{""retry"": 2}",echo,,Oops,name|age:number,greeting,"Hello, ""you""
{name}"
,Bye,,,echo,,,greeting,last,"Bye, {greeting}
and {nme}"

# a comment, with "quotes
// another one,,,,
Hello,Oops,,,failure,,,error,,{error}
hello,Greet,Grete,words,,,,,,
`;

/** Texts that no case has, or not all together. */
export const AWKWARD: { readonly [name: string]: string } = {
  calls: CALLS,
  rows: `${HEAD}\n${ROWS}`,
  CRLF: `${HEAD}\n${ROWS}`.replaceAll("\n", "\r\n"),
  "lone CR": `${HEAD}\n${ROWS}`.replaceAll("\n", "\r"),
  "mixed line ends": `${HEAD}\r${ROWS}`.replaceAll("\n\n", "\r\n\n\r"),
  semicolons: `${HEAD}\n${ROWS.replaceAll('""', "'")}`.replaceAll(",", ";"),
  tabs: "graph\tstep\tnext\tprompt\nA\tOne\tTwo\tx,y;z\nA\tTwo\t\t{x}\n",
  "a line that says the delimiter": `sep=;\r\n${HEAD.replaceAll(",", ";")}\r\nA;One;;;;;;;;\r\n`,
  "a byte order mark": `\ufeff"graph_name",node_name\nA,One\nA,Two\n`,
  "wide characters": `${HEAD}\n漢字,é👩‍👩‍👧,e\u0301,,echo,,,名前,挨拶,こんにちは {名前} \ud83d\n漢字,e\u0301,,,écho,,,挨拶,x,\n`,
  "broken quotes": `${HEAD}\nA,One,Two,"open,echo,,,a,b,x\nA,Two,Three,,echo,,,"b" c,d,"x ""y" z"\nA,Three,"One,,echo,,,,,\n`,
  "merged cells": `${HEAD}\nA,One,Two,,echo,,,a,b,\n,Two,Three,,echo,,,b,c,\n,Three,,,echo,,,c,d,\n#REF!,Four,,,,,,,,\n,Five,,,,,,,,\n`,
  "columns of settings":
    "graph,node,next,agent,context.retry,context.limt,context.timeout_seconds,when,,\nA,One,Two,echo,2,3,4,{},,\nA,Two,,echo,x,,,,,y\nB,One,,branching,,1,2,,,\n",
  "a column that may be settings":
    'graph,node,next,agent,when\nA,One,Two,branching,"{""a"": 1}"\nA,Two,,echo,\n',
  "columns without a header": "graph,node,next,,\nA,One,Two,,\nA,Two,,,x\n",
  "rows that are too long and too short": `${HEAD}\nA,One\nA,Two,One,,echo,,,a,b,Hello, you,\nA,Three,,,,,,,,,,x\n`,
  "comments and blank rows alone": `# title,\n\n${HEAD}\n# x\n,,,\n  \nA,One,,,,,,,,\n`,
  "nothing below the header": `${HEAD}\n`,
  "no line end": `${HEAD}\nA,One,,,,,,,,x`,
  nothing: "",
  "test cases.test.csv":
    'graph_name,case,given,expect_path,expect_state\nA,one,"{""a"": 1}",One > Two,{}\nA,one,{,"[",\n',
};
