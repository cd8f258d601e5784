import type { LoadedIndex } from '../../../core/config/loadProjectIndex.js';
import type { ProjectFolder } from '../../projects.js';
import type { CaseItem } from './types.js';

/** The same for a case of the Test Explorer, of a plan and of a report. */
export function caseId({ file, name }: { readonly file: string; readonly name: string }): string {
  return `${file} ${name}`;
}

export function byFolder(cases: readonly CaseItem[]): ReadonlyMap<ProjectFolder, readonly CaseItem[]> {
  const folders = new Map<ProjectFolder, CaseItem[]>();
  for (const caseItem of cases) {
    const folderCases = folders.get(caseItem.place.folder) ?? [];
    folders.set(caseItem.place.folder, folderCases);
    folderCases.push(caseItem);
  }
  return folders;
}

/** Whether the agent or orchestration of a case exists. */
export function hasSubject(index: LoadedIndex, { place: { subject } }: CaseItem): boolean {
  return index.versions(subject).length > 0 || index.ids('orchestration').has(subject);
}
