import type { LoadedAgent } from '../agent/load/loadAgent.js';
import { Refused } from '../agent/load/refused.js';
import { type AgentStackError, ConfigInvalidError, ConfigSyntaxError } from '../errors.js';
import type { JsonObject } from '../json.js';
import { callsModel } from '../snapshot/effective.js';
import type { ResolvedAgent } from '../snapshot/types.js';
import type { LoadedOrchestration } from '../team/loadOrchestration.js';
import { plural } from '../words.js';
import type { Exposed, Unnamed } from './exposed.js';
import { contextSchemaOf, inputSchemaOf, textKeyOf } from './inputSchemaOf.js';

type Identity = Pick<Exposed, 'name' | 'version' | 'id' | 'file'>;

/** An exposed agent for other programs, or why it cannot be used. */
export function describeAgent(identity: Identity, loaded: LoadedAgent | Refused): Unnamed {
  if (loaded instanceof Refused) return unavailable('agent', identity, loaded.error);
  const { resolved, agents } = loaded.agent;
  const { config } = resolved;
  const { description, purpose_text, output_schema, agent_type } = config;
  const input_schema = inputSchemaOf(config);
  const called = [...(agents?.values() ?? [])].map((agent) => agent.resolved);
  return {
    ...identity,
    kind: 'agent',
    description: firstText(description, purpose_text) ?? `Runs the agent ${identity.id}.`,
    input_schema,
    ...(output_schema && { output_schema: { ...output_schema, type: 'object' } }),
    text_key: textKeyOf(input_schema),
    calls_tools: agent_type === 'orchestrating' || [resolved, ...called].some((agent) => agent.tools.length + agent.unlisted.length > 0),
    models: modelsOf([resolved, ...called]),
    streams_text: agent_type === 'single_shot' && output_schema === undefined && (config.retry_invalid ?? 0) === 0,
  };
}

/** The same for an orchestration. @param description from its file */
export function describeOrchestration(identity: Identity, loaded: LoadedOrchestration | Refused, description: string | undefined): Unnamed {
  if (loaded instanceof Refused) return unavailable('orchestration', identity, loaded.error);
  const { frozen, agents } = loaded.orchestration;
  const input_schema = contextSchemaOf(frozen);
  return {
    ...identity,
    kind: 'orchestration',
    description:
      firstText(description) ??
      `Runs the orchestration ${identity.id}: ${Object.values(frozen.teams)
        .map(({ name }) => name)
        .join(', ')}.`,
    input_schema,
    output_schema: teamsSchema,
    text_key: textKeyOf(input_schema),
    calls_tools: [...agents.values()].some(({ resolved }) => resolved.tools.length + resolved.unlisted.length > 0),
    models: modelsOf([...agents.values()].map(({ resolved }) => resolved)),
    streams_text: false,
  };
}

/** Why something cannot run, briefly: the first finding with its place, and the number of others. */
export function refusalWords(error: AgentStackError): string {
  if (!(error instanceof ConfigInvalidError || error instanceof ConfigSyntaxError)) return error.message;
  const [first, ...more] = error.findings;
  if (first === undefined) return error.message;
  const others = more.length === 0 ? '' : ` And ${plural(more.length, 'more finding')}: run \`agent-stack check\`.`;
  return `${first.file}:${first.line}:${first.column} ${first.code}: ${first.message}${others}`;
}

/** It stays listed, with the reason why it does not work. It accepts any input, since its schema is unknown. */
function unavailable(kind: Exposed['kind'], identity: Identity, refusal: AgentStackError): Unnamed {
  return {
    ...identity,
    kind,
    description: `Unavailable until its config is corrected. ${refusalWords(refusal)}`,
    input_schema: { type: 'object', additionalProperties: true },
    text_key: undefined,
    calls_tools: false,
    models: [],
    streams_text: false,
    refusal,
  };
}

function modelsOf(agents: readonly ResolvedAgent[]): readonly string[] {
  const callers = agents.filter(({ config, llm }) => llm.provider !== 'offline' && callsModel(config));
  return [...new Set(callers.map(({ config, llm }) => config.model_name ?? llm.provider))];
}

function firstText(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined && text.trim() !== '');
}

/** The output of an orchestration, as in `result.schema.json`. */
const teamsSchema: JsonObject = {
  type: 'object',
  properties: {
    teams: {
      type: 'array',
      description: 'The teams that ran, in order.',
      items: {
        type: 'object',
        properties: {
          team: { type: 'string' },
          tasks: { type: 'object', description: 'By task: status, output, error.', additionalProperties: { type: 'object' } },
        },
        required: ['team', 'tasks'],
      },
    },
    context: { type: 'object', description: 'The context at the end.' },
  },
  required: ['teams', 'context'],
};
