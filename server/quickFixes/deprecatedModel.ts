import { settingsPath } from '../../core/config/paths.js';
import { isObject, pointerOf } from '../../core/json.js';
import { type ModelTable, providersWithKnownModels } from '../../core/llm/modelTable.js';
import { compareNatural } from '../../core/names.js';
import { editJson } from '../edits/fileChange.js';
import { written } from './createFile.js';
import { fixAt, givenPlace } from './givenPlace.js';
import { modelFixes } from './modelFixes.js';
import type { Fix, QuickFix } from './quickFix.js';
import { textIn, textsIn } from './support.js';

/** Replaces a deprecated model with a current one, or marks it as not deprecated in the project. */
export const deprecatedModel: QuickFix = {
  code: 'deprecated-model',
  fixes(finding, context) {
    const { project } = context;
    const model = textIn(finding, 'model');
    const place = givenPlace(finding, context, 'model_name');
    const replace = [...modelFixes(finding, context)];
    if (model !== undefined && place !== undefined && textsIn(finding, 'nearest').length === 0) {
      for (const name of successorsOf(model, textIn(finding, 'deprecated'), project.ruleContext.models)) {
        const { preferred: _choice, ...fix } = fixAt(context, place, `Change to ${JSON.stringify(name)}`, (edit, pointer) =>
          edit.replace(pointer, name),
        );
        replace.push(fix);
      }
    }
    if (model === undefined) return replace;
    const settings = project.documentAt(settingsPath);
    const keep: Fix = {
      title: `Say in ${settingsPath} that ${model} stays`,
      changes: () =>
        settings === undefined
          ? [{ type: 'create', path: settingsPath, text: written({ models: Object.fromEntries([[model, { deprecated: false }]]) }) }]
          : editJson(project, settingsPath, (edit) => edit.set(pointerOf('models', model, 'deprecated'), false)),
    };
    return settings === undefined || isObject(settings.config?.value) ? [...replace, keep] : replace;
  },
};

const mostSuccessors = 3;

/** Current models of the same provider that have most of the name in common (`gpt-5.4-mini` for `gpt-4o-mini`), newer ones first. */
function successorsOf(model: string, deprecated: string | undefined, models: ModelTable): readonly string[] {
  const provider = [...providersWithKnownModels].find((name) => models.find(model, name)?.deprecated === deprecated);
  if (provider === undefined) return [];
  const words = new Set(wordsOf(model));
  const ranked = models.names(provider).flatMap((name) => {
    const isCurrent = models.find(name, provider)?.deprecated === undefined && !/\d{4}-?\d{2}-?\d{2}$/.test(name);
    const own = wordsOf(name);
    const shared = own.filter((word) => words.has(word)).length * 2 - own.length;
    return isCurrent ? [{ name, shared }] : [];
  });
  ranked.sort((left, right) => right.shared - left.shared || compareNatural(right.name, left.name));
  return ranked.slice(0, mostSuccessors).map(({ name }) => name);
}

/** The parts of a name that are no version. */
function wordsOf(name: string): readonly string[] {
  return name.split('-').filter((word) => !/^\d/.test(word));
}
