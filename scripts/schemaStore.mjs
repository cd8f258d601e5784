const files = {
  'agent.schema.json': ['agents', ['**/config/agents/*/*.json']],
  'prompt.schema.json': ['prompts', ['**/config/prompts/*/*.json']],
  'payload.schema.json': ['payloads and cases', ['**/config/payloads/*/*.json']],
  'llm.schema.json': ['LLM profiles', ['**/config/llms/*.json']],
  'persona.schema.json': ['personas', ['**/config/personas/*.json']],
  'orchestration.schema.json': ['orchestrations', ['**/config/orchestrations/*.json']],
  'agentstack.schema.json': ['project settings', ['agentstack.json']],
};

/** Entries of SchemaStore's catalog. @param base address below which the schemas are */
export function catalogOf(base) {
  return Object.entries(files).map(([file, [what, fileMatch]]) => ({
    name: `Agent Stack: ${what}`,
    description: `Agent Stack ${what}`,
    fileMatch,
    url: `${base}/${file}`,
  }));
}

/**
 * A schema with everything that it refers to among its own `definitions`. Its `$id` stays.
 *
 * @param file its name; @param read gives the schema of a name
 */
export function wholeSchema(file, read) {
  const definitions = {};
  const known = new Set();
  const own = moveReferences(read(file), file);
  const { definitions: inner = {}, ...rest } = own;
  return { ...rest, definitions: { ...inner, ...definitions } };

  function moveReferences(value, from) {
    if (Array.isArray(value)) return value.map((each) => moveReferences(each, from));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) =>
        key === '$ref' && typeof each === 'string' ? [key, moved(each, from)] : [key, moveReferences(each, from)],
      ),
    );
  }

  function moved(reference, from) {
    const [name, pointer = ''] = reference.split('#');
    const target = name === '' ? from : name;
    if (target === file) return `#${pointer}`;
    const key = `${target.replace('.schema.json', '')}${pointer.replace('/definitions/', '.').replaceAll('/', '.')}`;
    if (!known.has(key)) {
      known.add(key);
      const { $id, $schema, ...found } = pointer
        .split('/')
        .slice(1)
        .reduce((at, segment) => at[segment], read(target));
      definitions[key] = moveReferences(found, target);
    }
    return `#/definitions/${key}`;
  }
}
