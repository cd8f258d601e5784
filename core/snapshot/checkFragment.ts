import { type Json, type JsonObject, pointerOf } from '../json.js';
import { maxDepth } from '../jsonText/jsonShape.js';
import type { Kind } from '../kinds.js';
import { validateKind } from '../schema/kindValidators.js';
import { looksLikeSecret } from '../secrets/secretPatterns.js';
import type { LayerProblem } from './effective.js';

/**
 * Checks a fragment by itself, before it is merged, for schema errors and secrets written out. `name` is what messages call
 * it. Unknown keys are not a problem here, except in a policy: they are not read, and the rule unknown-property reports them.
 */
export function checkFragment(kind: Kind, value: JsonObject, name: string, file: string | null, pointer = ''): LayerProblem[] {
  const problems: LayerProblem[] = [];
  for (const { pointer: at, keyword, params, message } of validateKind(kind, value)) {
    if (keyword === 'additionalProperties' && !isInPolicy(kind, at)) continue;
    // Limits and names only, as in all messages: the value may be an API key in the wrong field.
    const text = `${name} does not fit its schema: ${at === '' ? 'it' : at} ${message}.`;
    problems.push({ code: 'schema', message: text, file, pointer: pointer + at, data: { keyword, params } });
  }
  forEachText(value, [], (text, path) => {
    const shape = looksLikeSecret(text, keyOf(path));
    if (shape === undefined) return;
    const message = `${name} holds what looks like a secret (${shape.name}). Write "secret://NAME" in its place where a key is asked for, and keep the secret outside the project.`;
    problems.push({ code: 'secret-in-plain-text', message, file, pointer: pointer + pointerOf(...path), data: { shape: shape.name } });
  });
  return problems;
}

/** Whether a place is in a policy, where a misspelt key would assert nothing. */
export function isInPolicy(kind: Kind, pointer: string): boolean {
  return kind === 'system' && /^\/policy(?:\/|$)/.test(pointer);
}

function keyOf(path: readonly (string | number)[]): string | undefined {
  return path.findLast((segment) => typeof segment === 'string') as string | undefined;
}

function forEachText(value: Json, path: (string | number)[], visit: (text: string, path: readonly (string | number)[]) => void): void {
  if (typeof value === 'string') visit(value, path);
  if (typeof value !== 'object' || value === null || path.length > maxDepth) return;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      path.push(index);
      forEachText(value[index] as Json, path, visit);
      path.pop();
    }
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    path.push(key);
    forEachText(member, path, visit);
    path.pop();
  }
}
