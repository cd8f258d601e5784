import { isObject, type Json, type JsonObject, listOf } from '../../json.js';
import type { SourceDocument, ToolHints, ToolOutcome } from '../types.js';

/** Where a result may carry hints for the loop, in its `_meta`. */
export const hintsKey = 'agent-stack/hints';

/**
 * The answer to `tools/call`, for the model and for the trace. Texts are told as they are; images, sounds and files are described in words.
 * Structured content is the `value`, and told unless a text beside it tells it; without it the `value` is the blocks, where any is not a text.
 * Embedded texts are documents of the run. Nothing in it is trusted: what has not the documented form is left out.
 */
export function toOutcome(result: JsonObject): ToolOutcome {
  const { content, structuredContent, isError, _meta } = result;
  const blocks = listOf(content).filter(isObject);
  const texts = blocks.map(inWords);
  if (structuredContent !== undefined && !blocks.some(hasText)) texts.push(JSON.stringify(structuredContent));
  const isPlain = blocks.every(({ type }) => type === 'text');
  const hints = isObject(_meta) ? toHints(_meta[hintsKey]) : undefined;
  const documents = blocks.flatMap(({ type, resource }) => (type === 'resource' && isObject(resource) ? toDocument(resource) : []));
  return {
    content: texts.length > 0 ? texts.join('\n') : '(The result is empty.)',
    ...(structuredContent !== undefined ? { value: structuredContent } : !isPlain && { value: { content: blocks } }),
    ...(isError === true && { is_error: true }),
    ...(hints && { hints }),
    ...(documents.length > 0 && { documents }),
  };
}

/** What `resources/read` answered. */
export function toResourceOutcome(uri: string, { contents }: JsonObject): ToolOutcome {
  const parts = listOf(contents).filter(isObject);
  if (parts.length === 0) return { content: `The resource ${uri} is empty.` };
  const documents = parts.flatMap(toDocument);
  return {
    content: parts.map((part) => (typeof part.text === 'string' ? part.text : resourceInWords(part))).join('\n'),
    ...(parts.some(({ blob }) => blob !== undefined) && { value: { contents: parts } }),
    ...(documents.length > 0 && { documents }),
  };
}

/** What `prompts/get` answered, one paragraph a message. */
export function toPromptOutcome({ description, messages }: JsonObject): ToolOutcome {
  const parts = listOf(messages).filter(isObject);
  const texts = parts.map(({ role, content }) => {
    const blocks = (Array.isArray(content) ? (content as readonly Json[]) : [content ?? null]).filter(isObject);
    return `[${role === 'assistant' ? 'assistant' : 'user'}]\n${blocks.map(inWords).join('\n')}`;
  });
  return { content: [...(typeof description === 'string' ? [description] : []), ...texts].join('\n\n') || 'The prompt is empty.' };
}

/** Whether the server tells in words what it gives as data, as the protocol asks of it. */
function hasText({ text, resource }: JsonObject): boolean {
  const words = isObject(resource) ? resource.text : text;
  return typeof words === 'string' && words.trim() !== '';
}

function inWords(block: JsonObject): string {
  const { type, text, data, mimeType, resource, uri, name, description } = block;
  if (type === 'text') return typeof text === 'string' ? text : '';
  if (type === 'image' || type === 'audio') return `[${type}: ${word(mimeType, 'unknown type')}, ${sizeOf(data)}]`;
  if (type === 'resource' && isObject(resource)) return resourceInWords(resource);
  if (type === 'resource_link') {
    const about = typeof description === 'string' ? `: ${description}` : '';
    return `[link to ${word(name, 'a resource')}, ${word(uri, 'without a URI')}${about}]`;
  }
  return `[${word(type, 'something')} that cannot be shown as text]`;
}

function resourceInWords({ uri, mimeType, text, blob }: JsonObject): string {
  if (typeof text === 'string') return `[${word(uri, 'resource')}]\n${text}`;
  return `[file ${word(uri, '')}: ${word(mimeType, 'unknown type')}, ${sizeOf(blob)}]`;
}

function toDocument({ uri, mimeType, text }: JsonObject): readonly SourceDocument[] {
  if (typeof uri !== 'string' || typeof text !== 'string') return [];
  return [{ id: uri, uri, text, ...(typeof mimeType === 'string' && { metadata: { mime_type: mimeType } }) }];
}

/** Size of what Base64 text stands for, which ends in two `=` at most. */
function sizeOf(base64: Json | undefined): string {
  const filled = typeof base64 === 'string' ? base64.length - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0) : 0;
  const bytes = Math.floor((filled * 3) / 4);
  return bytes < 1024
    ? `${bytes} bytes`
    : bytes < 1024 * 1024
      ? `${(bytes / 1024).toFixed(1)} KB`
      : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function word(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

const qualities = ['high', 'medium', 'low', 'unknown'] as const;
/** Longest list of a hint, and longest text in it, in characters. */
const mostHints = 20;
const longestHint = 500;
/** A day, in ms. */
const longestValidity = 24 * 60 * 60 * 1000;

function toHints(given: Json | undefined): ToolHints | undefined {
  if (!isObject(given)) return undefined;
  const { source_quality, validity_period_ms, estimated_impact } = given;
  const quality = qualities.find((name) => name === source_quality);
  const risk_factors = toTexts(given.risk_factors);
  const dependencies = toTexts(given.dependencies);
  const hints: ToolHints = {
    ...(quality && { source_quality: quality }),
    ...(isWithin(validity_period_ms, longestValidity) && { validity_period_ms }),
    ...(risk_factors && { risk_factors }),
    ...(dependencies && { dependencies }),
    ...(isWithin(estimated_impact, 1) && { estimated_impact }),
  };
  return Object.keys(hints).length > 0 ? hints : undefined;
}

function toTexts(given: Json | undefined): readonly string[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const texts = (given as readonly Json[]).filter((item) => typeof item === 'string').slice(0, mostHints);
  return texts.length > 0 ? texts.map((text) => text.slice(0, longestHint)) : undefined;
}

function isWithin(value: Json | undefined, highest: number): value is number {
  return typeof value === 'number' && 0 <= value && value <= highest;
}
