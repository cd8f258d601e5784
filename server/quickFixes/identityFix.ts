import { pathOf } from '../../core/config/paths.js';
import { namePattern } from '../../core/kinds.js';
import type { RuleCode } from '../../core/rules/codes.js';
import { moveChanges } from '../rename/moveFiles.js';
import type { Fix, QuickFix } from './quickFix.js';
import { editFix, textIn } from './support.js';

/** Changes an identity field to match the path of the file, or moves the file to match the field. */
export function identityFix(code: RuleCode): QuickFix {
  return {
    code,
    fixes(finding, context) {
      const { pointer } = finding;
      const { project, file } = context;
      const [expected, found] = [textIn(finding, 'expected'), textIn(finding, 'found')];
      if (expected === undefined || found === undefined) return [];
      const change: Fix[] = namePattern.test(expected)
        ? [editFix(context, `Change ${pointer.slice(1)} to ${JSON.stringify(expected)}`, (edit) => edit.replace(pointer, expected), true)]
        : [];
      const { kind, name, version } = file.identity;
      const isVersion = textIn(finding, 'field') === 'version';
      const id = version === undefined ? found : isVersion ? `${name}@${found}` : `${found}@${version}`;
      const to = pathOf(kind, id, project.index.settings);
      if (!namePattern.test(found) || project.documentAt(to) !== undefined) return change;
      return [...change, { title: `Move the file to ${to}`, changes: () => moveChanges(project, [{ from: file.path, to }]) }];
    },
  };
}
