import type { ForkField } from '../generated/types.js';
import { isObject, type Json, segmentsOf } from '../json.js';
import { findText } from '../jsonText/findText.js';
import type { Ports } from '../ports.js';
import { originsIn, type Snapshot } from '../snapshot/createSnapshot.js';
import { type DiffSide, type LeafChange, snapshotDiff } from '../snapshot/snapshotDiff.js';
import { verifySnapshot } from '../snapshot/verifySnapshot.js';
import { listRunIds } from './readRuns.js';
import { originsPath, snapshotPath } from './readSnapshot.js';

/** What a request differs in. */
export interface RequestDifference {
  readonly agent_name: string;
  readonly differences: readonly string[];
  /** As recorded, and now; undefined where one is missing. */
  readonly recorded: Json | undefined;
  readonly now: Json | undefined;
}

/** Fields of an agent by the part of a request that they determine. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  model: ['model_name', 'llm_config_id', 'provider'],
  temperature: ['temperature'],
  top_p: ['top_p'],
  max_tokens: ['max_output_tokens', 'options'],
  tools: ['enabled_tools', 'client_ids', 'exclude_components', 'tool_protocol', 'skills', 'servers'],
  response_format: ['output_schema', 'enums', 'mode'],
};

/** The changed fields that may have caused the difference of a request; only those that certainly have, if there are any. */
export function causesOf(before: Snapshot, after: Snapshot, difference: RequestDifference): readonly ForkField[] {
  const changes = changesBetween(before, after).filter(({ pointer }) => concerns(pointer, [before, after], difference.agent_name));
  const fields = new Map<string, ForkField>();
  for (const change of changes) {
    const field = fieldOf(change.pointer);
    const origin = change.origin_after ?? change.origin_before;
    const file = origin?.file ?? null;
    const is_certain = isShown(change, field, difference);
    const earlier = fields.get(`${file} ${field}`);
    if (earlier === undefined || (is_certain && !earlier.is_certain))
      fields.set(`${file} ${field}`, { field, file, pointer: origin?.pointer ?? change.pointer, is_certain });
  }
  const all = [...fields.values()];
  const certain = all.filter(({ is_certain }) => is_certain);
  return certain.length > 0 ? certain : all.map((one) => ({ ...one, is_certain: all.length === 1 }));
}

/** All changes between two frozen configs. */
export function changesBetween(before: Snapshot, after: Snapshot): readonly LeafChange[] {
  const sideOf = (snapshot: Snapshot): DiffSide => ({ value: snapshot.value, origins: originsIn(snapshot) });
  const changes = before.hash === after.hash ? [] : snapshotDiff(sideOf(before), sideOf(after)).flatMap((group) => group.changes);
  // A tool that another list of tools has added to the config, or removed, has not changed itself.
  const isOtherList = changes.some(({ pointer }) => fieldsOf.tools?.includes(fieldOf(pointer)));
  const isOwn = ({ pointer, ...change }: LeafChange) => !/^\/(skills|servers)\//.test(pointer) || ('before' in change && 'after' in change);
  return isOtherList ? changes.filter(isOwn) : changes;
}

/** `causesOf` in words: `purpose_text (config/agents/Tone/v1.json)`. */
export function causeWords(causes: readonly ForkField[]): string {
  const words = causes.map(({ field, file }) => (file === null ? field : `${field} (${file})`)).join(', ');
  return causes.length > 1 && causes.some(({ is_certain }) => !is_certain) ? `one of ${words}` : words;
}

/** `/agents/Tone/output_schema/properties/x` -> `output_schema`; `/orchestration/teams/a/tasks/0/input` -> `teams/a/tasks/0/input`. */
export function fieldOf(pointer: string): string {
  const [part = '', name, field] = segmentsOf(pointer);
  if (part === 'orchestration') return segmentsOf(pointer).slice(1).join('/');
  return part === 'agents' || part === 'llms' ? (field ?? part) : name === undefined ? part : `${part}/${name}`;
}

/** Whether a change is one of this agent, of its profile, of tools, or of the orchestration. */
function concerns(pointer: string, snapshots: readonly Snapshot[], agent_name: string): boolean {
  const [part, name = ''] = segmentsOf(pointer);
  if (part !== 'agents' && part !== 'llms') return part === 'orchestration' || part === 'servers' || part === 'skills';
  const instances = snapshots.flatMap(({ value }) => Object.entries(value.agents).filter(([, config]) => config.agent_name === agent_name));
  if (part === 'agents') return instances.some(([instance]) => instance === name);
  return instances.some(([instance, { llm_config_id }]) => name === `@${instance}` || name === llm_config_id);
}

function isShown({ pointer, before, after }: LeafChange, field: string, { differences, recorded, now }: RequestDifference): boolean {
  const parts = new Set(differences.map((difference) => segmentsOf(difference.split(':')[0] ?? '')[0] ?? ''));
  if ([...parts].some((part) => fieldsOf[part]?.includes(field) || fieldsOf[part]?.includes(segmentsOf(pointer)[0] ?? ''))) return true;
  const [old, current] = [JSON.stringify(recorded ?? null), JSON.stringify(now ?? null)];
  const isIn = (value: Json | undefined, text: string) => typeof value === 'string' && value !== '' && text.includes(quoted(value));
  const hasCome = isIn(after, current) && !isIn(after, old);
  const hasGone = isIn(before, old) && !isIn(before, current);
  return parts.has('messages') && (hasCome || hasGone);
}

/** As within a text of JSON. */
function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** How many of the newest runs are looked through. */
const mostRuns = 200;

/** The frozen config with this hash, from the newest runs that are kept; undefined if none of them has it. */
export async function findSnapshot({ files, sha256 }: Pick<Ports, 'files' | 'sha256'>, hash: string): Promise<Snapshot | undefined> {
  for (const id of (await listRunIds(files)).slice(0, mostRuns)) {
    const path = snapshotPath(id, hash);
    const text = path && (await findText(files, path));
    if (path === undefined) return undefined;
    const verified = text === undefined ? undefined : verifySnapshot(text, hash, sha256);
    if (text !== undefined && verified?.ok)
      return { value: verified.value, text, hash, origins_text: (await findText(files, originsPath(path))) || '{}' };
  }
  return undefined;
}

/** Whether a JSON value holds a text with a masked secret. */
export function holdsMask(value: Json): boolean {
  if (typeof value === 'string') return /\*{8,}/.test(value);
  return Array.isArray(value) ? value.some(holdsMask) : isObject(value) && Object.values(value).some((member) => holdsMask(member));
}
