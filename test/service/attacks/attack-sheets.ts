/** A sheet that nobody would write, as large as it is told. */
export interface Attack {
  readonly name: string;
  /** How many of what it has many of, as its text stays within what an editor opens. */
  readonly most: number;
  readonly text: (size: number) => string;
  /** Makes it a test sheet, of this sheet. */
  readonly tested?: (size: number) => string;
}

const HEAD =
  "graph_name,node_name,next_node,context,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt";
const TEST_HEAD = "graph_name,case,given,mocks,answers,expect_path,expect_state,expect_absent";

const many = (size: number, one: (i: number) => string, between: string): string =>
  Array.from({ length: size }, (_, i) => one(i)).join(between);
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const sheet = (...rows: readonly string[]): string => `${[HEAD, ...rows].join("\n")}\n`;
/** A chain of nodes, one a row. */
const chain = (size: number, row: (i: number) => string): string => sheet(many(size, row, "\n"));
const tests = (...rows: readonly string[]): string => `${[TEST_HEAD, ...rows].join("\n")}\n`;
const object = (size: number, key: (i: number) => string, value: string): string =>
  `{${many(size, (i) => `${JSON.stringify(key(i))}: ${value}`, ", ")}}`;
const nested = (depth: number): string => `${'{"a": ['.repeat(depth)}1${"]}".repeat(depth)}`;
const plain = (): string => sheet("G,A,B,,echo,,,name,answer,Hi {name}", "G,B,,,echo,,,answer,last,{answer}");

