import { isObject, type Json, type JsonObject, listOf, valueAt } from '../../json.js';
import { quoted } from '../../words.js';
import type { At } from '../types.js';
import { within } from '../values.js';

/** What an assertion needs besides itself. */
export interface AssertionContext {
  note(at: At, message: string): void;
  /** The vars of the case, for values that name them. */
  readonly vars: JsonObject;
  /** The whole config, in which `$ref` has its places. */
  readonly config: JsonObject;
  /** The judge for a rubric, `name@version`. */
  judge(rubric: string, at: At): string;
}

/** The expectations of a list of assertions: https://www.promptfoo.dev/docs/configuration/expected-outputs/. What has no counterpart is noted. */
export function expectationsOf(assertions: Json | undefined, at: At, context: AssertionContext): readonly JsonObject[] {
  return listOf(Array.isArray(assertions) ? assertions : undefined).flatMap((written, index) => {
    const place = within(at, index);
    const reference = isObject(written) && typeof written.$ref === 'string' ? /^#(\/.+)$/.exec(written.$ref)?.[1] : undefined;
    const assertion = reference === undefined ? written : valueAt(context.config, reference);
    if (!isObject(assertion) || typeof assertion.type !== 'string') {
      context.note(place, 'It is not an assertion with a type, and left out.');
      return [];
    }
    return expectations(assertion, assertion.type, place, context);
  });
}

function expectations(assertion: JsonObject, type: string, at: At, context: AssertionContext): readonly JsonObject[] {
  const made = madeOf(assertion, type, at, context);
  const options = made.length === 0 || type.startsWith('not-') ? [] : ['threshold', 'weight', 'transform', 'config'];
  for (const key of options)
    if (assertion[key] !== undefined && !takes[type]?.includes(key))
      context.note(within(at, key), `${quoted(key)} has no counterpart and is left out.`);
  return made;
}

function madeOf(assertion: JsonObject, type: string, at: At, context: AssertionContext): readonly JsonObject[] {
  if (type.startsWith('not-')) {
    const inner = expectations(assertion, type.slice('not-'.length), at, context);
    // Of several, that not all hold.
    return inner.length === 0
      ? []
      : inner.length === 1
        ? [{ not: inner[0] as JsonObject }]
        : [{ any: inner.map((each) => ({ not: each })) }];
  }
  const lost = (why: string): readonly JsonObject[] => {
    context.note(at, `The assertion ${quoted(type)} is left out: ${why}`);
    return [];
  };
  if (type === 'assert-set') {
    const inner = expectationsOf(assertion.assert, within(at, 'assert'), context);
    return assertion.threshold === undefined || inner.length < 2
      ? inner
      : lost('only some of its assertions have to hold. Write "any" yourself.');
  }
  const values = valuesOf(assertion.value, context.vars);
  if (type === 'cost' || type === 'latency') {
    if (typeof assertion.threshold !== 'number') return lost('it has no threshold.');
    return [{ measure: type === 'cost' ? 'cost_usd' : 'latency_ms', operator: 'less_than', value: assertion.threshold }];
  }
  if (values === undefined) return lost('its value is a file, code, or names something else than vars of the case.');
  const texts = (build: (value: string) => JsonObject) => values.map(build);
  const text = (operator: string, value: string, more: JsonObject = {}): JsonObject => ({ text: true, operator, value, ...more });
  const [first = ''] = values;
  switch (type) {
    case 'equals':
      return [text('equals', first)];
    case 'contains':
    case 'contains-all':
      return texts((value) => text('contains', value));
    case 'icontains':
    case 'icontains-all':
      return texts((value) => text('contains', value, { ignore_case: true }));
    case 'contains-any':
      return [anyOf(texts((value) => text('contains', value)))];
    case 'icontains-any':
      return [anyOf(texts((value) => text('contains', value, { ignore_case: true })))];
    case 'starts-with':
      return [text('matches', `^${first.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`)];
    case 'regex':
      return [text('matches', first)];
    case 'llm-rubric':
    case 'model-graded-closedqa':
      return [{ judge: context.judge(first, at), output_field: 'verdict', operator: 'equals', value: 'met' }];
    case 'is-json':
    case 'contains-json':
      return lost('give the agent an output_schema, which every answer then has to satisfy.');
    case 'levenshtein':
      return lost('"similar" takes a share of the text, from 0 to 1, and this a number of edits.');
    case 'similar':
      return lost('it compares embeddings. Write "similar", which compares letters, or a judge.');
    case 'javascript':
    case 'python':
    case 'ruby':
    case 'webhook':
      return lost('expectations run no code. Write the comparison as an expectation, or ask a judge.');
    default:
      return lost('it has no counterpart. docs/migrating/promptfoo.md says what there is.');
  }
}

/** The options that a type takes besides its value. */
const takes: Readonly<Record<string, readonly string[]>> = { cost: ['threshold'], latency: ['threshold'], 'assert-set': ['threshold'] };

function anyOf(expectations: readonly JsonObject[]): JsonObject {
  return expectations.length === 1 ? (expectations[0] as JsonObject) : { any: [...expectations] };
}

/** The texts of a value, with the vars of the case in them; undefined where they cannot be known. No value is no text. */
function valuesOf(value: Json | undefined, vars: JsonObject): readonly string[] | undefined {
  const texts = (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]).map((item: Json) =>
    typeof item === 'string' ? filled(item, vars) : typeof item === 'number' || typeof item === 'boolean' ? String(item) : undefined,
  );
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** A text of nunjucks with its variables filled in; undefined for anything else in it, and for a file. */
export function filled(text: string, vars: JsonObject): string | undefined {
  if (/^(?:file|https?|python|exec):/.test(text)) return undefined;
  let isKnown = !/\{%/.test(text);
  const result = text.replace(/\{\{([^{}]*)\}\}/g, (_whole, path: string) => {
    const name = path.trim();
    const value = Object.hasOwn(vars, name) ? vars[name] : undefined;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
    isKnown = false;
    return '';
  });
  return isKnown ? result : undefined;
}
