import { nextVersion } from '../../core/config/nextVersion.js';
import { pathOf } from '../../core/config/paths.js';
import { valueAt } from '../../core/json.js';
import { editTowards } from '../../core/jsonText/editTowards.js';
import { editJson, type FileChange } from '../edits/fileChange.js';
import { copyWithVersion } from './createFile.js';
import type { Fix, FixContext, QuickFix } from './quickFix.js';

/** Moves the changed contract to the next version and restores this one, or only restores it. */
export const schemaChangedInPlace: QuickFix = {
  code: 'schema-changed-in-place',
  fixes(_finding, context) {
    const { project, file } = context;
    const restore: Fix = { title: `Restore the contract of ${file.identity.version} as it was`, changes: () => restored(context) };
    const next = nextVersionOf(context);
    if (next === undefined) return [restore];
    const create: Fix = {
      title: `Make this ${next.version} and restore ${file.identity.version}`,
      preferred: true,
      changes() {
        const text = copyWithVersion(project, file.path, next.version);
        return text === undefined ? [] : [...restored(context), { type: 'create', path: next.path, text }];
      },
    };
    return [create, restore];
  },
};

/** The next free version, and the path of its file. */
export function nextVersionOf({
  project,
  file,
}: Pick<FixContext, 'project' | 'file'>): { readonly version: string; readonly path: string } | undefined {
  const { kind, name, version } = file.identity;
  if (kind !== 'agent' || version === undefined) return undefined;
  const next = nextVersion(version, project.index.versions(name));
  return next === undefined ? undefined : { version: next, path: pathOf('agent', `${name}@${next}`, project.index.settings) };
}

const contractFields = ['output_schema', 'enums', 'input_schema', 'input_keys'];

/** The text with the contract fields of the git base; everything else stays. */
function restored({ project, file }: FixContext): readonly FileChange[] {
  const base = project.ruleContext.base(file);
  if (base === undefined) return [];
  return editJson(project, file.path, (edit) => {
    for (const field of contractFields) {
      const before = Object.hasOwn(base, field) ? base[field] : undefined;
      const pointer = `/${field}`;
      if (before !== undefined) editTowards(edit, pointer, valueAt(file.value, pointer), before);
      else if (edit.has(pointer)) edit.remove(pointer);
    }
  });
}
