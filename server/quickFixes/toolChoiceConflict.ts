import type { QuickFix } from './quickFix.js';
import { editFix, lastOf, shownValue, textIn } from './support.js';

/** Takes a tool out of one of its two lists; of an agent that calls none, changes the type or removes the list. */
export const toolChoiceConflict: QuickFix = {
  code: 'tool-choice-conflict',
  fixes(finding, context) {
    const { pointer } = finding;
    const excluded = textIn(finding, 'excluded');
    if (excluded !== undefined)
      return [
        editFix(context, 'Remove it from exclude_components', (edit) => edit.remove(excluded)),
        editFix(context, 'Remove it from enabled_tools', (edit) => edit.remove(pointer)),
      ];
    return [
      editFix(context, 'Set "agent_type": "react"', (edit) => edit.set('/agent_type', 'react')),
      editFix(context, `Remove ${shownValue(lastOf(pointer))}`, (edit) => edit.remove(pointer)),
    ];
  },
};
