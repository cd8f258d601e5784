import type { FileIdentity } from '../../core/config/configFile.js';
import type { Kind } from '../../core/kinds.js';
import { providersWithKnownModels } from '../../core/llm/modelTable.js';
import type { McpReading } from '../../core/otherTools/types.js';
import { choice, type Draft, json, list, type ObjectDraft, object, raw, text } from './draft.js';

/** A form for a whole file, valid as it stands. */
export interface WholeFile {
  readonly label: string;
  readonly detail: string;
  readonly draft: ObjectDraft;
}

type Form = (identity: FileIdentity, names: FormNames) => WholeFile;

/** Names that a form may use, from the project. */
export interface FormNames {
  readonly llms: readonly string[];
  readonly agents: readonly string[];
  readonly personas: readonly string[];
  /** Keys of the agent that a payload is for. */
  readonly inputKeys: readonly string[];
}

/** Forms for a new file of a kind, the most likely first, named after its path. */
export function wholeFilesOf(kind: Kind, identity: FileIdentity, names: FormNames): readonly WholeFile[] {
  return (forms[kind] ?? []).map((form) => form(identity, names));
}

/** An output schema with one field. All places of its name share one tab stop. */
const outputOf = (name: string, ...more: readonly (readonly [string, Draft])[]) =>
  object(
    ['type', json('object')],
    ['additionalProperties', json(false)],
    ['required', list(text(name, 'field'))],
    ['properties', object([text(name, 'field'), object(...more, ['description', text('what it says')])])],
  );

const twoValues = list(text('first', 'first'), text('second', 'second'));

const identityOf = ({ name, version }: FileIdentity) =>
  [
    ['agent_name', json(name)],
    ['version', json(version ?? 'v1')],
  ] as const;

/** An agent names its model itself if the project has no llm profile. */
const modelOf = ({ llms }: FormNames): readonly (readonly [string, Draft])[] =>
  llms.length > 0 ? [] : [['model_name', text('gpt-5.4-mini')] as const];

const chooser: Form = (identity, names) => ({
  label: 'Chooser agent',
  detail: 'chooses one value for each field',
  draft: object(
    ...identityOf(identity),
    ['description', text('What the agent does, in a sentence.')],
    ['mode', json('Chooser')],
    ['system_text', text(`You are ${identity.name}.`)],
    ['purpose_text', text('Choose one label for the input.')],
    ['input_keys', list(text('text'))],
    ['output_schema', outputOf('label', ['type', json('string')], ['enum', twoValues])],
    ...modelOf(names),
  ),
});

const writer: Form = (identity, names) => ({
  label: 'Writer agent',
  detail: 'writes a text for each field',
  draft: object(
    ...identityOf(identity),
    ['description', text('What the agent does, in a sentence.')],
    ['mode', json('Writer')],
    ['system_text', text(`You are ${identity.name}.`)],
    ['purpose_text', text('Write a short answer to the input.')],
    ['input_keys', list(text('text'))],
    ['output_schema', outputOf('answer', ['type', json('string')])],
    ...modelOf(names),
  ),
});

const extractor: Form = (identity, names) => ({
  label: 'Extractor agent',
  detail: 'fills the fields from the input',
  draft: object(
    ...identityOf(identity),
    ['description', text('What the agent does, in a sentence.')],
    ['mode', json('Extractor')],
    ['system_text', text(`You are ${identity.name}.`)],
    ['purpose_text', text('Fill the fields with what the input says; what it does not say is null.')],
    ['input_keys', list(text('text'))],
    ['output_schema', outputOf('title', ['type', json(['string', 'null'])])],
    ...modelOf(names),
  ),
});

const plain: Form = (identity, names) => ({
  label: 'plain agent',
  detail: 'one call, sent as it is written here',
  draft: object(
    ...identityOf(identity),
    ['description', text('What the agent does, in a sentence.')],
    ['system_text', text(`You are ${identity.name}.`)],
    ['user_text', text('{{input.text}}')],
    ['input_keys', list(text('text'))],
    ...modelOf(names),
  ),
});

const react: Form = (identity, names) => ({
  label: 'react agent',
  detail: 'reasons, acts and observes in a loop with tools',
  draft: object(
    ...identityOf(identity),
    ['description', text('What the agent does, in a sentence.')],
    ['agent_type', json('react')],
    ['system_text', text(`You are ${identity.name}.`)],
    ['purpose_text', text('Answer the task with the tools you have.')],
    ['input_keys', list(text('task'))],
    ['max_iterations', raw('10')],
    ['budget', object(['max_cost', raw('0.05')])],
    ...modelOf(names),
  ),
});

const orchestrating: Form = (identity, names) => ({
  label: 'orchestrating agent',
  detail: 'runs a plan of steps',
  draft: object(
    ...identityOf(identity),
    ['description', text('What the agent does, in a sentence.')],
    ['agent_type', json('orchestrating')],
    ['input_keys', list(text('text'))],
    [
      'execution_plan',
      object(
        ['steps', list(object(['name', text('summary')], ['llm', text('Summarise: {{input.text}}')]))],
        ['output', text('{{steps.summary.output}}')],
      ),
    ],
    ...modelOf(names),
  ),
});

