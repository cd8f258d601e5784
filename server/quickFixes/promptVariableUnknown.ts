import { valueAt } from '../../core/json.js';
import { editJson } from '../edits/fileChange.js';
import type { Fix, QuickFix } from './quickFix.js';
import { editFix, textIn, textsIn } from './support.js';

/** Replaces an unknown path of a template with a known one, or declares it. */
export const promptVariableUnknown: QuickFix = {
  code: 'prompt-variable-unknown',
  fixes(finding, context) {
    const { data = {} } = finding;
    const path = textIn(finding, 'path') ?? '';
    const { start, end } = data;
    if (typeof start !== 'number' || typeof end !== 'number') return [];
    const file = textIn(finding, 'file') ?? context.file.path;
    const isOwn = file === context.file.path;
    const pointer = isOwn ? finding.pointer : '/template';
    const nearest = textsIn(finding, 'nearest');
    const replace = nearest.map(
      (other): Fix => ({
        title: `Change to {{${other}}}${isOwn ? '' : ` in ${file}`}`,
        ...(isOwn && nearest.length === 1 && { preferred: true }),
        changes: () => editJson(context.project, file, (edit) => edit.replaceWithin(pointer, 'value', { start, end }, `{{${other}}}`)),
      }),
    );
    const isPrompt = context.file.identity.kind === 'prompt';
    const list = isPrompt ? '/variables' : '/input_keys';
    const declared = valueAt(context.file.value, list);
    const [root, key] = path.split('.');
    const isDeclarable = Array.isArray(declared) && (root === 'input' || (isPrompt && root === 'context')) && key !== undefined;
    if (!isDeclarable) return replace;
    const name = isPrompt ? path : key;
    return [...replace, editFix(context, `Add ${JSON.stringify(name)} to ${list.slice(1)}`, (edit) => edit.insertItem(list, name))];
  },
};
