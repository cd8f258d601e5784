import { settingsPath } from '../../core/config/paths.js';
import type { PlacedFinding } from '../../core/finding.js';
import { pointerOf } from '../../core/json.js';
import { editJson } from '../edits/fileChange.js';
import type { Fix, FixContext, QuickFix } from './quickFix.js';
import { editFix, lastOf, shownValue, textIn, textsIn } from './support.js';

/** Replaces an unknown tool with a similar one, or removes it. */
export const unknownTool: QuickFix = {
  code: 'unknown-tool',
  fixes: (finding, context) => entryFixes(finding, context),
};

const entry = /\/(?:enabled_tools|exclude_components)\/\d+$|\/skill$/;

/** "Change to ..." and "Remove" for a name in a list, in the file itself or in the persona that names it. */
export function entryFixes(finding: PlacedFinding, { project, file }: FixContext): readonly Fix[] {
  const name = textIn(finding, 'name');
  const ownPlace = { path: file.path, pointer: finding.pointer };
  const personaPlace = finding.related?.find((place) => place.file !== file.path && entry.test(place.pointer));
  const place = entry.test(finding.pointer) ? ownPlace : personaPlace && { path: personaPlace.file, pointer: personaPlace.pointer };
  if (name === undefined || place === undefined) return [];
  const { path, pointer } = place;
  const where = path === file.path ? '' : ` in ${path}`;
  const nearest = textsIn(finding, 'nearest');
  const changes = nearest.map((value): Fix => {
    const isPreferred = nearest.length === 1 && where === '';
    const title = `Change to ${JSON.stringify(value)}${where}`;
    return {
      title,
      ...(isPreferred && { preferred: true }),
      changes: () => editJson(project, path, (edit) => edit.replace(pointer, value)),
    };
  });
  // A step without its skill would be invalid.
  if (pointer.endsWith('/skill')) return changes;
  return [
    ...changes,
    { title: `Remove ${JSON.stringify(name)}${where}`, changes: () => editJson(project, path, (edit) => edit.remove(pointer)) },
  ];
}

/** Replaces a skill that no agent has with a similar one, or declares it in agentstack.json. */
export const unknownSkill: QuickFix = {
  code: 'unknown-skill',
  fixes(finding, context) {
    const name = textIn(finding, 'name');
    const { project } = context;
    const fixes = entryFixes(finding, context);
    if (name === undefined || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return fixes;
    const skill = { description: `What ${name} does and when to use it.` };
    const declare: Fix = {
      title: `Declare ${JSON.stringify(name)} in ${settingsPath}`,
      changes: () =>
        project.documentAt(settingsPath) === undefined
          ? [{ type: 'create', path: settingsPath, text: `${JSON.stringify({ skills: Object.fromEntries([[name, skill]]) }, null, 2)}\n` }]
          : editJson(project, settingsPath, (edit) => edit.set(pointerOf('skills', name), skill)),
    };
    return [...fixes, declare];
  },
};

/** Removes the declaration: the code says the same and takes precedence. */
export const skillDiffers: QuickFix = {
  code: 'skill-differs',
  fixes(finding, context) {
    const name = String(finding.data?.name);
    return [editFix(context, `Remove the declaration of ${JSON.stringify(name)}`, (edit) => edit.remove(pointerOf('skills', name)))];
  },
};

/** Removes a tool from one of its two lists; for an agent that calls no tools, changes the type or removes the list. */
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
