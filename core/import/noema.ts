import { isObject, valueAt } from '../json.js';
import { shown } from '../rules/support/words.js';
import { within } from './draft.js';
import type { Importer } from './importer.js';
import { modelFields, textOf } from './models.js';
import { stemOf } from './stemOf.js';
import { takeFields } from './takeFields.js';
import type { At } from './types.js';

/** `{Agent}Config` of an agent class with a loop: `llm`, `behavior`, `enabledTools`, `prompts`, `tracing`, as JSON or YAML. */
export const noema: Importer = {
  id: 'noema',
  what: 'the config of an agent class',
  shape: '{Agent}Config: llm.model, behavior.maxIterations, enabledTools, prompts.systemPromptVersion',
  recognise({ value }) {
    if (!isObject(value) || !isObject(value.llm)) return undefined;
    if (isObject(value.behavior) && textOf(value.llm, 'model') !== undefined) return 'sure';
    return textOf(value.llm, 'model') !== undefined && (Array.isArray(value.enabledTools) || isObject(value.prompts)) ? 'maybe' : undefined;
  },
  read(source, draft) {
    const { value } = source;
    if (!isObject(value)) return;
    const at: At = { source, pointer: '' };
    const model = valueAt(value, '/llm/model');
    const { fields, from } = takeFields(value, 'agent', at, draft, { name: null, prompts: null });
    const name = textOf(value, 'name') ?? stemOf(source);
    const version = textOf(value.prompts, 'systemPromptVersion');
    draft.note(
      within(at, 'prompts'),
      version === undefined
        ? 'The file does not hold the prompt of the agent. Write its system_text.'
        : `The prompt, version ${shown(version)}, is in the prompt store of a program, not in this file. Put it into prompts/{name}/${version}.json and name it as prompts.system_prompt, or write system_text.`,
    );
    const chosen = typeof model === 'string' ? modelFields(model, draft, within(at, 'llm', 'model')) : {};
    draft.agent(name, { agent_type: 'react', ...fields, ...chosen }, at, from);
  },
};
