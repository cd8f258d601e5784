import { isObject, valueAt } from '../../core/json.js';
import { withChangingLast } from '../../core/prompt/stablePrefix.js';
import { editJson } from '../edits/fileChange.js';
import { outputSchemaFixes } from './conditions.js';
import type { Fix, QuickFix } from './quickFix.js';
import { editFix, lastOf, shownValue, textIn, textsIn } from './support.js';

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
    const pointer = isOwn ? finding.pointer : (textIn(finding, 'at') ?? '');
    const nearest = textsIn(finding, 'nearest');
    const replace = nearest.map(
      (other): Fix => ({
        title: `Change to {{${other}}}${isOwn ? '' : ` in ${file}`}`,
        ...(isOwn && nearest.length === 1 && { preferred: true }),
        changes: () => editJson(context.project, file, (edit) => edit.replaceWithin(pointer, 'value', { start, end }, `{{${other}}}`)),
      }),
    );
    const task = textIn(finding, 'text');
    if (task !== undefined) return [...replace, ...outputSchemaFixes(context, finding, { task, path: path.split('.').slice(3) })];
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

/** Removes an unused key from `input_keys`. */
export const inputKeyUnused: QuickFix = {
  code: 'input-key-unused',
  fixes: (finding, context) =>
    /^\/input_keys\/\d+$/.test(finding.pointer)
      ? [editFix(context, `Remove ${JSON.stringify(textIn(finding, 'key') ?? '')} from input_keys`, (edit) => edit.remove(finding.pointer))]
      : [],
};

/** Removes an empty text, so that the layer below counts; templates and prompts of steps are required. */
export const emptyText: QuickFix = {
  code: 'empty-text',
  fixes({ pointer }, context) {
    const name = lastOf(pointer);
    if (name === 'template' || name === 'llm') return [];
    return [editFix(context, `Remove ${shownValue(name)}`, (edit) => edit.remove(pointer))];
  },
};

/** Moves the changing paragraphs of a template after the stable ones, or shows the result of that. */
export const cachePrefixBroken: QuickFix = {
  code: 'cache-prefix-broken',
  fixes(finding, { project }) {
    const file = textIn(finding, 'file') ?? '';
    const value = project.documentAt(file)?.config?.value;
    const at = textIn(finding, 'at') ?? '';
    const template = isObject(value) ? valueAt(value, at) : undefined;
    if (typeof template !== 'string') return [];
    const moved = withChangingLast(template);
    if (moved === undefined) return [];
    const move: Fix = {
      title: `Move what changes to the end of ${at === '/template' ? file : `${lastOf(at)} in ${file}`}`,
      changes: () => editJson(project, file, (edit) => edit.replace(at, moved)),
    };
    if (at !== '/template') return [move];
    return [
      move,
      {
        title: 'Compare the prompt with what changes at its end',
        command: { command: 'agentStack.compareMovedPrompt', arguments: [project.uriOf(file)] },
        changes: () => [],
      },
    ];
  },
};

/** Removes invisible characters from a text or key. */
export const invisibleCharacters: QuickFix = {
  code: 'invisible-characters',
  fixes({ pointer, target = 'value', data = {} }, context) {
    const { start, end } = data;
    // The description of a tool is pinned as its server sends it. The user has to decide whether to trust such a tool.
    if (typeof start !== 'number' || typeof end !== 'number' || context.file.identity.kind === 'lock') return [];
    const title = end - start === 1 ? 'Remove the invisible character' : 'Remove the invisible characters';
    return [editFix(context, title, (edit) => edit.replaceWithin(pointer, target, { start, end }, ''), true)];
  },
};
