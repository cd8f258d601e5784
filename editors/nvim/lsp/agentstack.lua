return {
  cmd = { 'agent-stack', 'lsp', '--stdio' },
  filetypes = { 'json', 'markdown' },
  root_markers = { 'agentstack.json', '.git' },
}
