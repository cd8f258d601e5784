import type { QuickFix } from './quickFix.js';
import { editFix, replaceFixes, textIn, textsIn } from './support.js';
import { addTeamFix } from './teamFix.js';

/** Replaces an unknown next team with an existing one, adds the team, or ends the run there. */
export const nextTeamUnknown: QuickFix = {
  code: 'next-team-unknown',
  fixes(finding, context) {
    const add = addTeamFix(context, textIn(finding, 'team') ?? '');
    return [
      ...replaceFixes(context, finding.pointer, textsIn(finding, 'nearest')),
      ...(add === undefined ? [] : [add]),
      editFix(context, 'End the run here (null)', (edit) => edit.replace(finding.pointer, null)),
    ];
  },
};
