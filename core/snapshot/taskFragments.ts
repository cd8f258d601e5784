import { isObject, type Json, type JsonObject } from '../json.js';
import type { Fragment } from './layering.js';

/** A task as an orchestration writes it. */
export interface TaskSource {
  /** Of the orchestration. */
  readonly path: string;
  /** Of the task in it. */
  readonly pointer: string;
  readonly value: JsonObject;
}

/** What a task says of its agent, lowest first: its type and persona, then its `config`. */
export function taskFragments({ path, pointer, value }: TaskSource): readonly Fragment[] {
  const head: Record<string, Json> = {};
  for (const field of ['agent_type', 'persona_key']) {
    const written = Object.hasOwn(value, field) ? value[field] : undefined;
    if (written !== undefined) head[field] = written;
  }
  const fragments: Fragment[] = [{ layer: 'task', file: path, pointer, kind: 'agent', value: head }];
  if (isObject(value.config))
    fragments.push({ layer: 'task', file: path, pointer: `${pointer}/config`, kind: 'agent', value: value.config });
  return fragments;
}
