-- Works through the example with Neovim's own client and prints a JSON line for each test. Run by run.ts:
-- nvim --headless --clean -c "luafile example.lua"; the environment names the command, the folder and the report.

local command = { vim.env.TAINTWISE_NODE, vim.env.TAINTWISE_CLI, 'lsp', '--stdio' }
local folder = vim.env.TAINTWISE_FOLDER
local report = io.open(vim.env.TAINTWISE_REPORT, 'w')
local PATIENCE = 30000

local function test(name, body)
  local ok, problem = pcall(body)
  report:write(vim.fn.json_encode({ name = name, passed = ok, problem = ok and '' or tostring(problem) }), '\n')
  report:flush()
end

local function wait(what, condition)
  assert(vim.wait(PATIENCE, condition, 20), 'never came: ' .. what)
end

local settings = { taintwise = { cluster = { file = 'cluster.yaml' }, exclude = { 'before.yaml' } } }
local exited = nil
local client = vim.lsp.start_client({
  name = 'taintwise',
  cmd = command,
  root_dir = folder,
  workspace_folders = { { uri = vim.uri_from_fname(folder), name = 'example' } },
  settings = settings,
  -- Before 0.8 Neovim does not answer questions about settings; it is told to say them.
  on_init = function(started) started.notify('workspace/didChangeConfiguration', { settings = settings }) end,
  on_exit = function(code) exited = code end,
})

vim.cmd('edit ' .. folder .. '/manifests/log-agent.yaml')
local buffer = vim.api.nvim_get_current_buf()
vim.lsp.buf_attach_client(buffer, client)

local function of(code)
  return vim.tbl_filter(function(each) return each.code == code end, vim.diagnostic.get(buffer))
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') .. '\n'
end

-- Line and column of a text, as the protocol counts.
local function place(wanted)
  for index, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local from = line:find(wanted, 1, true)
    if from then return { line = index - 1, character = from } end
  end
  error(wanted .. ' is not in the text')
end

local function ask(method, params)
  local answers, problem = vim.lsp.buf_request_sync(buffer, method, params, PATIENCE)
  assert(answers, problem)
  return answers[client].result
end

local document = { uri = vim.uri_from_bufnr(buffer) }

test('the example has its gap and its time bomb, each once', function()
  wait('the gap', function() return #of('toleration-gap') > 0 end)
  local gaps = of('toleration-gap')
  assert(#gaps == 1, #gaps .. ' gaps')
  assert(#of('toleration-time-bomb') == 1, 'time bombs: ' .. #of('toleration-time-bomb'))
  assert(gaps[1].source == 'taintwise', gaps[1].source)
  assert(gaps[1].severity == vim.diagnostic.severity.WARN, 'severity ' .. gaps[1].severity)
  assert(gaps[1].message:find('dedicated=rdma:NoSchedule', 1, true), gaps[1].message)
end)

test('hover tells what a toleration matches', function()
  local hover = ask('textDocument/hover', { textDocument = document, position = place('node-role') })
  assert(hover.contents.value:find('cp-1', 1, true), hover.contents.value)
end)

test('completion offers the taint that is not tolerated yet', function()
  local at = place('node-role')
  at.character = at.character - 1
  local items = ask('textDocument/completion', { textDocument = document, position = at })
  local labels = vim.tbl_map(function(item) return item.label end, items)
  assert(vim.tbl_contains(labels, 'dedicated'), vim.inspect(labels))
end)

test('the definition of a toleration is the taint in the cluster file', function()
  local found = ask('textDocument/definition', { textDocument = document, position = place('node-role') })
  assert(#found == 1 and found[1].uri:match('cluster%.yaml$'), vim.inspect(found))
end)

test('the preferred fix writes the exact toleration, and nothing is left to say', function()
  local gap = of('toleration-gap')[1]
  local at = { line = gap.lnum, character = gap.col }
  local actions = ask('textDocument/codeAction', {
    textDocument = document,
    range = { start = at, ['end'] = at },
    context = { diagnostics = { gap.user_data.lsp and vim.tbl_extend('keep', {
      message = gap.message, range = { start = at, ['end'] = { line = gap.end_lnum, character = gap.end_col } },
      source = gap.source,
    }, gap.user_data.lsp) or nil } },
  })
  local preferred = vim.tbl_filter(function(action) return action.isPreferred end, actions)
  assert(#preferred >= 1, vim.inspect(actions))
  vim.lsp.util.apply_workspace_edit(preferred[1].edit, 'utf-16')
  wait('the end of the gap', function() return #of('toleration-gap') == 0 and #of('toleration-time-bomb') == 0 end)
  assert(text():find('value: rdma', 1, true), text())
end)

test('it is saved', function()
  vim.cmd('silent write')
  assert(not vim.bo.modified)
end)

test('the server ends when the editor asks', function()
  vim.lsp.stop_client(client)
  wait('its end', function() return exited ~= nil end)
  assert(exited == 0, 'exit code ' .. tostring(exited))
end)

report:close()
vim.cmd('qall!')
