import { builtInProviders } from '../builtInProviders.js';
import { llmDefaults } from '../config/defaults.js';
import type { JsonObject } from '../json.js';
import { type Assembled, assemble, type Given } from './assemble.js';
import type { Stack } from './collectFragments.js';
import type { LayerProblem } from './effective.js';
import { llmFieldOrder, llmTable, takenFromAgent } from './fields.js';
import { layerFragments } from './layering.js';
import type { ResolveRequest } from './types.js';

/**
 * The llm half of the effective config: how to reach the model, and its price. Provider and retries come from the agent, which may have
 * overridden the profile's.
 */
export function effectiveLlm(request: ResolveRequest, stack: Stack, agent: Assembled, report: (problem: LayerProblem) => void): Assembled {
  const [defaults, ...fragments] = stack.fragments;
  const layered = layerFragments([{ ...defaults, value: llmDefaults }, ...fragments], llmTable);
  const decided = new Map<string, Given>();
  if (stack.llm) {
    const layer = request.overrides?.llm === undefined ? 'llm' : 'call';
    decided.set('llm_id', {
      value: stack.llm.id,
      origin: { file: stack.llm.file.path, pointer: stack.llm.file.value.llm_id === undefined ? '' : '/llm_id', layer },
    });
  }
  for (const field of takenFromAgent) {
    const value = agent.config[field];
    if (value !== undefined) decided.set(field, { value, origin: agent.originAt([field]) });
  }
  const assembled = assemble(llmFieldOrder, layered, decided, { variables: request.variables, report });
  const { provider } = agent.config;
  const needsAddress = typeof provider === 'string' && builtInProviders.get(provider)?.exampleAddress !== undefined;
  const lacksAddress = needsAddress && assembled.config.base_url === undefined;
  if (lacksAddress && !layered.misfits.has('base_url') && !stack.broken.llm) {
    const { file, pointer } = agent.originAt(['provider']);
    const data = { field: 'base_url' };
    report({ code: 'effective-config-incomplete', message: addressMissing(provider), file, pointer, data });
  }
  return withoutPlainKey(withoutHalfPrice(assembled, report), report);
}

export function addressMissing(provider: string): string {
  return `The provider ${provider} has no address of its own. Give base_url in an llm profile, such as "${builtInProviders.get(provider)?.exampleAddress}".`;
}

/** A plain API key in a field that only takes a reference must get into neither a snapshot nor a message. */
function withoutPlainKey(assembled: Assembled, report: (problem: LayerProblem) => void): Assembled {
  const { api_key } = assembled.config;
  if (typeof api_key !== 'string' || api_key.startsWith('secret://')) return assembled;
  const { file, pointer } = assembled.originAt(['api_key']);
  report({
    code: 'secret-in-plain-text',
    message:
      'api_key takes only a reference such as "secret://openai_api_key". Store the key under that name and write the reference here.',
    file,
    pointer,
  });
  return without(assembled, 'api_key');
}

function withoutHalfPrice(assembled: Assembled, report: (problem: LayerProblem) => void): Assembled {
  const { price } = assembled.config;
  const { input, output } = (price ?? {}) as JsonObject;
  if (price === undefined || (input !== undefined && output !== undefined)) return assembled;
  const { file, pointer } = assembled.originAt(['price']);
  report({
    code: 'effective-config-incomplete',
    message: `The price has no ${input === undefined ? 'input' : 'output'} after layering. Give both input and output, in USD per million tokens.`,
    file,
    pointer,
    data: { field: 'price' },
  });
  return without(assembled, 'price');
}

function without(assembled: Assembled, field: string): Assembled {
  const rest = Object.entries(assembled.config).filter(([name]) => name !== field);
  return { ...assembled, config: Object.freeze(Object.fromEntries(rest)) };
}
