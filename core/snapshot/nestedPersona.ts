import type { ProjectIndex } from '../config/projectIndex.js';
import { type Json, type JsonObject, pointerOf } from '../json.js';
import type { LayerProblem } from './effective.js';

/**
 * A persona that names a persona: only the `persona_defaults` are layered under a persona, so the name would have no effect.
 * Undefined if it does not name one.
 *
 * @param id of the persona
 */
export function nestedPersona(id: string, { path, value }: PersonaSource, project: Pick<ProjectIndex, 'value'>): LayerProblem | undefined {
  const named = keyIn(value);
  if (named === undefined) return undefined;
  const way = wayFrom(id, named, project);
  const circle = way.at(-1) === id;
  const fault =
    named === id
      ? `The persona ${shortName(id)} names itself.`
      : `The persona ${shortName(id)} names the persona ${shortName(named)}${circle ? `, which leads back to it: ${way.join(' > ')}` : ''}.`;
  const advice = named === id ? '' : `, and write here what ${shortName(named)} has and this one lacks`;
  return {
    code: 'persona-nested',
    message: `${fault} No persona is layered under a persona. Take persona_key out${advice}.`,
    file: path,
    pointer: '/persona_key',
    data: { persona: id, way },
  };
}

/** The same for `persona_defaults`, which are layered under every persona. */
export function nestedInDefaults({ path, value }: PersonaSource): LayerProblem | undefined {
  const named = keyIn(value);
  if (named === undefined) return undefined;
  return {
    code: 'persona-nested',
    message: `persona_defaults, which lie under every persona, name the persona ${shortName(named)}. No persona is layered under a persona. Take persona_key out; what gives agents their persona is agent_defaults, or agents.{agent_name}.`,
    file: path,
    pointer: pointerOf('persona_defaults', 'persona_key'),
    data: { persona: named, way: [] },
  };
}

interface PersonaSource {
  readonly path: string;
  readonly value: JsonObject;
}

/** Personas from `id` on, each named by the one before, up to the first that names no persona or that repeats. */
function wayFrom(id: string, first: string, project: Pick<ProjectIndex, 'value'>): readonly string[] {
  const way = new Set([id]);
  for (let next: string | undefined = first; next !== undefined; next = keyIn(project.value('persona', next))) {
    if (way.has(next)) return [...way, next];
    way.add(next);
  }
  return [...way];
}

function keyIn(value: JsonObject | undefined): string | undefined {
  const key: Json | undefined = value !== undefined && Object.hasOwn(value, 'persona_key') ? value.persona_key : undefined;
  return typeof key === 'string' ? key : undefined;
}

function shortName(name: string): string {
  return JSON.stringify(name);
}
