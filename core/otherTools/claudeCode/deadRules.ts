import { quoted } from '../../words.js';
import type { Effect, PermissionRule } from './permissions.js';

/** Why Claude Code skips a text that is no rule. */
export function withoutForm(text: string): string | undefined {
  if (text.trim() === '') return 'Claude Code skips this rule: it is empty. Remove it.';
  const isCommand = !text.includes('(');
  const fix = isCommand ? `Write ${quoted(`Bash(${text.trim()})`)} if it is a command.` : 'It ends with the parenthesis that closes it.';
  return `Claude Code skips ${quoted(text)}: a rule is Tool or Tool(specifier). ${fix}`;
}

/** The one parameter of a tool that no rule can name, since its specifier stands for it. */
const contentFields: Readonly<Record<string, string>> = {
  Bash: 'command',
  PowerShell: 'command',
  Read: 'file_path',
  Edit: 'file_path',
  Write: 'file_path',
  Grep: 'path',
  Glob: 'path',
  NotebookEdit: 'notebook_path',
  WebFetch: 'url',
};

/** Why a rule has no effect, whatever the other rules are; undefined where nothing says so. */
export function withoutEffect(rule: PermissionRule, effect: Effect): string | undefined {
  const { text, tool, specifier, hasParentheses } = rule;
  if (/^mcp__/.test(tool) && hasParentheses)
    return `Claude Code skips ${quoted(text)}: rules for tools of MCP servers have no parentheses. Write ${quoted(tool)}.`;
  if (effect === 'allow' && tool.includes('*') && !/^mcp__[^*]+__[^:]*$/.test(tool)) {
    const server = /^(mcp__[^*]+?)__:\*$/.exec(tool)?.[1];
    const bare = /^(\w+):\*$/.exec(tool)?.[1];
    const instead = server === undefined ? bare : `${server}__*`;
    const fix = instead === undefined ? 'Name the tools.' : `Write ${quoted(instead)}.`;
    return `Claude Code skips ${quoted(text)}: a rule that allows may have "*" only behind mcp__SERVER__, so it allows nothing. ${fix}`;
  }
  if (tool === 'EndConversation' && effect !== 'allow')
    return `${quoted(text)} has no effect: no rule that denies or asks keeps Claude Code from ending a conversation. Remove it.`;
  if (specifier === undefined) return undefined;
  const [, parameter, value] = /^\s*(\w{2,})\s*:\s*([\s\S]*)$/.exec(specifier) ?? [];
  if (parameter !== undefined && parameter === contentFields[tool] && value !== '*' && value !== '')
    return `Claude Code ignores ${quoted(text)}: ${quoted(parameter)} is what the specifier of ${tool} stands for, and cannot be named. Write ${tool}(${tool === 'WebFetch' ? 'domain:HOST' : value}).`;
  if (tool === 'WebFetch' && /^https?:/.test(specifier)) {
    const host = /^https?:\/\/([^/:*\s]+)/.exec(specifier)?.[1] ?? 'HOST';
    return `${quoted(text)} matches no fetch: WebFetch is matched by its host. Write "WebFetch(domain:${host})".`;
  }
  const edit = editRuleFor(rule);
  if (edit !== undefined && (parameter === undefined || effect === 'allow'))
    return `Claude Code never consults ${quoted(text)}: paths are checked against rules for Edit and Read only. Write ${quoted(edit)}.`;
  if (/^(?:Bash|PowerShell)$/.test(tool) && /^[\w.-]+:\* ./.test(specifier))
    return `${quoted(text)} matches no such command: ":*" counts only at the end, before that the colon is taken literally. Write ${quoted(text.replace(':*', ' *'))}.`;
  if (tool === 'Bash' && effect === 'allow' && neverApproved.test(specifier) && specifier.includes('*'))
    return `Claude Code asks in spite of ${quoted(text)}: what watch, setsid, ionice, flock, or find with -exec or -delete runs is approved by a rule without "*" only. Write the whole command.`;
  return undefined;
}

/** What no rule with a wildcard approves. */
const neverApproved = /^(?:(?:watch|setsid|ionice|flock)\b|find\b.* -(?:exec|delete)\b)/;

/** The rule that is consulted in place of one for a tool whose paths are not. */
export function editRuleFor({ tool, specifier }: PermissionRule): string | undefined {
  if (specifier === undefined || specifier === '') return undefined;
  if (tool === 'Glob') return `Read(${specifier})`;
  return /^(?:Write|NotebookEdit|MultiEdit)$/.test(tool) ? `Edit(${specifier})` : undefined;
}
