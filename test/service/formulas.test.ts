import { describe, expect, test } from "vitest";
import { complete } from "../../compiler/service/complete/complete.js";
import { SheetDocument } from "../../compiler/service/document.js";
import { hover } from "../../compiler/service/hover.js";
import { rename } from "../../compiler/service/rename.js";
import { TOKEN_TYPES } from "../../compiler/service/tokens/token.js";
import { tokens } from "../../compiler/service/tokens/tokens.js";
import { about } from "../../runtime/agents/about.js";
import { testWorld } from "../world.js";

const HEADER = "graph_name,node_name,agent_type,next_node,input_fields,output_field,context,prompt\n";

const open = (rows: string) =>
  SheetDocument.open("sheet.csv", HEADER + rows, { world: testWorld(), about }).view();

function offered(rows: string): readonly string[] {
  const text = HEADER + rows;
  const offset = text.indexOf("^");
  const view = SheetDocument.open("sheet.csv", text.replace("^", ""), { world: testWorld(), about }).view();
  return complete(view, offset).map(({ label, edit }) => `${label} ${edit.text}`);
}

describe("in a formula", () => {
  test("names of inputs come first, then the functions", () => {
    const labels = offered("g,A,formula,,net:number|order-id,x,,net * ^\n");
    expect(labels.slice(0, 3)).toEqual(["net net", "order-id 'order-id'", "IF IF("]);
    expect(labels).toContain("ROUND ROUND(");
  });

  test("a function that is called already keeps its bracket", () => {
    expect(offered('g,A,calculate,,net:number,x,,"ROU^(net, 2)"\n')).toContain("ROUND ROUND");
  });

  test("so it is in the condition of a branch, and not in the column of another agent", () => {
    const header = "graph_name,node_name,agent_type,next_on_success,input_fields,context.if\n";
    const labels = (agent: string): readonly string[] => {
      const text = `${header}g,A,${agent},B,net:number,ne\ng,B,echo,,,\n`;
      const view = SheetDocument.open("sheet.csv", text, { world: testWorld(), about }).view();
      return complete(view, text.indexOf(",ne\n") + 3).map(({ label }) => label);
    };
    expect(labels("branching")).toEqual(expect.arrayContaining(["net", "ROUND"]));
    expect(labels("echo")).not.toContain("ROUND");
  });

  test("nothing is offered inside of a text", () => {
    expect(offered('g,A,formula,,net:number,x,,"""a^b"""\n')).toEqual([]);
  });

  test("a function tells what it does", () => {
    const view = open('g,A,formula,,net:number,x,,"ROUND(net, 2)"\n');
    const said = hover(view, view.text.indexOf("ROUND") + 2)?.markdown;
    expect(said).toContain("`ROUND(number, digits)`");
    expect(said).toContain("rounded");
  });

  test("a field is renamed in formulas and in conditions, with quotes where it needs them", () => {
    const view = open(
      'g,A,echo,B,,net,,1\ng,B,formula,C,net,x,,"(net) + LEN(net & ""net"")"\ng,C,branching,,net,,"{""if"": ""net = \\""net\\"" ""}",\n',
    );
    const renamed = rename(view, view.text.indexOf(",net,") + 1, "net-sum");
    if (renamed.kind !== "edits") throw new Error(JSON.stringify(renamed));
    const edits = renamed.files.flatMap((file) => file.edits);
    const text = [...edits]
      .sort((a, b) => b.start - a.start)
      .reduce((all, edit) => all.slice(0, edit.start) + edit.text + all.slice(edit.end), view.text);
    expect(text.slice(HEADER.length)).toBe(
      `g,A,echo,B,,net-sum,,1\ng,B,formula,C,net-sum,x,,"('net-sum') + LEN('net-sum' & ""net"")"\ng,C,branching,,net-sum,,"{""if"": ""'net-sum' = \\""net\\"" ""}",\n`,
    );
  });

  test("names, functions and constants have their colours", () => {
    const view = open('g,A,formula,,net:number,x,,"IF(net > 5, ""a"", TRUE)"\n');
    const found = [...tokens(view)];
    const said = found.flatMap((start, i) =>
      i % 3 > 0
        ? []
        : [`${TOKEN_TYPES[found[i + 2] ?? 0]} ${view.text.slice(start, start + (found[i + 1] ?? 0))}`],
    );
    expect(said.slice(said.indexOf("field x") + 1)).toEqual([
      "setting IF",
      "placeholder net",
      "value 5",
      'text ""a""',
      "value TRUE",
    ]);
  });
});
