import { pathOf } from '../../core/config/paths.js';
import { namePattern } from '../../core/kinds.js';
import { nearestNames } from '../../core/names.js';
import { environmentNames } from '../../core/snapshot/checkEnvironment.js';
import { environmentId } from '../../core/snapshot/collectFragments.js';
import { written } from './createFile.js';
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
    const path = pathOf('system', environmentId(name), project.index.settings);
    if (!namePattern.test(name) || project.documentAt(path) !== undefined) return nearest;
    const changes = () => [{ type: 'create', path, text: written({ agent_defaults: {} }) } as const];
    return [...nearest, { title: `Create ${path}`, changes }];
  },
};
