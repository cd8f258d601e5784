use zed_extension_api as zed;

struct AgentStack;

impl zed::Extension for AgentStack {
    fn new() -> Self {
        AgentStack
    }

    fn language_server_command(&mut self, _id: &zed::LanguageServerId, worktree: &zed::Worktree) -> zed::Result<zed::Command> {
        let command = worktree.which("agent-stack").ok_or("agent-stack is not on the PATH")?;
        Ok(zed::Command { command, args: vec!["lsp".into(), "--stdio".into()], env: worktree.shell_env() })
    }
}

zed::register_extension!(AgentStack);
