/** What a fix may leave or bring, since only an author can say the rest. By the code of its finding. */
export const mayBring: Readonly<Record<string, readonly string[] | 'anything'>> = {
  // Of two values that one key has, the other one is judged for the first time.
  'duplicate-key': 'anything',
  // A new version is a copy of the newest, with all its faults.
  'unknown-agent-version': 'anything',
  // The fields that it hid are judged for the first time.
  'schema-keyword-unknown': 'anything',
  // The name of another model may be a deprecated one.
  'unknown-model': ['deprecated-model'],
  // Only what has all its layers is judged as a whole.
  'unknown-persona': ['effective-config-incomplete', 'model-not-chosen'],
  'unknown-prompt': ['effective-config-incomplete', 'model-not-chosen'],
  // The persona that was named is named by nothing then.
  'persona-nested': ['unused-persona'],
  'unknown-llm': ['effective-config-incomplete', 'model-not-chosen'],
  'legacy-agent-class': ['effective-config-incomplete', 'model-not-chosen'],
  // The team that was there is reached no more from a new entry.
  'entry-team-unknown': ['unreachable-team', 'unused-team'],
  // Of a field that is there the value is judged for the first time.
  'condition-field-unknown': ['condition-value-impossible', 'condition-operator-type'],
  // The value stays what it was, which another operator may make impossible.
  'condition-operator-type': ['condition-value-impossible'],
  // A value that has its right type, or a path that is closed, is judged for the first time.
  schema: [
    // The value beside a misspelt operator stays what it was.
    'condition-value-impossible',
    'condition-operator-type',
    'enums-match-schema',
    'few-shot-fits-schema',
    'prompt-variable-unknown',
    'default-fits-schema',
    'unknown-mcp-server',
    'unknown-tool',
    'task-unknown',
    'effective-config-incomplete',
  ],
  // A variable that is a placeholder at last may be unset.
  'placeholder-invalid': ['prompt-variable-unknown', 'task-unknown', 'env-unset'],
  // What another tool's field held is looked up for the first time.
  'foreign-name': ['unknown-skill', 'unknown-tool', 'unknown-model', 'unknown-persona', 'unknown-mcp-server'],
  // Tools are looked up for the first time once the agent is a loop.
  'effective-config-incomplete': ['unknown-skill', 'unknown-tool'],
  // What the place asks for instead of a secret, only an author knows.
  'secret-in-plain-text': ['schema'],
  // An empty text is as good as none.
  'empty-text': ['effective-config-incomplete', 'model-not-chosen'],
  // The older protocol, once it is named, is reported as ending.
  'mcp-type-missing': ['mcp/sse-ends'],
  'enum-missing': ['chooser-needs-enums'],
  // Which of the two lists is meant, only an author knows: what reads a value that goes is told of then.
  'enums-match-schema': ['few-shot-fits-schema', 'condition-value-impossible'],
  'required-undefined': ['enum-missing'],
  // A path below input is judged for every agent that uses the prompt.
  'prompt-variable-unknown': ['prompt-variable-unknown'],
  // Whether an agent, known or new, gives what others read of its output is judged once it is there.
  'unknown-agent': [
    'input-invalid',
    'prompt-variable-unknown',
    'condition-field-unknown',
    'condition-value-impossible',
    'condition-operator-type',
  ],
};
