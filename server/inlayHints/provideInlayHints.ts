import * as l10n from '@vscode/l10n';
import type { InlayHint, InlayHintParams } from 'vscode-languageserver';
import { findAgent } from '../../core/config/agentReference.js';
import { tasksIn, teamsIn } from '../../core/config/orchestrationParts.js';
import { collectReferences } from '../../core/config/references.js';
import { escapeSegment, isObject, type Json, valueAt } from '../../core/json.js';
import { findSetting, type Layers, layersOf } from '../../core/rules/facts/layers.js';
import { taskLayersOf } from '../../core/rules/facts/taskLayers.js';
import { coverSecrets } from '../../core/secrets/secretPatterns.js';
import type { Fragment } from '../../core/snapshot/layering.js';
import type { FeatureContext } from '../feature.js';
import { line, toMarkup } from '../hover/hoverText.js';
import { type FileView, viewOf } from '../names/fileView.js';
import { ourDocument } from '../ours.js';
import { cacheHints } from './cacheHints.js';

/** The data of a hint, for resolving it. */
export interface HintData {
  readonly uri: string;
  readonly fields: readonly HintedField[];
}

export interface HintedField {
  readonly field: string;
  readonly layer: string;
  /** Project path of the file that gives the value, and where in it. */
  readonly file: string;
  readonly pointer: string;
}

/** A hint takes one row beside a panel; what is left out is counted and is in the tooltip. In UTF-16 units. */
const longestLabel = 60;

/** Fields that are shown when they are inherited. Schemas are too long for a hint; a hover shows them. */
const hinted: readonly string[] = [
  'llm_config_id',
  'model_name',
  'temperature',
  'top_p',
  'max_output_tokens',
  'agent_type',
  'mode',
  'persona_key',
  'system_text',
  'purpose_text',
  'user_text',
  'tool_protocol',
  'max_iterations',
  'timeout_ms',
  'retry_attempts',
  'include_history',
];

/** An object with agent fields, and its layers. */
interface Owner {
  /** Pointer of the object that the fields would be written in. */
  readonly pointer: string;
  readonly layers: Layers | undefined;
}

/**
 * The inherited fields of an agent, after its last own field, as written in the other file, and the version of an agent that is
 * named without one; in a prompt, the end of its stable beginning.
 */
export function provideInlayHints({ textDocument, range }: InlayHintParams, context: FeatureContext): readonly InlayHint[] | null {
  if (!context.settings.inlayHints.enabled) return [];
  const ours = ourDocument(textDocument, context);
  const view = ours && viewOf(ours.document, ours.project);
  if (view === undefined) return null;
  const visible = range === undefined ? undefined : view.document.stretchOf(range);
  const isWanted = (offset: number) => visible === undefined || (visible.start <= offset && offset <= visible.end);
  return [...cacheHints(view, isWanted), ...versionHints(view, isWanted), ...inheritedHints(view, textDocument.uri, isWanted)];
}

/** The version that a reference without one resolves to, right after the name. */
function versionHints(view: FileView, isWanted: (offset: number) => boolean): readonly InlayHint[] {
  const { project, file, document, locate } = view;
  const versions = new Map(
    collectReferences({ ...file, value: view.value }).flatMap(({ kind, id, pointer }) => {
      const target = kind === 'agent' && pointer !== '' && !id.includes('@') ? findAgent(project.index, id) : undefined;
      return target === undefined ? [] : [[pointer, target] as const];
    }),
  );
  if (file.identity.kind === 'system' || versions.size === 0) return [];
  const located = locate(new Set(versions.keys()));
  return [...versions].flatMap(([pointer, { version, path }]) => {
    // Before the closing quote.
    const offset = (located.get(pointer)?.value.end ?? 0) - 1;
    if (offset < 0 || !isWanted(offset)) return [];
    const place = { link: path, href: project.uriOf(path) };
    const tooltip = line(l10n.t('The newest version:'), ' ', place, '. ', l10n.t('A snapshot pins it; write it here to keep it.'));
    return [{ position: document.positionAt(offset), label: `@${version}`, tooltip: toMarkup([tooltip], 'markdown') }];
  });
}

