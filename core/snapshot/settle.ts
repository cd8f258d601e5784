import type { Json, JsonObject } from '../json.js';
import { maxDepth } from '../jsonText/jsonShape.js';
import type { Environment } from '../ports.js';
import { looksLikeSecret } from '../secrets/secretPatterns.js';
import { brokenWords, findBrokenPlaceholders, isRefused } from './brokenPlaceholders.js';
import type { LayerProblem, Origin } from './effective.js';
import type { Path } from './layering.js';
import { type Expansion, expandPlaceholders, isExpanded } from './placeholders.js';

/** The context for making a value final: the variables, where its parts are written, and where problems go. */
export interface Settling {
  readonly variables: Environment;
  /** Called only if something is wrong. */
  readonly originAt: (path: Path) => Origin;
  readonly report: (problem: LayerProblem) => void;
}

/**
 * A deeply frozen copy of a winning value with its `${VAR}` expanded; `undefined` if JSON cannot hold it. The value itself is
 * not changed. A placeholder that cannot be expanded, or whose expansion looks like a secret, stays as written and is reported; no
 * message contains the value of the variable.
 */
export function settle(value: Json, field: string, settling: Settling): Json | undefined {
  return settleAt(value, [field], settling);
}

function settleAt(value: unknown, path: (string | number)[], settling: Settling): Json | undefined {
  if (typeof value === 'string') return value.includes('${') ? expandAt(value, path, settling) : value;
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return value as Json;
  if (typeof value !== 'object') return refuse(`is or holds ${describe(value)}, which cannot be kept as JSON`, path, settling);
  if (path.length > maxDepth) return refuse(`is nested deeper than ${maxDepth} levels`, path, settling);
  if (Array.isArray(value)) return settleArray(value, path, settling);
  // If there is a `__proto__` key, the copy has it as an own key; setting it afterwards sets that key.
  const copy: Record<string, unknown> = { ...value };
  for (const key of Object.keys(copy)) {
    const written = copy[key];
    path.push(key);
    const settled = settleAt(written, path, settling);
    path.pop();
    if (settled === undefined) delete copy[key];
    else if (settled !== written) copy[key] = settled;
  }
  return Object.freeze(copy) as JsonObject;
}

function settleArray(value: readonly unknown[], path: (string | number)[], settling: Settling): Json {
  const copy: Json[] = [];
  for (let index = 0; index < value.length; index += 1) {
    path.push(index);
    // The other elements keep their places.
    copy.push(settleAt(value[index], path, settling) ?? null);
    path.pop();
  }
  return Object.freeze(copy);
}

function expandAt(text: string, path: Path, settling: Settling): string {
  const { variables, originAt, report } = settling;
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

/** The first variable whose value looks like a secret, by itself or in the text it was inserted into; `key` is the key of that text. */
export function findSecret({ text, inserted }: Expansion, key: string): { readonly variable: string; readonly shape: string } | undefined {
  if (inserted.size === 0) return undefined;
  for (const [variable, value] of inserted) {
    const shape = looksLikeSecret(value, variable);
    if (shape !== undefined) return { variable, shape: shape.name };
  }
  const shape = looksLikeSecret(text, key);
  return shape && { variable: [...inserted.keys()].join(', '), shape: shape.name };
}

function refuse(why: string, path: Path, settling: Settling): undefined {
  const { originAt, report } = settling;
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
