import { CodeActionKind } from 'vscode-languageserver';
import { pathOf } from '../../core/config/paths.js';
import { anyLlm } from '../../core/config/references.js';
import { pointerOf } from '../../core/json.js';
import type { Project } from '../workspace.js';
import { extractFields } from './extractFields.js';
import type { Refactoring } from './refactoring.js';
import { freeName, snakeCase } from './selection.js';

/** Fields that an llm profile can set instead of an agent. */
const modelFields: readonly string[] = ['provider', 'model_name', 'temperature', 'top_p', 'max_output_tokens'];

/** Moves the model settings of an agent to an llm profile that it names. */
export const extractLlm: Refactoring = {
  name: 'extract-llm',
  kind: CodeActionKind.RefactorExtract,
  propose(context) {
    const { project, file, value } = context;
    if (file.identity.kind !== 'agent' || typeof value.model_name !== 'string') return [];
    if (!context.fields.some((name) => modelFields.includes(name))) return [];
    const fields = modelFields.filter((name) => Object.hasOwn(value, name) && value[name] !== null);
    const name = snakeCase(file.identity.name);
    const id = freeName(`${name}_model`, project.index.ids('llm').keys());
    const title = `Move the model settings to a new llm profile ${JSON.stringify(id)} (same prompt)`;
    if (typeof value.llm_config_id === 'string')
      return [{ title, disabled: `The agent already has the llm profile ${JSON.stringify(value.llm_config_id)}.`, changes: () => [] }];
    const undecided = undecidedBy(project, file.path);
    if (undecided !== undefined)
      return [
        {
          title,
          disabled: `${undecided} names no model, and uses the only profile there is. Name a profile there first.`,
          changes: () => [],
        },
      ];
    const path = pathOf('llm', id, project.index.settings);
    // A profile has to name its provider; agents without one have OpenAI.
    const identity = { llm_id: id, ...(typeof value.provider === 'string' ? {} : { provider: 'openai' }) };
    return [
      {
        title,
        changes: () => extractFields(context, { fields, path, reference: [pointerOf('llm_config_id'), id], identity }),
      },
    ];
  },
};

/** A file that would implicitly get the new profile, or lose the only profile it now uses implicitly. */
function undecidedBy({ index }: Project, ownFile: string): string | undefined {
  if (index.ids('llm').size > 1) return undefined;
  return index.referencesTo('llm', anyLlm).find(({ file }) => file !== ownFile)?.file;
}
