import type { InlayHint } from 'vscode-languageserver';
import { coverSecrets } from '../../core/config/secretPatterns.js';
import { isObject, type Json, valueAt } from '../../core/json.js';
import type { FeatureContext } from '../feature.js';
import type { HintData } from './provideInlayHints.js';

/** Longer values are cut in a tooltip, in UTF-16 units. */
const longestValue = 400;

/** The hint with where its value is written. */
export function resolveInlayHint(hint: InlayHint, { workspace }: FeatureContext): InlayHint {
  const data: unknown = hint.data;
  if (!isHintData(data)) return hint;
  const { uri, field, layer, file, pointer } = data;
  const project = workspace.projectOf(uri);
  if (project === undefined) return hint;
  const written = valueAt(project.documentAt(file)?.config?.value, pointer);
  const isFirst = field === 'llm_config_id' && layer === 'llm';
  const why = isFirst
    ? `No layer names a model or an llm profile, so the first profile by id counts: [${file}](${project.uriOf(file)}).`
    : `From [${file}](${project.uriOf(file)}), ${placeWords(layer)}.`;
  const lines = [`\`${field}\` is not written here. ${why}`, `Write it here to lay another value over it.`];
  if (written !== undefined) lines.splice(1, 0, fenced(written));
  return { ...hint, tooltip: { kind: 'markdown', value: lines.join('\n\n') } };
}

function placeWords(layer: string): string {
  const words: Readonly<Record<string, string>> = {
    system: 'which lies under every agent',
    environment: 'the environment in use',
    llm: 'its llm profile',
    persona: 'its persona',
    agent: 'the agent of this task',
  };
  return (Object.hasOwn(words, layer) ? words[layer] : undefined) ?? `layer ${layer}`;
}

function fenced(value: Json): string {
  const text = coverSecrets(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  const shown = text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
  // A fence longer than any run of backticks inside.
  const fence = '`'.repeat(Math.max(2, ...[...shown.matchAll(/`+/g)].map(({ 0: run }) => run.length)) + 1);
  return `${fence}text\n${shown}\n${fence}`;
}

/** It has been to the client and back. */
function isHintData(data: unknown): data is HintData {
  return isObject(data) && ['uri', 'field', 'layer', 'file', 'pointer'].every((member) => typeof data[member] === 'string');
}
