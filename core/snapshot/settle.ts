import type { Json } from '../json.js';
import { maxDepth } from '../jsonText/jsonShape.js';
import type { Environment } from '../ports.js';
import { looksLikeSecret } from '../secrets/secretPatterns.js';
import { brokenWords, findBrokenPlaceholders, isRefused } from './brokenPlaceholders.js';
import type { LayerProblem, Origin } from './effective.js';
import type { Path } from './layering.js';
import { type Expansion, expandPlaceholders, isExpanded } from './placeholders.js';

/** Everything a value needs to become final: the variables, where its parts are written, and where problems go. */
export interface Settling {
  readonly variables: Environment;
  /** Asked only where something is wrong. */
  readonly originAt: (path: Path) => Origin;
  readonly report: (problem: LayerProblem) => void;
  /** Final forms of what needed no change, by the value: what many agents take from one file they share. Default: nothing is shared. */
  readonly settled?: Map<object, Json> | undefined;
}

/**
 * A deeply frozen copy of a winning value with its `${VAR}` expanded; `undefined` when it is nothing JSON can say. The value itself is
 * left as it is. A placeholder that cannot be expanded, or whose expansion looks like a secret, stays as written and is reported; the
 * text of the variable is in no message.
 */
export function settle(value: Json, field: string, settling: Settling): Json | undefined {
  const walk: Walk = { settling, isAsWritten: true };
  if (typeof value !== 'object' || value === null) return settleAt(value, [field], walk);
  const before = settling.settled?.get(value);
  if (before !== undefined) return before;
  const found = settleAt(value, [field], walk);
  if (found !== undefined && walk.isAsWritten) settling.settled?.set(value, found);
  return found;
}

interface Walk {
  readonly settling: Settling;
  /** Whether nothing in the value depends on variables or had to be left out. */
  isAsWritten: boolean;
}

function settleAt(value: unknown, path: (string | number)[], walk: Walk): Json | undefined {
  if (typeof value === 'string') return value.includes('${') ? expandAt(value, path, walk) : value;
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return value as Json;
  if (typeof value !== 'object') return refuse(`is or holds ${describe(value)}, which cannot be kept as JSON`, path, walk);
  if (path.length > maxDepth) return refuse(`is nested deeper than ${maxDepth} levels`, path, walk);
  if (Array.isArray(value)) return settleArray(value, path, walk);
  const copy: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    path.push(key);
    const settled = settleAt((value as Record<string, unknown>)[key], path, walk);
    path.pop();
    if (settled === undefined) continue;
    // Setting `__proto__` would change the prototype instead of adding a key.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: settled, enumerable: true });
    else copy[key] = settled;
  }
  return Object.freeze(copy);
}

function settleArray(value: readonly unknown[], path: (string | number)[], walk: Walk): Json {
  const copy: Json[] = [];
  for (let index = 0; index < value.length; index += 1) {
    path.push(index);
    // The other elements keep their places.
    copy.push(settleAt(value[index], path, walk) ?? null);
    path.pop();
  }
  return Object.freeze(copy);
}

function expandAt(text: string, path: Path, walk: Walk): string {
  const { variables, originAt, report } = walk.settling;
  walk.isAsWritten = false;
  if (!isExpanded(path)) return text;
  for (const broken of text.startsWith('secret://') ? [] : findBrokenPlaceholders(text)) {
    if (!isRefused(broken, path)) continue;
    const { start, end } = broken;
    report({ code: 'placeholder-invalid', message: brokenWords(text, broken, true), ...placeOf(originAt(path)), data: { start, end } });
  }
  const expansion = expandPlaceholders(text, variables);
  for (const variable of expansion.unset) {
    const message = `The environment variable "${variable}" is not set and has no fallback. Set it, or write \${${variable}:-fallback}.`;
    report({ code: 'env-unset', message, ...placeOf(originAt(path)), data: { variable } });
  }
  const secret = findSecret(expansion, String(path.at(-1)));
  if (secret === undefined) return expansion.text;
  const { variable, shape } = secret;
  const message = `The value of \${${variable}} looks like a secret (${shape}), and an expanded value is written into every snapshot. Use a "secret://" reference where a key is asked for, or take it out.`;
  report({ code: 'secret-in-plain-text', message, ...placeOf(originAt(path)), data: { variable, shape } });
  return text;
}

/** The first variable whose value looks like a secret, by itself or in the text it was put into; `key` is the name the text stands under. */
export function findSecret({ text, inserted }: Expansion, key: string): { readonly variable: string; readonly shape: string } | undefined {
  if (inserted.size === 0) return undefined;
  for (const [variable, value] of inserted) {
    const shape = looksLikeSecret(value, variable);
    if (shape !== undefined) return { variable, shape: shape.name };
  }
  const shape = looksLikeSecret(text, key);
  return shape && { variable: [...inserted.keys()].join(', '), shape: shape.name };
}

function refuse(why: string, path: Path, walk: Walk): undefined {
  const { originAt, report } = walk.settling;
  walk.isAsWritten = false;
  report({ code: 'schema', message: `The value of "${String(path[0])}" ${why}.`, ...placeOf(originAt(path)) });
  return undefined;
}

function placeOf({ file, pointer }: Origin): Pick<LayerProblem, 'file' | 'pointer'> {
  return { file, pointer };
}

function describe(value: unknown): string {
  if (typeof value !== 'number') return `a value of type ${typeof value}`;
  return Number.isNaN(value) ? 'NaN' : 'a number beyond 1.8e308';
}
