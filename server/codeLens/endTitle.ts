import * as l10n from '@vscode/l10n';
import { type ModelFile, usedModelPlaces } from '../../core/inventory/modelUses.js';
import { isObject, type JsonObject, pointerOf, valueAt } from '../../core/json.js';
import { daysLeft } from '../../core/llm/modelEnd.js';
import { type ModelFacts, providersWithKnownModels } from '../../core/llm/modelTable.js';
import { fragmentsIn } from '../../core/rules/facts/agentFragments.js';
import { findModelUse } from '../../core/rules/facts/modelUse.js';
import type { RuleContext } from '../../core/rules/rule.js';
import type { FeatureContext } from '../feature.js';
import { type FileView, viewOf } from '../names/fileView.js';
import { number } from '../texts.js';
import type { Project } from '../workspace.js';

/** Days before the end from which a lens says it. */
const soon = 90;

/** Where a file names a model that ends soon or has ended, for an agent that gets it from there. */
export function endPlaces(view: FileView): readonly string[] {
  const { file, value } = view;
  const { kind } = file.identity;
  const llms = kind === 'system' && isObject(value.llms) ? Object.keys(value.llms).map((id) => pointerOf('llms', id)) : [];
  const fragments = kind === 'llm' ? [''] : [...fragmentsIn(file).map(({ pointer }) => pointer), ...llms];
  return fragments.map((at) => `${at}/model_name`).filter((pointer) => endTitle(view, pointer) !== undefined);
}

/** `ends in 15 days`, of the model that is named at a place. Undefined where it does not end soon, or nothing gets it from there. */
function endTitle(view: FileView, pointer: string): string | undefined {
  const { asOf } = view.project.ruleContext;
  if (asOf === undefined) return undefined;
  const ends = factsAt(view, pointer).flatMap((facts) => {
    const days = daysLeft(facts, asOf);
    return facts.ends === undefined || days === undefined || days > soon ? [] : [{ day: facts.ends, days }];
  });
  const [first] = ends.sort((left, right) => left.days - right.days);
  if (first === undefined) return undefined;
  const { day, days } = first;
  if (days < 0) return l10n.t('ended on {0}', day);
  if (days === 0) return l10n.t('ends today');
  return days === 1 ? l10n.t('ends tomorrow') : l10n.t('ends in {0} days', number(days));
}

/** Of the model that is named at a place, by each provider who is asked for it. */
function factsAt({ file, value, project }: FileView, pointer: string): readonly ModelFacts[] {
  const { ruleContext } = project;
  const { models } = ruleContext;
  const { kind } = file.identity;
  if (kind === 'agent' || kind === 'llm') {
    const use = findModelUse(file, ruleContext);
    return use?.facts !== undefined && use.model.fragment.file === file.path ? [use.facts] : [];
  }
  const written = valueAt(value, pointer);
  // Finding who uses a place takes all agents, so first: does anybody's model of that name end?
  if (typeof written !== 'string' || ![...providersWithKnownModels].some((provider) => models.find(written, provider)?.ends !== undefined))
    return [];
  return placesIn(project).flatMap((place) => {
    const isHere = place.file === file.path && place.pointer === pointer && place.provider !== undefined;
    return (isHere && models.find(place.model, place.provider)) || [];
  });
}

const places = new WeakMap<RuleContext, ReturnType<typeof usedModelPlaces>>();

function placesIn(project: Project): ReturnType<typeof usedModelPlaces> {
  const { ruleContext, index } = project;
  const projectPlaces = places.get(ruleContext) ?? usedModelPlaces(filesIn(project), { index, variables: { get: () => undefined } });
  places.set(ruleContext, projectPlaces);
  return projectPlaces;
}

function* filesIn(project: Project): Generator<ModelFile> {
  for (const { path, identity } of project.knownFiles()) {
    if (identity.kind === 'payload') continue;
    const config = project.documentAt(path)?.config;
    const value: JsonObject | undefined = isObject(config?.value) ? config.value : undefined;
    if (value !== undefined && !config?.foreign) yield { path, identity, value };
  }
}

/** The same of a document, which may be gone. */
export function endTitleAt(uri: string, pointer: string, { workspace }: FeatureContext): string | undefined {
  const document = workspace.document(uri);
  const project = workspace.projectOf(uri);
  const view = document && project && viewOf(document, project);
  return view && endTitle(view, pointer);
}
