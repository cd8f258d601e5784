import { newFileText } from '../../core/config/newFileText.js';
import { pathOf } from '../../core/config/paths.js';
import { isLegalName } from '../../core/kinds.js';
import { nearestNames } from '../../core/names.js';
import { environmentNames } from '../../core/snapshot/checkEnvironment.js';
import { environmentId } from '../../core/snapshot/collectFragments.js';
import type { QuickFix } from './quickFix.js';
import { replaceFixes, textIn } from './support.js';

/** One that has a file and looks alike, or a file for this one, in which there is nothing yet. */
export const unknownEnvironment: QuickFix = {
  code: 'unknown-environment',
  fixes(finding, context) {
    const name = textIn(finding, 'environment');
    if (name === undefined) return [];
    const { project } = context;
    const nearest = replaceFixes(context, finding.pointer, nearestNames(name, environmentNames(project.index)));
    const id = environmentId(name);
    const path = pathOf('system', id, project.index.settings);
    // Where letter case does not count, a file that differs in nothing else is the same one.
    const isThere = project.documentAt(path) !== undefined || project.index.twins('system', id).length > 0;
    if (!isLegalName(name) || isThere) return nearest;
    const changes = () => [{ type: 'create', path, text: newFileText('system', { agent_defaults: {} }) } as const];
    return [...nearest, { title: `Create ${path}`, changes }];
  },
};
