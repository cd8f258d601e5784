/**
 * Something that others refer to by name. `name` is the text of every occurrence; the other members distinguish namesakes. Files are project
 * paths, and pointers lead into them.
 */
export type Entity =
  | { readonly kind: 'agent' | 'llm' | 'persona' | 'prompt' | 'mcp' | 'orchestration' | 'environment' | 'skill'; readonly name: string }
  /** `v1` of `A2@v1`. */
  | { readonly kind: 'agent-version'; readonly agent: string; readonly name: string }
  | { readonly kind: 'prompt-version'; readonly prompt: string; readonly name: string }
  | { readonly kind: 'team'; readonly file: string; readonly name: string }
  | { readonly kind: 'task'; readonly file: string; readonly team: string; readonly name: string }
  /** `plan` is the pointer of the execution plan. */
  | { readonly kind: 'step'; readonly file: string; readonly plan: string; readonly name: string }
  /** A field of an output schema. `pointer` is that of the property, or where the property would be if the schema lacks it. */
  | { readonly kind: 'field'; readonly file: string; readonly schema: string; readonly pointer: string; readonly name: string }
  /** `list` is the pointer of the `enum` (or `const`, `anyOf`) that allows the value, or of a property without one. */
  | { readonly kind: 'enum-value'; readonly file: string; readonly schema: string; readonly list: string; readonly name: string }
  /**
   * A key of the payload. `at` in `file` holds `input_keys` or `input_schema` (the root, or the `config` of a task); without either, it is
   * the agent, persona or prompt itself.
   */
  | { readonly kind: 'input-key'; readonly file: string; readonly at: string; readonly name: string }
  /** A key of the context of an orchestration. */
  | { readonly kind: 'context-key'; readonly file: string; readonly name: string }
  /** One of the `inputs` of mcp.json. */
  | { readonly kind: 'mcp-input'; readonly file: string; readonly name: string }
  /** One of the `$defs` of a schema. `pointer` leads to it. */
  | { readonly kind: 'definition'; readonly file: string; readonly pointer: string; readonly name: string };

export type EntityKind = Entity['kind'];

/** Identifies an entity. */
export function entityKey(entity: Entity): string {
  return JSON.stringify([entity.kind, entity.name, ...scopeOf(entity)]);
}

function scopeOf(entity: Entity): readonly string[] {
  switch (entity.kind) {
    case 'agent-version':
      return [entity.agent];
    case 'prompt-version':
      return [entity.prompt];
    case 'team':
    case 'context-key':
    case 'mcp-input':
      return [entity.file];
    case 'input-key':
      return [entity.file, entity.at];
    case 'task':
      return [entity.file, entity.team];
    case 'step':
      return [entity.file, entity.plan];
    case 'definition':
    case 'field':
      return [entity.file, entity.pointer];
    case 'enum-value':
      return [entity.file, entity.list];
    default:
      return [];
  }
}
