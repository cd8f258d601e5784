import { resolved } from './readSchemas.mjs';

/** Where the example of a kind is in a project. The kinds stand in the order a reader meets them. */
const placeOf = {
  agent: ({ agent_name, version }) => `config/agents/${agent_name}/${version}.json`,
  llm: ({ llm_id }) => `config/llms/${llm_id}.json`,
  persona: () => 'config/personas/reviewer.json',
  prompt: ({ name, version }) => `config/prompts/${name}/${version}.json`,
  mcp: () => 'config/mcp.json',
  lock: () => 'config/mcp.lock.json',
  rootMcp: () => '.mcp.json',
  vscodeMcp: () => '.vscode/mcp.json',
  orchestration: ({ name }) => `config/orchestrations/${name}.json`,
  system: () => 'config/system.json',
  payload: () => 'config/payloads/A2/parser.json',
  baseline: () => 'config/baselines/A2.json',
  agentstack: () => 'agentstack.json',
};
const kinds = Object.keys(placeOf);

const head = `# Fields of the config files

Made from \`schemas/\` by \`npm run generate\`: change the schemas, not this page.

Files are plain JSON (RFC 8259). A field in a layered file may be \`null\`: it removes a value that a lower layer gave. Every
file may hold \`$schema\` and, at its root, \`$ignore\`. Strings may hold \`\${VAR}\` and \`\${VAR:-fallback}\`.
`;

/** The page docs/config.md: a table of fields for every kind of config file. */
export function docsOf(schemas) {
  const sections = kinds.map((kind) => sectionOf(schemas, kind));
  return `${head}\n${sections.join('\n')}`;
}

function sectionOf(schemas, kind) {
  const schema = schemas.get(kind);
  // A persona's fields are an agent's, word for word.
  const rows = kind === 'persona' ? [] : rowsOf({ schemas, kind, shown: new Map() }, schema, '');
  const table =
    rows.length === 0 ? 'Fields: see agent.' : ['| field | type | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
  const [example] = schema.examples;
  return `## ${kind}\n\n${schema.description}\n\n${table}\n\n\`\`\`json ${placeOf[kind](example)}\n${JSON.stringify(example, null, 2)}\n\`\`\`\n`;
}

function rowsOf(context, schema, prefix) {
  const { required = [], properties } = schema;
  return Object.entries(properties).flatMap(([name, property]) => {
    if (name === '$schema' || name === '$ignore') return [];
    return rowsOfField(context, property, `${prefix}${name}`, required.includes(name));
  });
}

function rowsOfField(context, property, path, isRequired) {
  const { schema, name } = resolved(context.schemas, context.kind, property);
  const description = property.description ?? schema.description;
  const meaning = `${isRequired ? '**Required.** ' : ''}${description}`;
  const fallback = schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``;
  const first = context.shown.get(schema.title);
  const type = first === undefined ? typeOf(context, schema) : `as \`${first}\``;
  const row = `| \`${path}\` | ${cell(type)} | ${cell(fallback)} | ${cell(meaning)} |`;
  if (first !== undefined) return [row];
  if (schema.title !== undefined) context.shown.set(schema.title, path);
  return [row, ...rowsInside({ ...context, kind: name }, schema, path)];
}

/** Fields of an object, of the items of a list, of the values of a map. */
function rowsInside(context, schema, path) {
  if (schema.title === 'AgentFields') return [`| \`${path}.*\` | | | The fields of an agent without agent_name and version. |`];
  if (schema.title === 'LlmFields') return [`| \`${path}.*\` | | | The fields of an llm profile without llm_id. |`];
  if (schema.properties !== undefined) return rowsOf(context, schema, `${path}.`);
  if (schema.then?.$ref !== undefined) {
    const branch = resolved(context.schemas, context.kind, schema.then);
    return rowsInside({ ...context, kind: branch.name }, branch.schema, path);
  }
  const [held, suffix] = schema.items === undefined ? [schema.additionalProperties, '.*'] : [schema.items, '[]'];
  if (typeof held !== 'object') return [];
  const target = resolved(context.schemas, context.kind, held);
  const { title } = target.schema;
  const isFieldsOfKind = title === 'AgentFields' || title === 'LlmFields';
  if (title === undefined || (context.shown.has(title) && !isFieldsOfKind)) return [];
  context.shown.set(title, `${path}${suffix}`);
  return rowsInside({ ...context, kind: target.name }, target.schema, `${path}${suffix}`);
}

/** The type with its limits: `number, 0 to 2`; of an enum its values. */
function typeOf(context, schema) {
  if (schema.enum !== undefined) {
    return schema.enum
      .filter((value) => value !== null)
      .map((value) => `\`${value}\``)
      .join(', ');
  }
  if (schema.type === undefined) return 'any JSON';
  const types = [schema.type].flat().filter((type) => type !== 'null');
  const names = types.map((type) =>
    type === 'array' && types.length === 1
      ? `${inBrackets(typeOf(context, resolved(context.schemas, context.kind, schema.items).schema))}[]`
      : type,
  );
  return [names.join(' or '), limitsOf(schema)].filter(Boolean).join(', ');
}

function limitsOf({ minimum, maximum }) {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  return minimum === undefined ? '' : `at least ${minimum}`;
}

const inBrackets = (type) => (type.includes(' ') ? `(${type})` : type);

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
