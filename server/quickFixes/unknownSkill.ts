import { settingsPath } from '../../core/config/paths.js';
import { pointerOf } from '../../core/json.js';
import { editJson } from '../edits/fileChange.js';
import type { Fix, QuickFix } from './quickFix.js';
import { textIn } from './support.js';
import { entryFixes } from './unknownTool.js';

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
