import type { Environment } from '../ports.js';

/** One `${VAR}` or `${VAR:-fallback}` in a text; `start` and `end` (exclusive) count UTF-16 units. */
export interface Placeholder {
  readonly name: string;
  /** The text between `:-` and the closing brace, possibly empty; absent if there is no `:-`. */
  readonly fallback?: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The placeholders of a text, in order. A name is `[A-Za-z_][A-Za-z0-9_]*`; a fallback is plain text up to the first `}`, so
 * placeholders do not nest. Anything else that begins with `${` (`${a.b}`, `${}`, an unclosed brace) is ordinary text.
 * Linear in the length of the text.
 */
export function findPlaceholders(text: string): Placeholder[] {
  const placeholders: Placeholder[] = [];
  let from = text.indexOf('${');
  while (from !== -1) {
    const placeholder = placeholderAt(text, from);
    if (placeholder === 'unclosed') break;
    if (placeholder !== undefined) placeholders.push(placeholder);
    from = text.indexOf('${', placeholder?.end ?? from + 2);
  }
  return placeholders;
}

/**
 * Whether a string of an agent, llm, persona or prompt is expanded, by its path in the fragment (the segments of its pointer).
 * Never expanded: identities, which must equal the path; references to API keys, which are looked up only when used; and regular
 * expressions and references inside schemas, where `${` has another meaning. Object keys are never expanded either.
 */
export function isExpanded(segments: readonly (string | number)[]): boolean {
  const field = segments[0];
  if (field === undefined) return true;
  if (literalFields.has(field)) return false;
  if (field !== 'output_schema' && field !== 'input_schema') return true;
  // A field that happens to be named `pattern` is below `properties` and holds a schema; only the keyword holds a string.
  return !literalKeywords.has(segments.at(-1) ?? '') || segments.at(-2) === 'properties';
}

const literalFields: ReadonlySet<string | number> = new Set(['agent_name', 'version', 'name', 'llm_id', 'api_key', 'api_key_env']);
const literalKeywords: ReadonlySet<string | number> = new Set(['pattern', '$ref', '$id', '$schema']);

export interface Expansion {
  /** The text with every placeholder replaced; a placeholder without a value stays as written. */
  readonly text: string;
  /** Names of variables that are neither set nor given a fallback, each once. */
  readonly unset: readonly string[];
  /** The inserted values by variable name, for the check for secrets. Never shown. */
  readonly inserted: ReadonlyMap<string, string>;
}

/**
 * Replaces placeholders in one pass: inserted text is not expanded again. `${VAR:-fallback}` takes the fallback when the
 * variable is unset or empty, as in a shell; a set and empty `${VAR}` is the empty string. Texts that are a `secret://` reference
 * stay as written.
 */
export function expandPlaceholders(text: string, variables: Environment): Expansion {
  const unset: string[] = [];
  const inserted = new Map<string, string>();
  if (!text.includes('${') || text.startsWith('secret://')) return { text, unset, inserted };
  let expanded = '';
  let done = 0;
  for (const { name, fallback, start, end } of findPlaceholders(text)) {
    const value = variables.get(name);
    const useFallback = fallback !== undefined && (value === undefined || value === '');
    if (value === undefined && !useFallback) {
      if (!unset.includes(name)) unset.push(name);
      continue;
    }
    const replacement = useFallback ? fallback : (value ?? '');
    if (!useFallback) inserted.set(name, replacement);
    expanded += text.slice(done, start) + replacement;
    done = end;
  }
  return { text: expanded + text.slice(done), unset, inserted };
}

function placeholderAt(text: string, start: number): Placeholder | 'unclosed' | undefined {
  let at = start + 2;
  if (!isNameStart(text.charCodeAt(at))) return undefined;
  while (isNamePart(text.charCodeAt(at))) at += 1;
  const name = text.slice(start + 2, at);
  if (text[at] === '}') return { name, start, end: at + 1 };
  if (text[at] !== ':' || text[at + 1] !== '-') return undefined;
  const close = text.indexOf('}', at + 2);
  // Without a closing brace from here on, no further placeholder can follow.
  if (close === -1) return 'unclosed';
  return { name, fallback: text.slice(at + 2, close), start, end: close + 1 };
}

function isNameStart(unit: number): boolean {
  return (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122) || unit === 95;
}

function isNamePart(unit: number): boolean {
  return isNameStart(unit) || (unit >= 48 && unit <= 57);
}
