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
local place = { start = { line = 1, character = 12 }, ["end"] = { line = 1, character = 12 } }
local actions = ask("textDocument/codeAction", { range = place, context = { diagnostics = {} } })
seen.action = { actions[1].title, actions[1].isPreferred }
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
wait("no problem", function() return problems() == 0 end)
vim.api.nvim_win_set_cursor(0, { 3, 3 })
vim.lsp.buf.rename("Reply, twice")
local function lines()
  return vim.api.nvim_buf_get_lines(0, 1, 3, true)
end
wait("another name", function() return lines()[1]:find("Reply") ~= nil end)
seen.lines = lines()
vim.api.nvim_win_set_cursor(0, { 2, 13 })
vim.lsp.buf.definition()
wait("the definition", function() return vim.api.nvim_win_get_cursor(0)[1] == 3 end)
local items = ask("textDocument/completion", { position = { line = 1, character = 13 } })
seen.completed = vim.tbl_map(function(item) return item.label end, items.items or items)
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
    action: ['Write "Answer"', true],
    lines: [
      'S,Ask,input,"Reply, twice",,customer,Who?',
      'S,"Reply, twice",echo,,customer,reply,Hi {customer}',
    ],
    completed: expect.arrayContaining(["Reply, twice", "END"]),
    clients: 1,
  });
});