const openai: Form = ({ name }) => ({
  label: 'llm profile',
  detail: 'a model of OpenAI, Anthropic or Google',
  draft: object(
    ['llm_id', json(name)],
    ['provider', choice([...providersWithKnownModels])],
    ['model_name', text('gpt-5.4-mini')],
    ['api_key', text(`secret://${name}_api_key`)],
  ),
});

const compatible: Form = ({ name }) => ({
  label: 'llm profile for a local server',
  detail: 'any server that speaks Chat Completions',
  draft: object(
    ['llm_id', json(name)],
    ['provider', json('openai_compatible')],
    ['base_url', text('http://localhost:11434/v1')],
    ['model_name', text('llama3.2')],
  ),
});

const offline: Form = ({ name }) => ({
  label: 'offline llm profile',
  detail: 'built in: no key, no network',
  draft: object(['llm_id', json(name)], ['provider', json('offline')], ['model_name', json('offline')]),
});

const persona: Form = ({ name }) => ({
  label: 'persona',
  detail: 'fields that several agents share',
  draft: object(['description', text('What the persona is for.')], ['system_text', text(`You are ${name.replaceAll(/[_-]+/g, ' ')}.`)]),
});

const prompt: Form = ({ name, version }) => ({
  label: 'prompt',
  detail: 'a template that takes the place of system_text',
  draft: object(
    ['name', json(name)],
    ['version', json(version ?? 'v1')],
    ['variables', list(text('input.text'))],
    ['template', text('You read this: {{input.text}}')],
  ),
});

const promptWithExamples: Form = (identity, names) => {
  const { draft } = prompt(identity, names);
  const example = object(['input', object([text('text'), text()])], ['output', object([text('label'), text()])]);
  const members = [...draft.members, ['few_shot_examples', list(example)] as const] as const;
  return { label: 'prompt with examples', detail: 'a template and few-shot examples', draft: { members } };
};

const orchestration: Form = ({ name }, { agents, personas }) => {
  const [agent] = agents;
  const [persona_key] = personas;
  const who: readonly [string, Draft][] =
    agent === undefined && persona_key !== undefined
      ? [
          ['agent_type', json('single_shot')],
          ['persona_key', text(persona_key)],
        ]
      : [['agent', text(agent ?? 'Agent@v1')]];
  const team = object(
    ['name', text('First')],
    ['tasks', list(object(['name', text('task')], ...who))],
    ['routing', object(['default', json(null)])],
  );
  return {
    label: 'orchestration',
    detail: 'one team with one task',
    draft: object(
      ['name', json(name)],
      ['entry_team', text('first', 'team')],
      ['context', json({})],
      ['teams', object([text('first', 'team'), team])],
    ),
  };
};

const stdioIn =
  (key: McpReading['key']): Form =>
  () => ({
    label: 'MCP server, started here',
    detail: 'a program that speaks MCP over stdio',
    draft: object([key, object([text('memory'), stdioServer])]),
  });

const httpIn =
  (key: McpReading['key']): Form =>
  () => ({
    label: 'MCP server at an address',
    detail: 'streamable HTTP',
    draft: object([key, object([text('docs'), httpServer])]),
  });

export const stdioServer: Draft = object(
  ['type', json('stdio')],
  ['command', text('npx')],
  ['args', list(json('-y'), text('@modelcontextprotocol/server-memory'))],
);

export const httpServer: Draft = object(['type', json('http')], ['url', text('https://mcp.example.com/mcp')]);

const payload: Form = (_identity, { inputKeys }) => ({
  label: 'payload',
  detail: 'a payload: a case, or a set of cases',
  draft: object(['input', object(...(inputKeys.length === 0 ? ['text'] : inputKeys).map((key) => [key, text()] as const))]),
});

const defaults: Form = (_identity, { llms }) => ({
  label: 'defaults of all agents',
  detail: 'agent_defaults',
  draft: object(['agent_defaults', object(['llm_config_id', text(llms[0] ?? 'openai')])]),
});

const settings: Form = () => ({
  label: 'project settings',
  detail: 'config_dir and environment',
  draft: object(['config_dir', text('config')], ['environment', text('dev')]),
});

const forms: Readonly<Record<Kind, readonly Form[]>> = {
  agent: [chooser, writer, extractor, plain, react, orchestrating],
  llm: [openai, compatible, offline],
  persona: [persona],
  prompt: [prompt, promptWithExamples],
  orchestration: [orchestration],
  mcp: [stdioIn('servers'), httpIn('servers')],
  rootMcp: [stdioIn('mcpServers'), httpIn('mcpServers')],
  vscodeMcp: [stdioIn('servers'), httpIn('servers')],
  // The lock file is only written by the tools command.
  lock: [],
  payload: [payload],
  // Verdicts are only written by an eval.
  baseline: [],
  system: [defaults],
  settings: [settings],
};
