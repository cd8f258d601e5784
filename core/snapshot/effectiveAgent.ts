import { defaultProvider, fallbackSystemText } from '../config/defaults.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { pinPlan } from './agentReferences.js';
import { type Assembled, assemble, type Given, originsOf } from './assemble.js';
import type { Stack } from './collectFragments.js';
import type { LayerProblem, Origin } from './effective.js';
import { agentFieldOrder, agentTable } from './fields.js';
import { layerFragments } from './layering.js';
import { type ChosenPrompt, choosePrompt } from './promptStore.js';
import { settle } from './settle.js';
import type { AgentSource, ResolveRequest } from './types.js';

export interface AssembledAgent extends Assembled {
  readonly misfits: ReadonlySet<string>;
  readonly prompt: ChosenPrompt | undefined;
}

/** The agent half of the effective config: layered fields, identity, chosen profile, template and fallbacks. */
export function effectiveAgent(request: ResolveRequest, stack: Stack, report: (problem: LayerProblem) => void): AssembledAgent {
  const { project, variables } = request;
  const layered = layerFragments(stack.fragments, agentTable);
  const { values } = layered;
  const decided = identityOf(request, stack);
  if (stack.persona) decided.set('persona_key', { value: stack.persona.id, origin: stack.persona.origin });
  if (stack.llm) decided.set('llm_config_id', { value: stack.llm.id, origin: stack.llm.origin });
  if (!values.has('provider')) decided.set('provider', { value: defaultProvider, origin: defaultOrigin('provider') });

  const prompts = values.get('prompts');
  const settling = { variables, originAt: originsOf(layered, decided), report };
  const settledPrompts = prompts === undefined ? undefined : settle(prompts, 'prompts', settling);
  const prompt = isObject(settledPrompts)
    ? choosePrompt(settledPrompts, request.agent_name, stack.fragments, layered.giver, project, report)
    : undefined;
  if (prompt) {
    for (const field of ['template', 'few_shot_examples'] as const) {
      const value = prompt[field];
      if (value !== undefined) decided.set(field, { value, origin: { file: prompt.file.path, pointer: `/${field}`, layer: prompt.layer } });
    }
  }
  if (values.get('agent_type') === 'react' && !values.has('system_text') && !decided.has('template')) {
    const profile = values.get('default_system_prompt');
    decided.set('system_text', {
      value: profile ?? fallbackSystemText,
      origin: profile === undefined ? defaultOrigin('system_text') : settling.originAt(['default_system_prompt']),
    });
  }
  const assembled = assemble(agentFieldOrder, layered, decided, settling);
  return { ...pinPlan(assembled, project, report), misfits: layered.misfits, prompt };
}

function identityOf({ agent_name, version, file, task }: ResolveRequest, { persona }: Stack): Map<string, Given> {
  if (file !== undefined)
    return new Map(['agent_name', 'version'].map((field) => [field, ownIdentity(file, field, { agent_name, version })]));
  const inTask = (field: string): Origin => ({ file: task?.path ?? null, pointer: `${task?.pointer ?? ''}/${field}`, layer: 'task' });
  return new Map<string, Given>([
    ['agent_name', { value: agent_name, origin: inTask('name') }],
    ['version', { value: persona?.id ?? version, origin: persona?.origin ?? inTask('persona_key') }],
  ]);
}

/** A file that does not identify itself is identified by its path. */
function ownIdentity({ path, value }: AgentSource, field: string, named: JsonObject): Given {
  const written = Object.hasOwn(value, field) ? value[field] : undefined;
  return {
    value: typeof written === 'string' ? written : (named[field] as Json),
    origin: { file: path, pointer: written === undefined ? '' : `/${field}`, layer: 'agent' },
  };
}

function defaultOrigin(field: string): Origin {
  return { file: null, pointer: `/${field}`, layer: 'default' };
}
