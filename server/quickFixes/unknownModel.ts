import { settingsPath } from '../../core/config/paths.js';
import { pointerOf } from '../../core/json.js';
import { editJson } from '../edits/fileChange.js';
import { modelFixes } from './modelFixes.js';
import type { Fix, QuickFix } from './quickFix.js';
import { textIn } from './support.js';

/** Replaces an unknown model with a similar known one, or adds it to the project's models. */
export const unknownModel: QuickFix = {
  code: 'unknown-model',
  fixes(finding, context) {
    const model = textIn(finding, 'model');
    const fixes = modelFixes(finding, context);
    if (model === undefined || model === '') return fixes;
    const { project } = context;
    const settings = project.documentAt(settingsPath);
    const learn: Fix = {
      title: `Add ${JSON.stringify(model)} to the models of ${settingsPath}`,
      changes: () =>
        settings === undefined
          ? [{ type: 'create', path: settingsPath, text: `${JSON.stringify({ models: Object.fromEntries([[model, {}]]) }, null, 2)}\n` }]
          : editJson(project, settingsPath, (edit) => edit.set(pointerOf('models', model), {})),
    };
    return [...fixes, learn];
  },
};
