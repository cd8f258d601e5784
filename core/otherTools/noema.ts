import { isObject, valueAt } from '../json.js';
import { quoted } from '../words.js';
import type { At, OtherTool } from './types.js';
import { stemOf, textField, within } from './values.js';

/** `{Agent}Config` of an agent class with a loop: `llm`, `behavior`, `enabledTools`, `prompts`, `tracing`, as JSON or YAML. */
export const noema: OtherTool = {
  id: 'noema',
  groups: { behavior: 'model_name', behaviour: 'model_name' },
  importer: {
    what: 'the config of an agent class',
    shape: '{Agent}Config: llm.model, behavior.maxIterations, enabledTools, prompts.systemPromptVersion',
    recognise({ value }) {
      if (!isObject(value) || !isObject(value.llm)) return undefined;
      if (isObject(value.behavior) && textField(value.llm, 'model') !== undefined) return 'sure';
      return textField(value.llm, 'model') !== undefined && (Array.isArray(value.enabledTools) || isObject(value.prompts))
        ? 'maybe'
        : undefined;
    },
    read(source, draft) {
      const { value } = source;
      if (!isObject(value)) return;
      const at: At = { source, pointer: '' };
      const model = valueAt(value, '/llm/model');
      const { fields, from } = draft.fields(value, 'agent', at, { name: null, prompts: null });
      const name = textField(value, 'name') ?? stemOf(source);
      const version = textField(value.prompts, 'systemPromptVersion');
      draft.note(
        within(at, 'prompts'),
        version === undefined
          ? 'The file does not hold the prompt of the agent. Write its system_text.'
          : `The prompt, version ${quoted(version)}, is in the prompt store of a program, not in this file. Put it into prompts/{name}/${version}.json and name it as prompts.system_prompt, or write system_text.`,
      );
      const chosen = typeof model === 'string' ? draft.modelFields(model, within(at, 'llm', 'model')) : {};
      draft.agent(name, { agent_type: 'react', ...fields, ...chosen }, at, from);
    },
  },
};
