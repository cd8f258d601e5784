import { candidateFiles } from '../names/candidateFiles.js';
import type { Entity } from '../names/entity.js';
import { findOccurrences, type Occurrence } from '../occurrences.js';
import type { Project } from '../workspace.js';
import { type Block, line, list, type Part } from './hoverText.js';

/** A hover reads no more files than this. */
const mostFiles = 100;
const mostPlaces = 12;

/** The places where a field, a value or a key is used, grouped by purpose. */
export async function usageWords(
  entity: Entity,
  project: Project,
  context: { readonly pause: () => void | Promise<void> },
): Promise<readonly Block[]> {
  const { size } = candidateFiles(entity, project).paths;
  if (size > mostFiles) return [line(`Up to ${size} files may use it: find its references.`)];
  const { places } = await findOccurrences(entity, project, context);
  const items = new Map<string, { readonly parts: readonly Part[]; times: number }>();
  for (const place of places) {
    const use = useOf(place);
    const key = `${place.path} ${use}`;
    const item = items.get(key);
    if (item !== undefined) item.times += 1;
    else items.set(key, { parts: [`${use} `, { code: place.path }], times: 1 });
  }
  if (items.size === 0) return [];
  const listed = [...items.values()]
    .slice(0, mostPlaces)
    .map(({ parts, times }) => (times === 1 ? parts : [...parts, ` (${times} times)`]));
  if (items.size > mostPlaces) listed.push([`and ${items.size - mostPlaces} more`]);
  return [line(project.index.complete ? 'Used in' : 'Used in, as far as files can be read,'), list(listed)];
}

/** The purpose of a place. */
function useOf({ pointer, entity, document }: Occurrence): string {
  const { kind } = document.config?.identity ?? {};
  if (kind === 'payload') return 'payload';
  if (/\/routing\/rules\/\d+\/condition\b/.test(pointer)) return 'routing condition';
  if (/\/(?:when|until)\b/.test(pointer) && pointer.includes('/execution_plan/')) return 'condition of a plan';
  if (pointer.includes('/few_shot_examples/')) return 'few-shot example';
  if (pointer.includes('/required/')) return 'required';
  if (/(?:output|input)_schema\//.test(pointer)) return entity.kind === 'enum-value' ? 'enum of the schema' : 'schema';
  if (pointer.includes('/enums/')) return 'enums';
  if (pointer.includes('/defaults/')) return 'defaults';
  if (pointer.includes('/input_keys/')) return 'input_keys';
  if (pointer.includes('/variables/')) return 'variables';
  if (pointer.includes('/context_updates')) return 'context_updates';
  return pointer.includes('/input') ? 'input' : kind === 'prompt' ? 'template' : 'text';
}
