import { newFileText } from '../../core/config/fileText.js';
import { isFineTuned } from '../../core/config/modelNames.js';
import { settingsPath } from '../../core/config/paths.js';
import type { PlacedFinding } from '../../core/finding.js';
import { isObject, pointerOf, valueAt } from '../../core/json.js';
import type { JsonEdit } from '../../core/jsonText/jsonEdit.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import { editJson } from '../edits/fileChange.js';
import type { Fix, FixContext, QuickFix } from './quickFix.js';
import { lastOf, textIn, textsIn } from './support.js';

/** The place of the value that a finding is about: in the file itself, or in a lower layer that a related place names. */
export interface GivenPlace {
  readonly path: string;
  readonly pointer: string;
  readonly isOwn: boolean;
}

export function givenPlace({ pointer, related = [] }: PlacedFinding, { file }: FixContext, field: string): GivenPlace | undefined {
  if (lastOf(pointer) === field) return { path: file.path, pointer, isOwn: true };
  const place = related.find((other) => other.file !== file.path && lastOf(other.pointer) === field);
  return place === undefined ? undefined : { path: place.file, pointer: place.pointer, isOwn: false };
}

/** A fix at such a place. In another file it is not preferred, since other agents use that file, and the title names the file. */
export function fixAt(
  { project }: FixContext,
  { path, pointer, isOwn }: GivenPlace,
  title: string,
  change: (edit: JsonEdit, pointer: string) => void,
): Fix {
  return {
    title: isOwn ? title : `${title} in ${path}`,
    ...(isOwn && { preferred: true }),
    changes: () => editJson(project, path, (edit) => change(edit, pointer)),
  };
}

/** Replaces the model of a finding, one fix for each similar name. */
function modelFixes(finding: PlacedFinding, context: FixContext): readonly Fix[] {
  const place = givenPlace(finding, context, 'model_name');
  if (place === undefined) return [];
  const nearest = textsIn(finding, 'nearest');
  return nearest.map((name) => {
    const { preferred, ...fix } = fixAt(context, place, `Change to ${JSON.stringify(name)}`, (edit, pointer) =>
      edit.replace(pointer, name),
    );
    return nearest.length === 1 && preferred === true ? { ...fix, preferred } : fix;
  });
}

/** Sets the number of output tokens to the model's maximum. */
export const maxOutputExceedsModel: QuickFix = {
  code: 'max-output-exceeds-model',
  fixes(finding, context) {
    const limit = finding.data?.limit;
    const place = givenPlace(finding, context, 'max_output_tokens');
    if (typeof limit !== 'number' || place === undefined) return [];
    return [fixAt(context, place, `Change to ${limit}`, (edit, pointer) => edit.replace(pointer, limit))];
  },
};

/** Removes a parameter that the model does not support; requests leave it out anyway. */
export const temperatureUnsupported: QuickFix = {
  code: 'temperature-unsupported',
  fixes(finding, context) {
    const parameter = textIn(finding, 'parameter') ?? '';
    const place = givenPlace(finding, context, parameter);
    return place === undefined ? [] : [fixAt(context, place, `Remove ${parameter}`, (edit, pointer) => edit.remove(pointer))];
  },
};

/** Moves the project to the successor, replaces the model here with a current one, or marks it as not deprecated in the project. */
export const deprecatedModel: QuickFix = {
  code: 'deprecated-model',
  fixes(finding, context) {
    const { project } = context;
    const model = textIn(finding, 'model');
    // Another model has to be tested first, so none is preferred.
    const replace = modelFixes(finding, context).map(({ preferred: _choice, ...fix }) => fix);
    if (model === undefined) return replace;
    const offers = [...migrateFixes(model, finding, context), ...replace];
    const settings = project.documentAt(settingsPath);
    const keep: Fix = {
      title: `Mark ${model} as not deprecated in ${settingsPath}`,
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
    return settings === undefined || isObject(settings.config?.value) ? [...offers, keep] : offers;
  },
};

/** Shows what the successor changes for each agent of the project, and applies it. A fine-tuned model has none. */
function migrateFixes(model: string, finding: PlacedFinding, context: FixContext): readonly Fix[] {
  const { project, file } = context;
  const successor = textIn(finding, 'successor');
  const place = givenPlace(finding, context, 'model_name');
  const written = place && valueAt(project.documentAt(place.path)?.config?.value, place.pointer);
  if (successor === undefined || typeof written !== 'string' || isFineTuned(written)) return [];
  return [
    {
      title: `Migrate to ${successor}...`,
      command: { command: 'agentStack.migrateModel', arguments: [{ uri: project.uriOf(file.path), from: model }] },
      changes: () => [],
    },
  ];
}

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
