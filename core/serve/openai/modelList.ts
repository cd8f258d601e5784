import type { JsonObject } from '../../json.js';
import type { Exposed } from '../exposed.js';
import { namesOfExposed } from '../findExposed.js';

/** What `GET /v1/models` answers: everything that can run, by the names that requests may use. */
export function modelList(exposed: readonly Exposed[], created: number): JsonObject {
  const usable = exposed.filter(({ refusal }) => refusal === undefined);
  const names = new Set([...namesOfExposed(usable), ...usable.filter(({ kind }) => kind === 'agent').map(({ id }) => id)]);
  return { object: 'list', data: [...names].sort().map((id) => modelEntry(id, created)) };
}

export function modelEntry(id: string, created: number): JsonObject {
  return { id, object: 'model', created, owned_by: 'agent-stack' };
}
