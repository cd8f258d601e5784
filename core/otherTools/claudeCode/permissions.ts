/** A permission rule: `Tool` or `Tool(specifier)`. */
export interface PermissionRule {
  /** As it is written. */
  readonly text: string;
  readonly tool: string;
  /** Undefined where the rule means every use of the tool: `Bash(*)` does as well as `Bash`. */
  readonly specifier: string | undefined;
  readonly hasParentheses: boolean;
}

/** Undefined where it has neither form. */
export function ruleParts(text: string): PermissionRule | undefined {
  const [, tool, specifier] = /^\s*([^\s()]+)(?:\(([\s\S]*)\))?\s*$/.exec(text) ?? [];
  if (tool === undefined) return undefined;
  return { text, tool, specifier: specifier === '*' ? undefined : specifier, hasParentheses: specifier !== undefined };
}

/** Whether the first rule matches every call that the second matches; false where that cannot be told. */
export function covers(broad: PermissionRule, narrow: PermissionRule): boolean {
  if (broad.tool !== narrow.tool) {
    if (broad.specifier !== undefined) return false;
    if (broad.tool.includes('*')) return !narrow.tool.includes('*') && matchesName(broad.tool, narrow.tool);
    return /^mcp__/.test(broad.tool) && !/__.*__/.test(broad.tool) && narrow.tool.startsWith(`${broad.tool}__`);
  }
  if (broad.specifier === undefined || broad.specifier === narrow.specifier) return true;
  if (narrow.specifier === undefined || !/^(?:Bash|PowerShell)$/.test(broad.tool)) return false;
  const prefix = prefixOf(broad.specifier);
  const command = prefixOf(narrow.specifier) ?? narrow.specifier;
  return prefix !== undefined && (command === prefix || command.startsWith(`${prefix} `));
}

function matchesName(pattern: string, name: string): boolean {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`).test(name);
}

/** The words that a command begins with, of `aws s3 *` or `aws s3:*`; undefined for any other pattern. */
function prefixOf(specifier: string): string | undefined {
  return /^([^*]*[^*\s:])(?: |:)\*$/.exec(specifier)?.[1];
}

/** Folders at the root of a system, which few projects have. */
const rootFolders = /^\/(Users|home|etc|tmp|var|private|Volumes|opt|usr)\//;

/** Where such a folder would be in the project, for a path with a single slash in front; nothing for any other rule. */
export function rootedFolders(rule: PermissionRule | undefined, folder: string): readonly string[] {
  if (rule === undefined || !/^(?:Read|Edit)$/.test(rule.tool)) return [];
  const [, first] = rootFolders.exec(rule.specifier ?? '') ?? [];
  return first === undefined ? [] : [folder === '' ? first : `${folder}/${first}`];
}
