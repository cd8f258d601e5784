import { settingsPath } from '../../core/config/paths.js';
import type { PlacedFinding } from '../../core/finding.js';
import { pointerOf } from '../../core/json.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import { editJson } from '../edits/fileChange.js';
import { fixAt, givenPlace } from './givenPlace.js';
import { modelFixes } from './modelFixes.js';
import type { Fix, FixContext, QuickFix } from './quickFix.js';
import { textIn } from './support.js';

/** Names the provider of the model, replaces an unknown model with a similar known one, or adds it to the project's models. */
export const unknownModel: QuickFix = {
  code: 'unknown-model',
  fixes(finding, context) {
    const model = textIn(finding, 'model');
    const fixes = textIn(finding, 'owner') === undefined ? modelFixes(finding, context) : ownerFixes(finding, context);
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

function ownerFixes(finding: PlacedFinding, context: FixContext): readonly Fix[] {
  const owner = textIn(finding, 'owner') ?? '';
  const place = givenPlace(finding, context, 'model_name');
  if (place === undefined) return [];
  const title = `Set "provider" to ${JSON.stringify(owner)}`;
  return [fixAt(context, place, title, (edit, pointer) => edit.set(`${parentPointer(pointer) ?? ''}/provider`, owner))];
}
