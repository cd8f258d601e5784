/** A field of ours under the name other tools give it. */
export interface ForeignName {
  readonly replacement: string;
  /** Whether a rename alone keeps the meaning, so that fix-all may do it. */
  readonly safe: boolean;
  /** What differs besides the name; a sentence. */
  readonly difference?: string;
}

/** CONFIG.md, "Names other tools use". */
const foreignNames: ReadonlyMap<string, readonly ForeignName[]> = new Map([
  ...alike(['system_prompt', 'instructions', 'system', 'backstory'], 'system_text'),
  ...alike(['purpose', 'goal'], 'purpose_text'),
  ...alike(['name', 'id'], 'agent_name'),
  ...alike(['model'], 'model_name'),
  ...alike(['max_tokens', 'maxTokens'], 'max_output_tokens'),
  ...alike(['schema', 'response_schema', 'config_validation_schema'], 'output_schema'),
  ...alike(['persona'], 'persona_key'),
  // Agents name servers by id, mcp.json defines them.
  ...alike(['mcp_servers', 'mcpServers'], 'client_ids', 'servers'),
  ...alike(['tools'], 'enabled_tools'),
  ...alike(['exclude_tools'], 'exclude_components'),
  ...alike(['max_turns', 'recursion_limit'], 'max_iterations'),
  ['timeout', [{ replacement: 'timeout_ms', safe: false, difference: 'It is in milliseconds: convert the value if it counts seconds.' }]],
  ['max_retries', [{ replacement: 'retry_attempts', safe: false, difference: 'It counts tries, the first included: retries + 1.' }]],
]);

/** Which of the fields in `names` another tool calls `key`. */
export function findForeignName(key: string, names: readonly string[]): ForeignName | undefined {
  return foreignNames.get(key)?.find(({ replacement }) => names.includes(replacement));
}

function alike(keys: readonly string[], ...replacements: readonly string[]): [string, readonly ForeignName[]][] {
  return keys.map((key) => [key, replacements.map((replacement) => ({ replacement, safe: true }))]);
}
