import { CodeActionKind } from 'vscode-languageserver';
import { isObject, type Json, pointerOf } from '../../core/json.js';
import { editTowards } from '../../core/jsonText/editTowards.js';
import { JsonEdit } from '../../core/jsonText/jsonEdit.js';
import { agentTable } from '../../core/snapshot/fields.js';
import { mergePatch } from '../../core/snapshot/mergePatch.js';
import { editJson, type FileChange } from '../edits/fileChange.js';
import { proveSamePrompt } from './proof.js';
import type { Refactoring, RefactoringContext } from './refactoring.js';

/** Copies the fields of a persona into the agent and removes the reference. The persona stays, for other agents. */
export const inlinePersona: Refactoring = {
  name: 'inline-persona',
  kind: CodeActionKind.RefactorInline,
  propose(context) {
    const { project, file, value, fields } = context;
    if (file.identity.kind !== 'agent') return [];
    const { persona_key: key } = value;
    if (typeof key !== 'string' || !fields.includes('persona_key')) return [];
    const path = project.index.ids('persona').get(key);
    if (path === undefined || project.index.value('persona', key) === undefined) return [];
    return [
      {
        title: `Inline the persona ${JSON.stringify(key)} (same prompt)`,
        changes: () => proveSamePrompt(project, file.path, inlined(context, path)),
      },
    ];
  },
};

function inlined({ project, file, value: agent }: RefactoringContext, path: string): readonly FileChange[] {
  const document = project.documentAt(path);
  const persona = document?.config?.value;
  if (document === undefined || !isObject(persona)) return [];
  const source = new JsonEdit(document.text);
  return editJson(project, file.path, (edit) => {
    let before = 'persona_key';
    for (const [name, value] of Object.entries(persona)) {
      const pointer = pointerOf(name);
      if (name === 'persona_key') continue;
      if (!Object.hasOwn(agent, name)) {
        edit.set(pointer, source.rawOf(pointer), { after: [before] });
        before = name;
      } else if (merges(name, value, agent[name])) editTowards(edit, pointer, agent[name], mergePatch(value, agent[name] as Json));
    }
    edit.remove('/persona_key');
  });
}

/** Whether a field is merged member by member; the agent's own value replaces any other as a whole. */
function merges(name: string, below: Json, above: Json | undefined): boolean {
  return agentTable.agent.get(name)?.parts !== undefined && isObject(below) && isObject(above);
}
