/** A script by shell. Each asks `agent-stack complete` with the words up to the caret, and runs nothing of what is typed. */
export const scripts = {
  // Bash takes "=", "@" and ":" for the end of a word, so the part before the last of them is not repeated.
  bash: `_agent_stack() {
  local line=\${COMP_LINE:0:COMP_POINT} words word before value
  read -ra words <<< "$line"
  [[ $line != *[[:space:]] ]] || words+=('')
  word=\${words[\${#words[@]} - 1]}
  before=\${word%"\${word##*[=@:]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    if [[ $value == :files ]]; then
      compopt -o default 2>/dev/null
    else
      COMPREPLY+=("\${value#"$before"}")
    fi
  done < <(agent-stack complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _agent_stack agent-stack agentstack
`,
  zsh: `#compdef agent-stack agentstack
_agent_stack() {
  local -a values
  local value description
  while IFS=$'\\t' read -r value description; do
    if [[ $value == :files ]]; then
      _files
    else
      values+=("\${value//:/\\\\:}:$description")
    fi
  done < <(agent-stack complete -- "\${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)
  _describe -t values value values
}
compdef _agent_stack agent-stack agentstack
`,
  fish: `function __agent_stack_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found (agent-stack complete -- $words[2..] 2>/dev/null)
    string match -v -- :files $found
    if contains -- :files $found
        __fish_complete_path (commandline -ct)
    end
end
for name in agent-stack agentstack
    complete -c $name -f -a '(__agent_stack_complete)'
end
`,
} as const;

export type Shell = keyof typeof scripts;
