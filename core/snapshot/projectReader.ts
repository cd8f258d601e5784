import { isOtherFormat } from '../config/paths.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import type { JsonObject } from '../json.js';
import { checkFragment } from './checkFragment.js';
import type { LayerProblem } from './effective.js';

export interface LayerFile {
  readonly path: string;
  readonly value: JsonObject;
}

type LayerKind = 'system' | 'llm' | 'persona' | 'prompt' | 'mcp' | 'lock';

/**
 * Files are checked once per parsed value, however many agents are layered above. The values are immutable and the results a pure
 * function of them, so this cache never needs to be cleared.
 */
const checked = new WeakMap<JsonObject, readonly LayerProblem[]>();

/** The file of a kind and id, checked by itself; undefined if there is no such file. A file that is not a JSON object, and a prompt in two formats, are reported. */
export function readLayer(
  project: ProjectIndex,
  kind: LayerKind,
  id: string,
  report: (problem: LayerProblem) => void,
): LayerFile | undefined {
  const path = project.ids(kind).get(id);
  if (path === undefined) return undefined;
  const other = kind === 'prompt' ? project.twins(kind, id, path).find((twin) => isOtherFormat(twin, path)) : undefined;
  if (other !== undefined) {
    const message = `${other} is the same prompt in another format, and only one of them can count. Delete one of the two files.`;
    report({ code: 'duplicate-identity', message, file: path, pointer: '' });
    return undefined;
  }
  const value = project.value(kind, id);
  if (value === undefined) {
    report({
      code: 'schema',
      message: `${path} cannot be read as a JSON object, so nothing it says can be used.`,
      file: path,
      pointer: '',
    });
    return undefined;
  }
  let problems = checked.get(value);
  if (problems === undefined) {
    problems = checkFragment(kind, value, path, path);
    checked.set(value, problems);
  }
  for (const problem of problems) report(problem);
  return { path, value };
}
