import { teamsIn } from '../../core/config/orchestrationParts.js';
import type { QuickFix } from './quickFix.js';
import { replaceFixes, textIn, textsIn } from './support.js';
import { addTeamFix } from './teamFix.js';

/** Replaces the entry with an existing team, or adds the team. */
export const entryTeamUnknown: QuickFix = {
  code: 'entry-team-unknown',
  fixes(finding, context) {
    const nearest = textsIn(finding, 'nearest');
    const first = teamsIn(context.file.value)
      .slice(0, 1)
      .map(({ id }) => id);
    const add = addTeamFix(context, textIn(finding, 'team') ?? '');
    return [...replaceFixes(context, finding.pointer, nearest.length > 0 ? nearest : first), ...(add === undefined ? [] : [add])];
  },
};
