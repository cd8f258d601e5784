import { isObject, type Json } from '../json.js';
import { cautiousTokens } from './cautiousTokens.js';
import { parseTemplate } from './template.js';

/** Tokens of an input at most. */
export interface InputBound {
  readonly tokens: number;
  /** Part of it comes from outside, and counts with what is assumed of that. */
  readonly isAssumed: boolean;
}

/**
 * An input that a template makes: its own words, and what stands in place of its paths. What is put into a longer text may be JSON that is escaped
 * once more, and counts twice.
 *
 * @param boundOf what a path leads to
 * @param assumed tokens of what comes from outside, all of it together
 */
export function inputBound(template: Json, boundOf: (segments: readonly string[]) => InputBound, assumed: number): InputBound {
  let tokens = cautiousTokens(JSON.stringify(template));
  let isAssumed = false;
  for (const text of textsIn(template)) {
    const { parts } = text.includes('{{') ? parseTemplate(text) : { parts: [] };
    for (const part of parts) {
      if (typeof part === 'string') continue;
      const bound = boundOf(part.segments);
      tokens += bound.tokens * (parts.length === 1 ? 1 : 2);
      isAssumed ||= bound.isAssumed;
    }
  }
  return { tokens: tokens + (isAssumed ? assumed : 0), isAssumed };
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
