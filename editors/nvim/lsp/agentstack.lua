return {
  cmd = { 'agent-stack', 'lsp', '--stdio' },
  filetypes = { 'json' },
  root_markers = { 'agentstack.json', '.git' },
}
