import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { readBlocks } from "../docs/page.js";

const isThere = spawnSync("nvim", ["--version"]).status === 0;
const settings = readBlocks("docs/editors.md").find(({ path }) => path === "flowsheet.lua")?.content ?? "";

const SHEET = `graph_name,node_name,agent_type,next_node,input_fields,output_field,prompt
S,Ask,input,answer,,customer,Who?
S,Answer,echo,,customer,reply,Hi {customer}
`;

/** What is typed, and what Neovim has then: it is printed as JSON. */
const SCRIPT = `
local seen = {}
local function wait(name, is)
  if not vim.wait(60000, is, 20) then
    seen.failed = name
  end
end
local function problems()
  return #vim.diagnostic.get(0)
end
local function ask(method, params)
  params.textDocument = { uri = vim.uri_from_bufnr(0) }
  local _, answer = next(vim.lsp.buf_request_sync(0, method, params, 60000) or {})
  return answer and answer.result
end
vim.cmd("edit sheets/flow.csv")
wait("a problem", function() return problems() == 1 end)
local problem = vim.diagnostic.get(0)[1]
seen.problem = { problem.lnum, problem.col, problem.end_col, problem.source }
local picture = ask("flowsheet/picture", { position = { line = 2, character = 0 } })
seen.picture = { picture.graph, picture.svg:sub(1, 4) }
local lenses = ask("textDocument/codeLens", {})
seen.lenses = vim.tbl_map(function(lens) return lens.command.command end, lenses)
seen.known = vim.tbl_map(function(name) return vim.lsp.commands[name] ~= nil end, seen.lenses)
vim.api.nvim_buf_set_text(0, 1, 12, 1, 18, { "Answer" })
wait("no problem", function() return problems() == 0 end)
seen.line = vim.api.nvim_buf_get_lines(0, 1, 2, true)[1]
-- A second file is served by the same process.
vim.cmd("write | edit sheets/other.csv")
wait("a second file", function() return problems() > 0 end)
seen.clients = #vim.lsp.get_active_clients()
io.stdout:write(vim.fn.json_encode(seen))
`;

test.skipIf(!isThere)("the settings of docs/editors.md serve Neovim", async () => {
  const cwd = createFolder({ "package.json": "{}", "sheets/flow.csv": SHEET, "sheets/other.csv": SHEET });
  mkdirSync(join(cwd, "node_modules/.bin"), { recursive: true });
  symlinkSync(resolve("dist/cli/bin.js"), join(cwd, "node_modules/.bin/flowsheet"));
  writeFileSync(join(cwd, "flowsheet.lua"), settings);
  writeFileSync(join(cwd, "script.lua"), SCRIPT);
  const args = ["--headless", "-u", "NONE", "-n", "-c", "luafile flowsheet.lua", "-c", "luafile script.lua"];
  const { stdout, stderr } = await promisify(execFile)("nvim", [...args, "-c", "qa!"], { cwd });
  expect(JSON.parse(stdout), stderr).toEqual({
    problem: [1, 12, 18, "flowsheet"],
    picture: ["S", "<svg"],
    lenses: ["flowsheet.run"],
    known: [true],
    line: "S,Ask,input,Answer,,customer,Who?",
    clients: 1,
  });
});
