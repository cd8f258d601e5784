import { valueAt } from '../../core/json.js';
import type { JsonEdit } from '../../core/jsonText/jsonEdit.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import { editJson } from '../edits/fileChange.js';
import { createFileFix } from './createFile.js';
import type { Fix, QuickFix } from './quickFix.js';
import { editFix, textIn, textsIn } from './support.js';

/** Replaces `agent_class` with a persona: one with a similar name, or a new one. */
export const legacyAgentClass: QuickFix = {
  code: 'legacy-agent-class',
  fixes(finding, context) {
    const { pointer, data = {} } = finding;
    const task = parentPointer(pointer) ?? '';
    const remove = editFix(context, 'Remove agent_class', (edit) => edit.remove(pointer), data.remove === true);
    if (data.remove === true) return [remove];
    const take = (persona: string) => (edit: JsonEdit) => {
      edit.rename(pointer, 'persona_key').replace(pointer, persona);
      if (valueAt(context.file.value, `${task}/agent_type`) === undefined)
        edit.set(`${task}/agent_type`, textIn(finding, 'agent_type') ?? 'single_shot', { after: ['name'] });
    };
    const nearest = textsIn(finding, 'nearest');
    const fixes: Fix[] = nearest.map((persona) =>
      editFix(context, `Use the persona ${JSON.stringify(persona)}`, take(persona), nearest.length === 1),
    );
    const persona = personaName(textIn(finding, 'found') ?? '');
    const create = createFileFix(context.project, 'persona', persona);
    if (create !== undefined)
      fixes.push({
        title: `Use a new persona ${JSON.stringify(persona)}`,
        changes: async () => [...editJson(context.project, context.file.path, take(persona)), ...(await create.changes())],
      });
    return fixes;
  },
};

/** `agents.design.SolutionDesignerAgent` is `solution_designer`. */
function personaName(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1).replace(/(?<=.)Agent$/, '');
  return name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .toLowerCase();
}
