import { newFileText } from '../../core/config/newFileText.js';
import { settingsPath } from '../../core/config/paths.js';
import { pointerOf } from '../../core/json.js';
import { editJson } from '../edits/fileChange.js';
import type { QuickFix } from './quickFix.js';
import { replaceFixes, textIn, textsIn } from './support.js';

const providers = pointerOf('providers');

/** Takes the nearest name, or lists the name in agentstack.json as one that a program registers. */
export const unknownProvider: QuickFix = {
  code: 'unknown-provider',
  fixes(finding, context) {
    const name = textIn(finding, 'name');
    if (name === undefined) return [];
    const nearest = replaceFixes(context, finding.pointer, textsIn(finding, 'nearest'));
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return nearest;
    const { project } = context;
    const list = {
      title: `List ${JSON.stringify(name)} under "providers" in ${settingsPath}`,
      changes: () =>
        project.documentAt(settingsPath) === undefined
          ? [{ type: 'create' as const, path: settingsPath, text: newFileText('settings', { providers: [name] }) }]
          : editJson(project, settingsPath, (edit) =>
              // Those of the file stay as they are written.
              project.settings.providers.length > 0 ? edit.insertItem(providers, name) : edit.set(providers, [name]),
            ),
    };
    return [...nearest, list];
  },
};
