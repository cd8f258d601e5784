import { newFileText } from '../../core/config/newFileText.js';
import { settingsPath } from '../../core/config/paths.js';
import { isObject, pointerOf } from '../../core/json.js';
import { editJson } from '../edits/fileChange.js';
import { modelFixes } from './modelFixes.js';
import type { Fix, QuickFix } from './quickFix.js';
import { textIn } from './support.js';

/** Replaces a deprecated model with a current one, or marks it as not deprecated in the project. */
export const deprecatedModel: QuickFix = {
  code: 'deprecated-model',
  fixes(finding, context) {
    const { project } = context;
    const model = textIn(finding, 'model');
    // Another model wants tests of its own, so none is preferred.
    const replace = modelFixes(finding, context).map(({ preferred: _choice, ...fix }) => fix);
    if (model === undefined) return replace;
    const settings = project.documentAt(settingsPath);
    const keep: Fix = {
      title: `Say in ${settingsPath} that ${model} stays`,
      changes: () =>
        settings === undefined
          ? [
              {
                type: 'create',
                path: settingsPath,
                text: newFileText('settings', { models: Object.fromEntries([[model, { deprecated: false }]]) }),
              },
            ]
          : editJson(project, settingsPath, (edit) => edit.set(pointerOf('models', model, 'deprecated'), false)),
    };
    return settings === undefined || isObject(settings.config?.value) ? [...replace, keep] : replace;
  },
};
