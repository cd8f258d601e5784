import { isObject } from '../../core/json.js';
import { withChangingLast } from '../../core/prompt/withChangingLast.js';
import { editJson } from '../edits/fileChange.js';
import type { QuickFix } from './quickFix.js';
import { textIn } from './support.js';

/** Moves the changing paragraphs of a template behind the stable ones; or shows what that would make of it. */
export const cachePrefixBroken: QuickFix = {
  code: 'cache-prefix-broken',
  fixes(finding, { project }) {
    const file = textIn(finding, 'file') ?? '';
    const value = project.documentAt(file)?.config?.value;
    const template = isObject(value) ? value.template : undefined;
    if (typeof template !== 'string') return [];
    const moved = withChangingLast(template);
    if (moved === undefined) return [];
    return [
      {
        title: `Move what changes to the end of ${file}`,
        changes: () => editJson(project, file, (edit) => edit.replace('/template', moved)),
      },
      {
        title: 'Compare the prompt with what changes at its end',
        command: { command: 'agentStack.compareMovedPrompt', arguments: [project.uriOf(file)] },
        changes: () => [],
      },
    ];
  },
};
