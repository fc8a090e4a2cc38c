import type { Code } from "../catalogue.js";
import { sheets, type Written } from "./explanation.js";

const HEADER = "graph_name,node_name,agent_type,input_fields,output_field,prompt";

export const formulaExplanations = {
  "bad-formula": {
    summary: "A formula cannot be read, or a function is used in a way that it does not have.",
    rule: "The prompt of a `formula` node and the setting `if` of `branching` are formulas, as in a spreadsheet: numbers with a point, text in double quotes, `TRUE` and `FALSE`, names of inputs, brackets, signs, and functions with their values between commas or semicolons. A formula has up to 4,096 characters, and up to 64 brackets and functions inside of each other.",
    ...sheets(
      HEADER,
      "- order,Total,formula,net:number,total,ROUND(net * 1.19",
      '+ order,Total,formula,net:number,total,"ROUND(net * 1.19, 2)"',
    ),
    cure: "Correct the formula at the mark.",
  },
  "unknown-function": {
    summary: "A formula calls a function that there is not.",
    rule: "Formulas have a part of the functions of spreadsheets; the page on formulas lists all of them. Small letters and capitals do not matter. There are no functions of one's own: what a formula cannot say is the work of an agent.",
    ...sheets(
      HEADER,
      "- order,Total,formula,net:number,total,RUOND(net)",
      '+ order,Total,formula,net:number,total,"ROUND(net, 0)"',
    ),
    cure: "Write the name of one of the functions.",
  },
  "formula-type": {
    summary: "A part of a formula has another type than a sign or a function needs.",
    rule: 'Every part of a formula has a type before it is run: of the input, or of what a function gives. Text never becomes a number by itself, and TRUE is no 1. So `amount > "1000"` compares a number with text, and is refused; `VALUE` and `TEXT` say what is meant. `IF` always says what else.',
    ...sheets(
      HEADER,
      '- order,Big,formula,amount:number,big,"amount > ""1000"""',
      "+ order,Big,formula,amount:number,big,amount > 1000",
    ),
    cure: "Compare and compute with values of one type: leave out the quotes of numbers, or write `VALUE(text)`.",
  },
  "bad-table": {
    summary: "A formula looks something up in a table that is not there, or not as it should be.",
    rule: '`LOOKUP(value, "table.csv", "column")` reads a CSV file of the data folder. Its first row names the columns, its first column holds what is looked up. With TRUE as the fourth value the last row counts that is not greater, as in a tariff: then the rows must ascend by their first column. The table is read when the sheet is checked, and again when the node is run.',
    ...sheets(
      HEADER,
      '- order,Postage,formula,weight:number,postage,"LOOKUP(weight, ""tariff.csv"", ""prize"", TRUE)"',
      '+ order,Postage,formula,weight:number,postage,"LOOKUP(weight, ""tariff.csv"", ""price"", TRUE)"',
    ),
    note: "The data folder of the example holds `tariff.csv` with the columns `weight` and `price`.",
    cure: "Correct the name of the file or of the column, or the file.",
  },
  "constant-condition": {
    summary: "A condition of a formula is always the same.",
    rule: "A condition that cannot change hides a mistake: two constants are compared, a choice with a text that it never is, or `ISBLANK` asks for a field that is always set. Generated code holds only what can happen.",
    ...sheets(
      HEADER,
      '- order,Big,formula,amount:number,big,"IF(ISBLANK(amount), 0, amount)"',
      "+ order,Big,formula,amount:number,big,amount",
    ),
    cure: "Remove the condition, or let it ask for what may change. A field that may be unset is read as `amount?`.",
  },
} satisfies Partial<Record<Code, Written>>;