function inheritedHints(view: FileView, uri: string, isWanted: (offset: number) => boolean): readonly InlayHint[] {
  const owners = ownersIn(view).flatMap((owner) => {
    const inherited = findInherited(owner, view);
    return inherited.length > 0 ? [{ ...owner, inherited }] : [];
  });
  const places = endsOf(owners, view);
  return owners.flatMap(({ inherited }, index) => {
    const offset = places[index];
    if (offset === undefined || !isWanted(offset)) return [];
    const position = view.document.positionAt(offset);
    const fields = inherited.map(({ field, fragment, pointer }) => ({ field, layer: fragment.layer, file: fragment.file ?? '', pointer }));
    const data: HintData = { uri, fields };
    return [{ position, label: labelOf(inherited), paddingLeft: true, data }];
  });
}

/** `llm_config_id: main, model_name: gpt-4.1, +2`. */
function labelOf(inherited: readonly Inherited[]): string {
  let [label = '', ...others] = inherited.map((field) => field.label);
  while (others[0] !== undefined && label.length + others[0].length <= longestLabel) {
    label += `, ${others[0]}`;
    others = others.slice(1);
  }
  return others.length === 0 ? label : `${label}, +${others.length}`;
}

function ownersIn({ file, value, project }: FileView): readonly Owner[] {
  const context = project.ruleContext;
  if (file.identity.kind === 'agent') return [{ pointer: '', layers: layersOf(file, context) }];
  if (file.identity.kind !== 'orchestration') return [];
  return teamsIn(value).flatMap((team) =>
    tasksIn(team).map((task) => {
      const { config } = task.value;
      const hasConfig = isObject(config) && Object.keys(config).length > 0;
      return { pointer: hasConfig ? `${task.pointer}/config` : task.pointer, layers: taskLayersOf(file, task, context) };
    }),
  );
}

interface Inherited {
  readonly field: string;
  readonly label: string;
  readonly fragment: Fragment;
  readonly pointer: string;
}

function findInherited({ layers }: Owner, { file, project }: FileView): readonly Inherited[] {
  if (layers === undefined) return [];
  const inherited: Inherited[] = [];
  for (const field of hinted) {
    const source = findSetting(layers, field);
    // Built-in defaults are the same for every agent; a hover shows them.
    if (source === undefined || source.fragment.file === null || source.fragment.file === file.path) continue;
    inherited.push({ field, label: `${field}: ${valueText(source.value)}`, fragment: source.fragment, pointer: source.pointer });
  }
  const profile = layers.fragments.find(({ layer }) => layer === 'llm');
  const isNamed = findSetting(layers, 'llm_config_id') !== undefined;
  // Without a name in any layer, the only profile is used.
  if (profile !== undefined && !isNamed) {
    const [name = null] = [...project.index.ids('llm')].find(([, path]) => path === profile.file) ?? [];
    const isWritten = isObject(profile.value) && profile.value.llm_id !== undefined;
    inherited.unshift({
      field: 'llm_config_id',
      label: `llm_config_id: ${valueText(name)}`,
      fragment: profile,
      pointer: isWritten ? '/llm_id' : '',
    });
  }
  return inherited;
}

const longestText = 32;

/** Placeholders are shown as they are written, because values of variables may be secret. */
function valueText(value: Json): string {
  const text = coverSecrets(typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ');
  return text.length <= longestText
    ? text
    : `${text
        .slice(0, longestText - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`;
}

/** Offset after the last member of each object; for one without members right after its opening bracket. */
function endsOf(owners: readonly Owner[], { value, locate }: FileView): readonly (number | undefined)[] {
  const lastOf = ({ pointer }: Owner) => {
    const object = valueAt(value, pointer);
    const last = isObject(object) ? Object.keys(object).at(-1) : undefined;
    return last === undefined ? undefined : `${pointer}/${escapeSegment(last)}`;
  };
  const members = owners.map(lastOf);
  const located = locate(new Set([...owners.map(({ pointer }) => pointer), ...members.flatMap((member) => member ?? [])]));
  return owners.map(({ pointer }, index) => {
    const member = members[index];
    if (member !== undefined) return located.get(member)?.value.end;
    const start = located.get(pointer)?.value.start;
    return start === undefined ? undefined : start + 1;
  });
}
