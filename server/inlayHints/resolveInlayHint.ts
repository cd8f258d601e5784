import * as l10n from '@vscode/l10n';
import type { InlayHint } from 'vscode-languageserver';
import { isObject, type Json, valueAt } from '../../core/json.js';
import { coverSecrets } from '../../core/secrets/secretPatterns.js';
import { shorten } from '../../core/words.js';
import type { FeatureContext } from '../feature.js';
import { type Block, line, type Part, toMarkup } from '../hover/hoverText.js';
import type { Project } from '../workspace.js';
import type { HintData, HintedField } from './provideInlayHints.js';

/** Longer values are cut in a tooltip, in UTF-16 units. */
const longestValue = 400;

/** The hint with a tooltip that says where each of its values is written. */
export function resolveInlayHint(hint: InlayHint, { workspace }: FeatureContext): InlayHint {
  const data: unknown = hint.data;
  if (!isHintData(data)) return hint;
  const project = workspace.projectOf(data.uri);
  if (project === undefined) return hint;
  const blocks = data.fields.flatMap((field) => blocksOf(field, project));
  const end =
    data.fields.length === 1 ? l10n.t('Write it here to override that value.') : l10n.t('Write a field here to override its value.');
  return { ...hint, tooltip: toMarkup([...blocks, line(end)], 'markdown') };
}

function blocksOf({ field, layer, file, pointer }: HintedField, project: Project): readonly Block[] {
  const written = valueAt(project.documentAt(file)?.config?.value, pointer);
  const isFirst = field === 'llm_config_id' && layer === 'llm';
  const place = { link: file, href: project.uriOf(file) };
  const why: readonly Part[] = isFirst
    ? [l10n.t('No layer names a model or an LLM profile, so the only profile counts:'), ' ', place, '.']
    : [l10n.t('It comes from'), ' ', place, `, ${placeWords(layer)}.`];
  return [
    line({ code: field }, ' ', l10n.t('is not written here.'), ' ', ...why),
    ...(written === undefined ? [] : [{ type: 'quote', text: excerpt(written) } as const]),
  ];
}

function placeWords(layer: string): string {
  const words: Readonly<Record<string, string>> = {
    system: l10n.t('which applies to every agent'),
    environment: l10n.t('the environment in use'),
    llm: l10n.t('its llm profile'),
    persona: l10n.t('its persona'),
    agent: l10n.t('the agent of this task'),
  };
  return (Object.hasOwn(words, layer) ? words[layer] : undefined) ?? l10n.t('layer {0}', layer);
}

function excerpt(value: Json): string {
  return shorten(coverSecrets(typeof value === 'string' ? value : JSON.stringify(value, null, 2)), longestValue);
}

/** The data comes back from the client, so its shape is checked. */
function isHintData(data: unknown): data is HintData {
  if (!isObject(data) || typeof data.uri !== 'string' || !Array.isArray(data.fields)) return false;
  return data.fields.every(
    (field) => isObject(field) && ['field', 'layer', 'file', 'pointer'].every((member) => typeof field[member] === 'string'),
  );
}
