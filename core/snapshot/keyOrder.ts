import { agentFields, type FieldForm, llmFields } from '../generated/fields.js';
import { escapeSegment, isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import type { FrozenOrchestration, SnapshotValue } from './snapshotValue.js';

/** Fields whose objects have user-defined keys, in an order that prompts, requests and outputs follow. */
const ordered: { readonly [part in 'agents' | 'llms' | 'servers']: readonly string[] } = {
  agents: [...freeObjects(agentFields), 'few_shot_examples'],
  llms: freeObjects(llmFields),
  servers: ['tools'],
};

function freeObjects(fields: { readonly [name: string]: FieldForm }): readonly string[] {
  const isFree = ({ type, parts }: FieldForm) => type === 'object' && (parts === undefined || parts === 'any');
  return Object.keys(fields).filter((name) => isFree(fields[name] as FieldForm));
}

/** The content of a snapshot, frozen, with the order of keys that canonical JSON would lose. */
export function withKeyOrder(content: SnapshotValue): SnapshotValue {
  const key_order = collectKeyOrder(content);
  return Object.freeze(Object.keys(key_order).length === 0 ? content : { ...content, key_order });
}

/** Pointer to keys, for every object of an ordered field whose keys are not already in canonical order (UTF-16 units). */
export function collectKeyOrder(value: SnapshotValue): { readonly [pointer: string]: readonly string[] } {
  const orders: Record<string, readonly string[]> = {};
  const collect = (content: Json, pointer: string) => collectOrders(content, pointer, orders);
  for (const part of ['agents', 'llms', 'servers'] as const) {
    for (const [name, member] of Object.entries(value[part])) {
      for (const field of ordered[part]) {
        const content = (member as unknown as JsonObject)[field];
        if (content !== undefined) collect(content, `/${part}/${escapeSegment(name)}/${field}`);
      }
    }
  }
  if (value.skills !== undefined) collect(value.skills, '/skills');
  if (value.orchestration !== undefined) collectOfTeams(value.orchestration, collect);
  return Object.freeze(orders);
}

/** Objects that become a payload, whose entries a prompt lists in this order. */
function collectOfTeams({ input_schema, context, teams }: FrozenOrchestration, collect: (content: Json, pointer: string) => void): void {
  if (input_schema !== undefined) collect(input_schema, '/orchestration/input_schema');
  collect(context, '/orchestration/context');
  for (const [id, { tasks, routing }] of Object.entries(teams)) {
    const team = pointerOf('orchestration', 'teams', id);
    for (const [index, { input }] of tasks.entries()) if (input !== undefined) collect(input, `${team}/tasks/${index}/input`);
    // Drafts are frozen while they are written, so values that the schema refuses may occur here.
    const rules: Json = Array.isArray(routing.rules) ? (routing.rules as readonly Json[]) : [];
    for (const [index, rule] of rules.entries()) {
      if (isObject(rule)) collect(rule.context_updates ?? null, `${team}/routing/rules/${index}/context_updates`);
    }
  }
}

function collectOrders(value: Json, pointer: string, orders: Record<string, readonly string[]>): void {
  if (typeof value !== 'object' || value === null) return;
  const keys = Object.keys(value);
  if (!Array.isArray(value) && keys.some((key, index) => index > 0 && key < (keys[index - 1] as string)))
    orders[pointer] = Object.freeze(keys);
  for (const key of keys) collectOrders((value as JsonObject)[key] as Json, `${pointer}/${escapeSegment(key)}`, orders);
}

/** A deeply frozen copy of a parsed snapshot with its keys in the order they were written. */
export function restoreKeyOrder(value: JsonObject): JsonObject {
  const { key_order: order } = value;
  return restore(value, '', isObject(order) ? order : {}) as JsonObject;
}

function restore(value: Json, pointer: string, order: JsonObject): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item, index) => restore(item, `${pointer}/${index}`, order)));
  const written = Object.hasOwn(order, pointer) ? order[pointer] : undefined;
  const listed = Array.isArray(written) ? written.filter((key) => typeof key === 'string' && Object.hasOwn(value, key)) : [];
  // Any keys that the order does not name are put at the end, not dropped.
  const keys = new Set<string>([...listed, ...Object.keys(value)]);
  return Object.freeze(
    Object.fromEntries(
      [...keys].map((key) => [key, restore((value as JsonObject)[key] as Json, `${pointer}/${escapeSegment(key)}`, order)]),
    ),
  );
}
