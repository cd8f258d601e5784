import { CodeActionKind } from 'vscode-languageserver';
import { pathOf } from '../../core/config/paths.js';
import { isObject } from '../../core/json.js';
import { promptFileText } from '../../core/jsonText/promptEdits.js';
import { isPromptText } from '../../core/jsonText/promptText.js';
import { editJson, type FileChange } from '../edits/fileChange.js';
import { proveSamePrompt } from './proof.js';
import type { Refactoring } from './refactoring.js';
import { freeName } from './selection.js';

const unwritable = 'Markdown cannot hold this text: it has line ends of Windows inside.';

/** Moves the prompt of an agent to a text file in the prompt store, and a prompt of the store from JSON to Markdown. */
export const extractPrompt: Refactoring = {
  name: 'extract-prompt',
  kind: CodeActionKind.RefactorExtract,
  propose({ project, document, file, value, fields }) {
    const { kind, name, version } = file.identity;
    const { settings } = project.index;
    if (kind === 'prompt' && fields.includes('template') && !isPromptText(file.path)) {
      const to = file.path.replace(/\.json$/, '.md');
      const { $schema: _schema, ...written } = value;
      const text = promptFileText(written);
      const changes = (): readonly FileChange[] => [
        { type: 'edit', path: file.path, replacements: [{ start: 0, end: document.text.length, text: text ?? '' }] },
        { type: 'move', from: file.path, to },
      ];
      return [{ title: `Write this prompt as text, in ${to}`, ...(text === undefined && { disabled: unwritable }), changes }];
    }
    const { system_text: template, prompts } = value;
    if (kind !== 'agent' || !fields.includes('system_text') || typeof template !== 'string') return [];
    const ids = [...project.index.ids('prompt').keys()];
    const promptName = freeName(
      name,
      ids.flatMap((id) => (id.endsWith(`@${version}`) ? [id.slice(0, id.lastIndexOf('@'))] : [])),
    );
    const id = `${promptName}@${version}`;
    const path = pathOf('prompt', id, settings).replace(/\.json$/, '.md');
    const title = `Extract the prompt to a file, ${path}`;
    const text = promptFileText({ template });
    const isTaken = isObject(prompts) && prompts.system_prompt !== undefined;
    if (isTaken || text === undefined)
      return [{ title, disabled: isTaken ? 'The agent already has a template from the prompt store.' : unwritable, changes: () => [] }];
    const changes = (): readonly FileChange[] => {
      const edits = editJson(project, file.path, (edit) => {
        if (edit.has('/prompts')) edit.set('/prompts/system_prompt', id);
        else edit.set('/prompts', { system_prompt: id }, { after: ['system_text'] });
        edit.remove('/system_text');
      });
      return proveSamePrompt(project, file.path, [...edits, { type: 'create', path, text }]);
    };
    return [{ title, changes }];
  },
};
