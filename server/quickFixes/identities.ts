import { pathLike } from '../../core/config/paths.js';
import { isLegalName } from '../../core/kinds.js';
import type { RuleCode } from '../../core/ruleCodes.js';
import { type Move, moveChanges } from '../rename/moveFiles.js';
import type { Project } from '../workspace.js';
import type { Fix, QuickFix } from './quickFix.js';
import { editFix, textIn } from './support.js';

/** Changes an identity field to match the path of the file, or moves the file to match the field. */
export function identityFix(code: RuleCode): QuickFix {
  return {
    code,
    fixes(finding, context) {
      const { pointer } = finding;
      const { project, file } = context;
      const [expected, actual] = [textIn(finding, 'expected'), textIn(finding, 'found')];
      if (expected === undefined || actual === undefined) return [];
      const change: Fix[] = isLegalName(expected)
        ? [editFix(context, `Change ${pointer.slice(1)} to ${JSON.stringify(expected)}`, (edit) => edit.replace(pointer, expected), true)]
        : [];
      const { kind, name, version } = file.identity;
      const isVersion = textIn(finding, 'field') === 'version';
      const id = version === undefined ? actual : isVersion ? `${name}@${actual}` : `${actual}@${version}`;
      const to = pathLike(file.path, kind, id, project.index.settings);
      if (!isLegalName(actual) || project.documentAt(to) !== undefined) return change;
      const moves = [{ from: file.path, to }, ...(kind === 'agent' && !isVersion ? payloadMoves(project, name, actual) : [])];
      return [...change, { title: `Move the file to ${to}`, changes: () => moveChanges(project, moves) }];
    },
  };
}

/** Payloads are found by the name of their agent, so they move with an agent's only version. */
function payloadMoves(project: Project, name: string, newName: string): readonly Move[] {
  if (project.index.versions(name).length !== 1) return [];
  return project.index
    .files()
    .filter(({ identity }) => identity.kind === 'payload' && identity.agent === name)
    .map(({ path }) => ({ from: path, to: path.replace(`/payloads/${name}/`, `/payloads/${newName}/`) }))
    .filter(({ to }) => project.documentAt(to) === undefined);
}

export const nameMatchesPath: QuickFix = identityFix('name-matches-path');

export const versionMatchesPath: QuickFix = identityFix('version-matches-path');
