import type { Code } from "../catalogue.js";
import { sheetOf, sheets, type Written } from "./explanation.js";

const MOST_COLUMNS = 200;
const HEADER = "graph_name,node_name,prompt";

function tooManyColumns(): Uint8Array {
  const extra = MOST_COLUMNS - HEADER.split(",").length + 1;
  const header = [HEADER, ...Array.from({ length: extra }, (_, index) => `#${index + 1}`)].join(",");
  return new TextEncoder().encode(sheetOf(header, `hello,Greet,Hello!${",".repeat(extra)}`));
}

const CAFE = sheetOf(HEADER, "hello,Greet,Welcome to our Café!");

export const fileExplanations = {
  "not-utf8": {
    summary: "The file is not encoded as UTF-8 or UTF-16.",
    rule: [
      'A sheet is UTF-8, or UTF-16 with a byte order mark. Excel\'s plain "CSV" is neither: it is written in the encoding of the computer, often Windows-1252, in which an é or a € is a byte that UTF-8 does not allow.',
      "UTF-16 without that mark is told of too: it is all but sure, and `--fix` converts it.",
      "The message names the first such byte. Guessing an encoding could change names and prompts without a word, so the sheet cannot be used until its encoding is certain.",
    ],
    example: CAFE,
    note: "The example is saved as Windows-1252: its é is the one byte `0xE9`.",
    bytes: () => Uint8Array.from(CAFE, (character) => character.charCodeAt(0)),
    cure: 'In Excel, choose "CSV UTF-8 (Comma delimited)" when you save. For a file that you cannot save again, pass `--encoding windows-1252`, or let `--fix` convert it.',
    cured: CAFE,
  },
  "not-csv": {
    summary: "The text is no CSV, but a table in another form, or a workbook where only text is read.",
    rule: "A sheet is text with a sign between its cells, or a workbook. Tables in Markdown, HTML or XML, and files in which each line stands in quotes as a whole, are seen for what they are, whatever the file is called. A workbook is reported where only text can be read, such as in the check of a text that is sent to a server.",
    example: "| graph_name | node_name | prompt |\n| --- | --- | --- |\n| hello | Greet | Hello! |\n",
    cure: 'Save the sheet as "CSV UTF-8" in the spreadsheet program. `--fix` writes a table in Markdown as CSV, and takes quotes off whole lines.',
    cured: sheetOf(HEADER, "hello,Greet,Hello!"),
  },
  "bad-workbook": {
    notInCsv: true,
    summary: "The file is a workbook that cannot be read.",
    rule: [
      "A workbook (`.xlsx`, `.xlsm`, `.ods`) is an archive of several files. One that is cut off or damaged, that has a password, or that holds what no spreadsheet program writes, such as a document type in its XML, is refused as a whole. The message says what was found.",
      "The old kind of workbook (`.xls`) and the binary one (`.xlsb`) are not read.",
    ],
    example: sheetOf(HEADER, "hello,Greet,Hello!"),
    cure: "Open the workbook in a spreadsheet program, take its password away, and save it as an Excel workbook (`.xlsx`).",
    cured: null,
  },
  "formula-without-value": {
    notInCsv: true,
    summary: "A cell of a workbook holds a formula that has no value yet.",
    rule: [
      "A cell with a formula says its value, as it does in the spreadsheet. The value is worked out by the spreadsheet program and stored beside the formula. A workbook that another program has made may hold formulas without values.",
      "The formula of a `formula` node is read itself, so it needs no value.",
    ],
    example: sheetOf(HEADER, "hello,Greet,Hello!"),
    cure: "Open the workbook in a spreadsheet program and save it.",
    cured: null,
  },
  "merged-cells": {
    notInCsv: true,
    summary: "Cells of a workbook are merged, so that all but the first are empty.",
    rule: "Merged cells look as if the value stood in all of them, but only the first one holds it. A name in the column `graph_name` that is merged downwards is the exception: it counts for each of its rows.",
    example: sheetOf(HEADER, "hello,Greet,Hello!"),
    cure: "Undo the merge in the spreadsheet, and write the value into every row that it is meant for.",
    cured: null,
  },
  "empty-sheet": {
    summary: "The sheet has no data row.",
    rule: "A sheet needs a header row and at least one row below it. Rows whose cells are all empty, and rows whose first cell starts with `#` and a space or with `//`, do not count. A file with nothing in it is reported too.",
    ...sheets(HEADER, "+ hello,Greet,Hello!"),
    cure: "Write one row for each node. If the sheet was filled in a spreadsheet, export the right tab.",
  },
  "sheet-too-large": {
    summary: "The file is larger than a sheet may be.",
    rule: "A sheet may have 50 MB, 200 columns, 100,000 rows below the header, and 1 MB in one cell. The limits keep a wrong file, such as an export of a whole database, from holding up a server. An editor looks at less, and says so in a warning: docs/editors.md lists what.",
    ...sheets(`- ${HEADER},#1,#2,…,#198`, "- hello,Greet,Hello!,,,…,", `+ ${HEADER}`, "+ hello,Greet,Hello!"),
    note: "The example's header has 201 columns; most of them are left out here.",
    bytes: tooManyColumns,
    cure: "Keep only the columns and rows that describe the workflow. Several graphs may stand in several sheets; a long text may stand in a file of its own that the prompt names as `file:PATH`.",
  },
  "missing-column": {
    summary: "The header lacks a column that every sheet needs.",
    rule: [
      "`graph_name` and `node_name` are required, because they say what a row is. They may stand anywhere in the header and may be called by their other names, such as `workflow` and `step`; upper and lower case, spaces, `_` and `-` make no difference.",
      "The first row that is neither empty nor a comment is the header. A title above the header is therefore taken for the header; when one of the next ten rows would be a better one, the help says which.",
    ],
    ...sheets("- Greetings of our shop", "+ # Greetings of our shop", HEADER, "hello,Greet,Hello!"),
    cure: "Delete what stands above the header, or make it a comment: start it with `#` and a space. A required column with a name that is not known must be renamed.",
  },
  "duplicate-column": {
    summary: "Two columns of the header have the same meaning.",
    rule: "Many columns have more than one name: `prompt`, for example, may also be called `instructions`. When two columns mean the same, it would be a matter of chance which one is read, so a sheet may not have both.",
    ...sheets(
      "- graph_name,node_name,prompt,instructions",
      "+ graph_name,node_name,prompt,#instructions",
      "hello,Greet,Hello!,Be friendly.",
    ),
    cure: "Join the two columns, or start the header of the one that is only for people with `#`: it is private then, and ignored.",
  },
  "bad-quote": {
    summary: "A quoted cell is not closed, or a quote stands where none may.",
    rule: [
      "A cell that holds a delimiter, a quote or a line break is put in quotes, and each quote inside it is written twice. Three things go wrong: a quote that is opened and never closed, which swallows the rest of the file; a quote inside a cell that does not begin with one; and text behind a closing quote.",
      "Spreadsheets quote by themselves, so this happens mostly in sheets that were edited as text.",
    ],
    ...sheets(
      "graph_name,node_name,next_node,prompt",
      "hello,Greet,Bye,Hello!",
      '- hello,Bye,,"See you',
      '+ hello,Bye,,"See you"',
    ),
    cure: "Close the cell, or put the whole cell in quotes and double the quotes inside it.",
  },
  "long-row": {
    summary: "A row has more cells than the header.",
    rule: "The surplus cells belong to no column. Nearly always a cell further left holds the delimiter and is not quoted, so that its text is cut in two and every later cell has moved one column to the right. Surplus cells that are empty are no problem.",
    ...sheets(HEADER, "- hello,Greet,Hello, how are you?", '+ hello,Greet,"Hello, how are you?"'),
    cure: "Put the cell that holds the delimiter in quotes.",
  },
  "spreadsheet-error": {
    summary: "A cell holds a spreadsheet's error, such as `#REF!`.",
    rule: "`#REF!`, `#N/A`, `#NAME?`, `#VALUE!` and `#DIV/0!` are what a spreadsheet shows in place of a formula's result. In the exported file the result is lost, and the error would be taken for the name, the field or the prompt.",
    ...sheets(HEADER, "- hello,Greet,#REF!", "+ hello,Greet,Hello!"),
    cure: "Mend the formula in the spreadsheet, or write its result as text, and save the sheet again.",
  },
  "unknown-column": {
    summary: "A column of the header is not known, so its cells are ignored.",
    rule: "A misspelt header is easy to overlook and does much harm: a sheet whose `next_on_failure` column is not recognised has no failure routes at all. So every column must be known, be a setting (`context.NAME`), or be marked as private.",
    ...sheets(
      "- graph_name,node_name,agent_type,output_field,promt",
      "+ graph_name,node_name,agent_type,output_field,prompt",
      "hello,Ask,input,name,What is your name?",
    ),
    cure: "Correct the name. A column that is only for people may stay when its header starts with `#`.",
  },
  "short-row": {
    summary: "A row has fewer cells than the header; the rest is taken as empty.",
    rule: "Programs that write CSV give every row the same number of cells, also when the last ones are empty. A shorter row is read as if it were filled up with empty cells, but it may also be a sign that a line was cut off.",
    ...sheets(
      "graph_name,node_name,next_node,prompt",
      "hello,Greet,Bye,Hello!",
      "- hello,Bye",
      "+ hello,Bye,,See you!",
    ),
    cure: "Write all cells of the row, or the delimiters of the empty ones.",
  },
} satisfies Partial<Record<Code, Written>>;
