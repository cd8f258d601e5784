-- Neovim 0.11 and newer take the server from lsp/agentstack.lua.
if vim.lsp.enable then
  vim.lsp.enable('agentstack')
  return
end

-- 0.7 to 0.10.
local clients = {}

-- The full path matters: a file opened by a relative one belongs to the same project, and to the same server.
local function root_of(file)
  local start = vim.fn.fnamemodify(file, ':p:h')
  local folder = start
  while vim.fn.filereadable(folder .. '/agentstack.json') == 0 and vim.fn.isdirectory(folder .. '/config/agents') == 0 do
    local parent = vim.fn.fnamemodify(folder, ':h')
    if parent == folder then return start end
    folder = parent
  end
  return folder
end

vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, {
  pattern = {
    '*/config/*.json',
    'config/*.json',
    '*/config/prompts/*.md',
    'config/prompts/*.md',
    '*/agentstack.json',
    'agentstack.json',
  },
  callback = function(event)
    local root = root_of(event.file)
    clients[root] = clients[root] or vim.lsp.start_client({
      name = 'agentstack',
      cmd = { 'agent-stack', 'lsp', '--stdio' },
      root_dir = root,
      on_exit = function() clients[root] = nil end,
    })
    if clients[root] then vim.lsp.buf_attach_client(event.buf, clients[root]) end
  end,
})