export const attacks: readonly Attack[] = [
  {
    name: "unknown names in `when`",
    most: 20_000,
    text: (n) =>
      sheet(
        `G,A,B,${quoted(`{"when": ${object(n, (i) => `name_${i}`, '">1"')}}`)},branching,,,other,,`,
        "G,B,,,echo,,,,x,",
      ),
  },
  {
    name: "names in `when` that are nearly those of inputs",
    most: 20_000,
    text: (n) =>
      sheet(
        `G,A,,${quoted(`{"when": ${object(n, (i) => `nxme_${i}`, '">1"')}}`)},branching,,,${many(n, (i) => `name_${i}`, "|")},,`,
      ),
  },
  {
    name: "graphs",
    most: 20_000,
    text: (n) => chain(n, (i) => `Graph ${i},A,,,echo,,,name,answer,Hi {name}`),
  },
  {
    name: "graphs that run each other",
    most: 10_000,
    text: (n) =>
      chain(n, (i) => `Graph ${i},A,,${quoted(`{"graph": "Graph ${(i + 1) % n}"}`)},graph,,,name,answer,`),
  },
  {
    name: "graphs that run unknown graphs",
    most: 10_000,
    text: (n) => chain(n, (i) => `Graph ${i},A,,${quoted(`{"graph": "Grxph ${i}"}`)},graph,,,name,answer,`),
  },
  {
    name: "graphs whose names nearly are those of others",
    most: 20_000,
    text: (n) => chain(n, (i) => `Graph ${i >> 1}${i % 2 === 0 ? "" : "s"},A,,,echo,,,name,answer,Hi`),
  },
  {
    name: "graphs that run one of many fields without its inputs",
    most: 8_000,
    text: (n) =>
      sheet(
        `Big,A,,,echo,,,${many(n, (i) => `name_${i}`, "|")},last,`,
        many(n, (i) => `G${i >> 1},A${i},,"{""graph"": ""Big""}",graph,,,,last,`, "\n"),
      ),
  },
  {
    name: "calls of a graph of many fields",
    most: 10_000,
    text: (n) =>
      sheet(
        `Big,A,,,echo,,,${many(n, (i) => `name_${i}?`, "|")},last,`,
        many(n, (i) => `G,N${i},,"{""graph"": ""Big""}",graph,,,nxme_${i},a${i}=last,`, "\n"),
      ),
  },
  {
    name: "inputs of a node",
    most: 20_000,
    text: (n) => sheet(`G,A,,,echo,,,${many(n, (i) => `name_${i}`, "|")},x,`),
  },
  {
    name: "misspelt inputs of a node",
    most: 20_000,
    text: (n) =>
      sheet(
        `G,A,B,,echo,,,,${many(n, (i) => `name_${i}`, "|")},`,
        `G,B,,,echo,,,${many(n, (i) => `nxme_${i}`, "|")},x,`,
      ),
  },
  {
    name: "outputs of a node",
    most: 20_000,
    text: (n) => sheet(`G,A,,,echo,,,,${many(n, (i) => `name_${i}`, "|")},`),
  },
  {
    name: "placeholders of a prompt",
    most: 20_000,
    text: (n) =>
      sheet(
        `G,A,,,echo,,,${many(n, (i) => `name_${i}`, "|")},x,${quoted(many(n, (i) => `{name_${i}}`, " "))}`,
      ),
  },
  {
    name: "misspelt placeholders of a prompt",
    most: 20_000,
    text: (n) =>
      sheet(
        `G,A,,,echo,,,${many(n, (i) => `name_${i}`, "|")},x,${quoted(many(n, (i) => `{nxme_${i}}`, " "))}`,
      ),
  },
  {
    name: "one placeholder very often",
    most: 50_000,
    text: (n) => sheet(`G,A,,,echo,,,name,x,${quoted(many(n, () => "{nam}", " "))}`),
  },
  {
    name: "misspelt inputs that a prompt names",
    most: 20_000,
    text: (n) =>
      sheet(
        `G,A,B,,echo,,,,${many(n, (i) => `name_${i}`, "|")},`,
        `G,B,,,echo,,,${many(n, (i) => `nxme_${i}`, "|")},x,${quoted(many(n, (i) => `{nxme_${i}}`, " "))}`,
      ),
  },
  {
    name: "misspelt inputs that a setting names",
    most: 20_000,
    text: (n) =>
      sheet(
        `G,A,B,,echo,,,,${many(n, (i) => `name_${i}`, "|")},`,
        `G,B,,${quoted(`{"when": ${object(n, (i) => `nxme_${i}`, '">1"')}}`)},branching,,,${many(n, (i) => `nxme_${i}`, "|")},,`,
      ),
  },
  {
    name: "misspelt inputs whose right names need quotes",
    most: 20_000,
    text: (n) =>
      sheet(
        `G,A,B,,echo,,,,${quoted(many(n, (i) => `na,me ${i}`, "|"))},`,
        `G,B,,,echo,,,${many(n, (i) => `naxme ${i}`, "|")},x,`,
      ),
  },
  {
    name: "misspelt placeholders beside inputs in quotes and blanks",
    most: 10_000,
    text: (n) =>
      sheet(
        `G,A,,,echo,,,${quoted(`${many(n, (i) => `name_${i}:"a"`, "|")}${" ".repeat(10 * n)}`)},x,${quoted(many(n, (i) => `{nxme_${i}}`, " "))}`,
      ),
  },
  {
    name: "long misspelt names in many rows",
    most: 500,
    text: (n) =>
      chain(n, (i) => {
        const names = many(40, (k) => `${"long_name_".repeat(10)}${k}`, "|");
        return `G,N${i},N${i + 1},,echo,,,${names},out_${i},{${"long_nxme_".repeat(10)}1}`;
      }),
  },
  {
    name: "names in a formula",
    most: 20_000,
    text: (n) =>
      sheet(
        `G,A,,,formula,,,${many(n, (i) => `name_${i}:number`, "|")},x,${quoted(many(n, (i) => `name_${i}`, " + "))}`,
      ),
  },
  {
    name: "unknown names in a formula",
    most: 20_000,
    text: (n) =>
      sheet(
        `G,A,,,formula,,,${many(n, (i) => `name_${i}:number`, "|")},x,${quoted(many(n, (i) => `nxme_${i}`, " + "))}`,
      ),
  },
  {
    name: "brackets in a formula",
    most: 100_000,
    text: (n) => sheet(`G,A,,,formula,,,name,x,${"(".repeat(n)}name${")".repeat(n)}`),
  },
  {
    name: "formulas",
    most: 10_000,
    text: (n) =>
      chain(n, (i) => `G,N${i},N${i + 1},,formula,,,name:number,out_${i},name * 2 + ROUND(name / 3)`),
  },
  {
    name: "formulas of many signs",
    most: 500,
    text: (n) =>
      chain(n, (i) => `G,N${i},N${i + 1},,formula,,,name:number,out_${i},${many(400, () => "name", " + ")}`),
  },
  {
    name: "values in a list of a setting",
    most: 100_000,
    text: (n) => sheet(`G,A,,${quoted(`{"choices": [${many(n, () => "1", ",")}]}`)},llm,,,name,x,Hi`),
  },
  {
    name: "filled columns of settings",
    most: 5_000,
    text: (n) =>
      `graph,node,agent,${many(100, (i) => `context.setting_${i}`, ",")}\n${many(n, (i) => `G,N${i},echo${",1".repeat(100)}`, "\n")}\n`,
  },
  {
    name: "lists of rows",
    most: 10_000,
    text: (n) =>
      chain(
        n,
        (i) =>
          `G,N${i},N${i + 1},,echo,,,${many(8, (k) => `in_${k}`, "|")},${many(8, (k) => `out_${i}_${k}`, "|")},{in_1}`,
      ),
  },
  {
    name: "rows of one graph that all fail",
    most: 10_000,
    text: (n) => chain(n, (i) => `G,N${i},N${i + 1},,llm,,Oops,name,answer_${i},Hi {name}`),
  },
  {
    name: "rows of a loop that each lead to two nodes",
    most: 1_400,
    text: (n) => chain(n, (i) => `G,N${i},N${(i + 1) % n}|N${(i * 7_919 + 13) % n},,echo,,,,x,`),
  },
  {
    name: "columns that are renamed",
    most: 200,
    text: (n) => `graph,node,${many(n, (i) => `nxde_${i}`, ",")}\nG,A${",x".repeat(n)}\n`,
  },
  {
    name: "more rows than are understood",
    most: 100_000,
    text: (n) => chain(n, (i) => `Graph ${i >> 5},Node ${i % 32},,,echo,,,name,answer,Hi {name}`),
  },
  { name: "bad quotes", most: 80_000, text: (n) => chain(n, (i) => `G,A ${i} "x" y,,,,,,,,`) },
  {
    name: "bad quotes in one cell",
    most: 80_000,
    text: (n) => sheet(`G,A,,,,,,,,"x" ${many(n, () => '"', " ")}`),
  },
  {
    name: "an open quote above many rows",
    most: 40_000,
    text: (n) => `${HEAD}\nG,"A,,,,,,,,\n${many(n, (i) => `G,B${i},,,,,,,,`, "\n")}`,
  },
  {
    name: "a union with many values",
    most: 50_000,
    text: (n) => sheet(`G,A,,,echo,,,${quoted(`name:${many(n, (i) => `'v${i}'`, "/")}`)},x,`),
  },
  {
    name: "a union with many values in words of others",
    most: 20_000,
    text: (n) => sheet(`G,A,,,echo,,,${quoted(`name:${many(n, (i) => `"v${i}"`, " | ")}`)},x,`),
  },
  {
    name: "a union with many names of types",
    most: 50_000,
    text: (n) =>
      sheet(`G,A,,,echo,,,${quoted(`name:${many(n, (i) => (i % 2 === 0 ? "int" : "str"), "/")}`)},x,`),
  },
  {
    name: "inputs with words of other tools as types",
    most: 20_000,
    text: (n) => sheet(`G,A,,,echo,,,${quoted(many(n, (i) => `name_${i}:int`, "|"))},x,`),
  },
  {
    name: "nodes of a graph",
    most: 10_000,
    text: (n) => chain(n, (i) => `G,Node ${i},Node ${i + 1},,echo,,,name,answer_${i},Hi {name}`),
  },
  {
    name: "nodes that lead to misspelt ones",
    most: 10_000,
    text: (n) => chain(n, (i) => `G,Node ${i},Nxde ${(i + 1) % n},,echo,,,name,answer_${i},Hi {name}`),
  },
  {
    name: "nodes of one name",
    most: 10_000,
    text: (n) => chain(n, () => "G,Node,Node,,echo,,,name,answer,Hi {name}"),
  },
  {
    name: "nodes whose fields nearly are those of others",
    most: 10_000,
    text: (n) => chain(n, (i) => `G,N${i},N${i + 1},,echo,,,anwser_${i},answer_${i},`),
  },
  {
    name: "targets of a node",
    most: 20_000,
    text: (n) => sheet(`G,A,${many(n, (i) => `Node ${i}`, "|")},,echo,,,,x,`, "G,Node 1,,,,,,,,"),
  },
  {
    name: "branches of a split",
    most: 5_000,
    text: (n) =>
      sheet(
        `G,A,${many(n, (i) => `Node ${i}`, "|")},,echo,,,,x,`,
        many(n, (i) => `G,Node ${i},End,,echo,,,x,y_${i},`, "\n"),
        `G,End,,,echo,,,,z,`,
      ),
  },
  {
    name: "branches that write one field",
    most: 5_000,
    text: (n) =>
      sheet(
        `G,A,${many(n, (i) => `Node ${i}`, "|")},,echo,,,,x,`,
        many(n, (i) => `G,Node ${i},End,,echo,,,x,y,`, "\n"),
        `G,End,,,echo,,,y,z,`,
      ),
  },
  {
    name: "settings of a node",
    most: 20_000,
    text: (n) => sheet(`G,A,,${quoted(object(n, (i) => `setting_${i}`, "1"))},echo,,,,x,`),
  },
  {
    name: "settings in a row of other columns",
    most: 5_000,
    text: (n) =>
      `graph,node,agent,${many(n, (i) => `context.setting_${i}`, ",")}\nG,A,echo${",1".repeat(n)}\nG,B,echo${",2".repeat(n)}\n`,
  },
  {
    name: "columns",
    most: 20_000,
    text: (n) =>
      `graph,node,next,${many(n, (i) => `column ${i}`, ",")}\nG,A,B${",x".repeat(n)}\nG,B,${",x".repeat(n)}\n`,
  },
  {
    name: "cells beyond the header",
    most: 50_000,
    text: (n) => `graph,node,next\nG,A,B${",x".repeat(n)}\nG,B,${",".repeat(n)}\n`,
  },
  {
    name: "rows beyond the header",
    most: 20_000,
    text: (n) => `graph,node,next,prompt\n${many(n, (i) => `G,A${i},A${i + 1},Hello, you`, "\n")}\n`,
  },
  {
    name: "cases of a switch",
    most: 20_000,
    text: (n) =>
      sheet(
        `G,A,,${quoted(`{"cases": ${object(n, (i) => `v${i}`, '"B"')}, "default": "B"}`)},switch,,,kind,,{kind}`,
        "G,B,,,echo,,,,x,",
      ),
  },
  {
    name: "cases of a switch that lead to misspelt nodes",
    most: 10_000,
    text: (n) =>
      sheet(
        `G,A,,${quoted(`{"cases": {${many(n, (i) => `"v${i}": "Nxde ${i}"`, ", ")}}}`)},switch,,,kind,,{kind}`,
        many(n, (i) => `G,Node ${i},,,echo,,,,x,`, "\n"),
      ),
  },
  {
    name: "merges of a node",
    most: 20_000,
    text: (n) =>
      sheet(`G,A,,${quoted(`{"merge": ${object(n, (i) => `field_${i}`, '"lasst"')}}`)},echo,,,,x,`),
  },
  { name: "JSON of great depth", most: 20_000, text: (n) => sheet(`G,A,,${quoted(nested(n))},echo,,,,x,`) },
  {
    name: "JSON with faults",
    most: 20_000,
    text: (n) => sheet(`G,A,,${quoted(`{${many(n, (i) => `'k${i}': True`, ", ")}}`)},echo,,,,x,`),
  },
  {
    name: "commas too many in JSON",
    most: 50_000,
    text: (n) => sheet(`G,A,,${quoted(`{"a": 1${",".repeat(n)}}`)},echo,,,,x,`),
  },
  {
    name: "names of many letters",
    most: 200_000,
    text: (n) =>
      chain(
        4,
        (i) =>
          `${"g".repeat(n)},${"n".repeat(n)}${i},${"n".repeat(n)}${i + 1},,${"a".repeat(n)},,,${"f".repeat(n)},${"f".repeat(n)},{${"f".repeat(n)}}`,
      ),
  },
  ...[
    "graph_name",
    "node_name",
    "next_node",
    "context",
    "agent_type",
    "input_fields",
    "output_field",
    "prompt",
  ].flatMap((column): readonly Attack[] =>
    [
      ["letters", "x"],
      ["brackets", "{["],
      ["bars", "a|"],
      ["line ends", "a\n"],
      ["quotes", '"'],
      ["blanks", " "],
      ["backslashes", "\\"],
      ["colons", "a:"],
      ["wide characters", "漢👩‍👩‍👧"],
    ].map(([what = "", sign = ""]) => ({
      name: `${what} in ${column}`,
      most: Math.floor(500_000 / sign.length),
      text: (n) =>
        `graph_name,node_name,${column === "graph_name" || column === "node_name" ? "prompt" : column}\n${["G", "A", "x"].with(column === "graph_name" ? 0 : column === "node_name" ? 1 : 2, quoted(sign.repeat(n))).join(",")}\nG,B,\n`,
    })),
  ),
  { name: "blank rows", most: 200_000, text: (n) => `${HEAD}\n${"\n".repeat(n)}G,A,,,,,,,,\n` },
  { name: "comments", most: 100_000, text: (n) => `${HEAD}\n${"# x\n".repeat(n)}G,A,,,,,,,,\n` },
  {
    name: "rows before the header",
    most: 50_000,
    text: (n) => `${"a,b,c\n".repeat(n)}${HEAD}\nG,A,,,,,,,,\n`,
  },
  { name: "rows without names", most: 50_000, text: (n) => chain(n, () => ",,,x,,,,,,") },
  {
    name: "rows of a sheet",
    most: 50_000,
    text: (n) =>
      chain(
        n,
        (i) =>
          `Graph ${i >> 5},Node ${i % 32},${i % 32 === 31 ? "" : `Node ${(i % 32) + 1}`},,echo,,,name,answer_${i % 32},Hi {name}`,
      ),
  },
  {
    name: "unknown agents",
    most: 10_000,
    text: (n) => chain(n, (i) => `G,N${i},N${i + 1},,agent ${i},,,,x,`),
  },
  {
    name: "line ends in cells",
    most: 50_000,
    text: (n) => sheet(`G,${quoted(many(n, () => "a", "\n"))},,,echo,,,,x,`, "G,B,,,,,,,,"),
  },
  {
    name: "cases",
    most: 20_000,
    text: (n) =>
      tests(
        many(
          n,
          (i) =>
            `G,case ${i},"{""name"": ""x""}","{""A"": {""return"": {""answer"": 1}}}",,A > B,"{""answer"": 1}",last`,
          "\n",
        ),
      ),
    tested: plain,
  },
  {
    name: "cases that give unknown fields of a large graph",
    most: 10_000,
    text: (n) => tests(many(n, (i) => `G,case ${i},"{""nxme_${i}"": 1}",,,,,`, "\n")),
    tested: (n) => sheet(`G,A,,,echo,,,,${many(2 * n, (i) => `name_${i}`, "|")},`),
  },
  {
    name: "cells of single entries",
    most: 10_000,
    text: (n) =>
      `case,${many(20, (k) => `${["given.name", "mocks.A", "answers.A", "expect_state.last"][k % 4]}${k}`, ",")}\n${many(n, (i) => `case ${i}${",x".repeat(20)}`, "\n")}\n`,
    tested: plain,
  },
  {
    name: "cases of one name",
    most: 20_000,
    text: (n) =>
      tests(many(n, () => `G,case,"{""nxme"": ""x""}","{""Ax"": 1}",,Ax > Bx,"{""anwser"": 1}",lst`, "\n")),
    tested: plain,
  },
  {
    name: "nodes in one path",
    most: 20_000,
    text: (n) => tests(`G,one,{},,,${many(n, (i) => `Nxde ${i}`, " > ")},,`),
    tested: (n) => chain(n, (i) => `G,Node ${i},,,echo,,,,x,`),
  },
  {
    name: "mocks of one case",
    most: 20_000,
    text: (n) => tests(`G,one,{},${quoted(object(n, (i) => `Nxde ${i}`, "1"))},,,,`),
    tested: (n) => chain(n, (i) => `G,Node ${i},,,echo,,,,x,`),
  },
  {
    name: "fields that one case expects",
    most: 20_000,
    text: (n) =>
      tests(
        `G,one,${quoted(object(n, (i) => `nxme_${i}`, "1"))},,,,${quoted(object(n, (i) => `anxwer_${i}`, "1"))},${many(n, (i) => `anywer_${i}`, "|")}`,
      ),
    tested: (n) =>
      sheet(`G,A,,,echo,,,${many(n, (i) => `name_${i}`, "|")},${many(n, (i) => `answer_${i}`, "|")},`),
  },
];
