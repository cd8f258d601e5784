import { isObject, type Json } from '../../json.js';
import { findNotJson } from '../../prompt/plainJson.js';
import type { SourceDocument, ToolHints, ToolOutcome } from '../../tools/types.js';
import { cut } from '../../words.js';

/** Most characters of one result in the trace and the events; the result itself may be longer. */
const longestTraced = 1_000_000;
const mostRisks = 10;
const longestRisk = 300;

/** A tool's result, read without trusting it. */
export interface ReadOutcome {
  readonly content: string;
  readonly is_error: boolean;
  readonly can_retry: boolean;
  /** For the trace, at most 1,000,000 characters of JSON. */
  readonly value: Json;
  readonly hints: ToolHints;
  readonly documents: readonly SourceDocument[];
}

/** Reads a tool's return value without trusting its form. */
export function readOutcome(returned: unknown): ReadOutcome {
  if (typeof returned !== 'object' || returned === null || typeof (returned as Partial<ToolOutcome>).content !== 'string') {
    return failure('The tool returned no result that can be read.');
  }
  const { content, value, is_error, can_retry, hints, documents } = returned as ToolOutcome;
  return {
    content,
    is_error: is_error === true,
    can_retry: can_retry === true,
    value: boundedValue(value, content),
    hints: readHints(hints),
    documents: Array.isArray(documents) ? documents.filter(isDocument) : [],
  };
}

/** An error of the tool or of its call, for the model. */
export function failure(content: string, can_retry = false): ReadOutcome {
  return { content, is_error: true, can_retry, value: content, hints: {}, documents: [] };
}

/**
 * One result for the model, before it is cut: its impact and risks, the quality of the source, then the result. Independent of the time, so that a
 * replay is identical.
 */
export function describeOutcome({ content, is_error, hints }: ReadOutcome, { isReused }: { readonly isReused: boolean }): string {
  const lines: string[] = [];
  if (hints.estimated_impact !== undefined) lines.push(`Estimated impact: ${hints.estimated_impact} (0 to 1)`);
  if (hints.risk_factors && hints.risk_factors.length > 0) lines.push(`Risks: ${hints.risk_factors.join('; ')}`);
  if (hints.source_quality !== undefined) lines.push(`Source quality: ${hints.source_quality}`);
  if (isReused) lines.push('The same call was answered before, and its result still holds:');
  lines.push(is_error ? `Error: ${content}` : content);
  return lines.join('\n');
}

/** Cuts texts to `limit` characters in total; short ones leave their unused share to the long ones. */
export function shareOut(texts: readonly string[], limit: number): string[] {
  let room = limit;
  let count = texts.length;
  const shares = new Map<number, number>();
  const order = texts.map((text, index) => ({ index, length: text.length })).sort((left, right) => left.length - right.length);
  for (const { index, length } of order) {
    const share = Math.min(length, Math.floor(room / count));
    shares.set(index, share);
    room -= share;
    count -= 1;
  }
  return texts.map((text, index) => cut(text, shares.get(index) ?? 0));
}

function boundedValue(value: Json | undefined, content: string): Json {
  if (value === undefined) return cut(content, longestTraced);
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // Cyclic, or not JSON: only the text for the model remains.
    text = undefined;
  }
  if (text === undefined) return cut(content, longestTraced);
  // Parsed again, so that later changes by the tool do not affect the trace.
  return text.length <= longestTraced ? (JSON.parse(text) as Json) : cut(text, longestTraced);
}

function readHints(hints: ToolHints | undefined): ToolHints {
  if (typeof hints !== 'object' || hints === null) return {};
  const { source_quality, validity_period_ms, risk_factors, dependencies, estimated_impact } = hints;
  const qualities: readonly unknown[] = ['high', 'medium', 'low', 'unknown'];
  return {
    ...(source_quality !== undefined && qualities.includes(source_quality) && { source_quality }),
    // A number that JSON can represent too.
    ...(isPositive(validity_period_ms) && { validity_period_ms: Math.min(validity_period_ms, Number.MAX_SAFE_INTEGER) }),
    ...(Array.isArray(risk_factors) && {
      risk_factors: risk_factors
        .filter((risk) => typeof risk === 'string')
        .slice(0, mostRisks)
        .map((risk) => cut(risk, longestRisk)),
    }),
    ...(Array.isArray(dependencies) && { dependencies: dependencies.filter((name) => typeof name === 'string').slice(0, 100) }),
    ...(isPositive(estimated_impact) && { estimated_impact: Math.min(1, estimated_impact) }),
  };
}

function isDocument(document: unknown): document is SourceDocument {
  return isObject(document) && typeof document.id === 'string' && findNotJson(document) === undefined;
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}
