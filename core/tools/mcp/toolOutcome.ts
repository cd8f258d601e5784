import { isObject, type Json, type JsonObject, listOf } from '../../json.js';
import type { SourceDocument, ToolHints, ToolOutcome } from '../types.js';

/** Key of hints for the loop in the `_meta` of a result. */
export const hintsKey = 'agent-stack/hints';

/**
 * The answer to `tools/call`, for the model and for the trace. Texts are passed on; images, sounds and files are described in words.
 * Structured content is the `value`, and is also sent to the model if there is no text; without it, the `value` is the blocks, if any is not text.
 * Embedded texts are documents of the run. Nothing in it is trusted: parts without the documented form are left out.
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

/** The answer to `resources/read`. */
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

/** The answer to `prompts/get`, one paragraph per message. */
export function toPromptOutcome({ description, messages }: JsonObject): ToolOutcome {
  const parts = listOf(messages).filter(isObject);
  const texts = parts.map(({ role, content }) => {
    const blocks = (Array.isArray(content) ? (content as readonly Json[]) : [content ?? null]).filter(isObject);
    return `[${role === 'assistant' ? 'assistant' : 'user'}]\n${blocks.map(inWords).join('\n')}`;
  });
  return { content: [...(typeof description === 'string' ? [description] : []), ...texts].join('\n\n') || 'The prompt is empty.' };
}

/** Whether the server also sends its data as text, as the protocol requires. */
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

/** Size of the data in a Base64 text. */
function sizeOf(base64: Json | undefined): string {
  const digits = typeof base64 === 'string' ? base64.length - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0) : 0;
  const bytes = Math.floor((digits * 3) / 4);
  return bytes < 1024
    ? `${bytes} bytes`
    : bytes < 1024 * 1024
      ? `${(bytes / 1024).toFixed(1)} KB`
      : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function word(value: Json | undefined, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback;
}

const qualities = ['high', 'medium', 'low', 'unknown'] as const;
/** Most texts in a hint, and the longest text, in characters. */
const mostHints = 20;
const longestHint = 500;
/** A day, in ms. */
const longestValidity = 24 * 60 * 60 * 1000;

function toHints(meta: Json | undefined): ToolHints | undefined {
  if (!isObject(meta)) return undefined;
  const { source_quality, validity_period_ms, estimated_impact } = meta;
  const quality = qualities.find((name) => name === source_quality);
  const risk_factors = toTexts(meta.risk_factors);
  const dependencies = toTexts(meta.dependencies);
  const hints: ToolHints = {
    ...(quality && { source_quality: quality }),
    ...(isWithin(validity_period_ms, longestValidity) && { validity_period_ms }),
    ...(risk_factors && { risk_factors }),
    ...(dependencies && { dependencies }),
    ...(isWithin(estimated_impact, 1) && { estimated_impact }),
  };
  return Object.keys(hints).length > 0 ? hints : undefined;
}

function toTexts(list: Json | undefined): readonly string[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const texts = (list as readonly Json[]).filter((item) => typeof item === 'string').slice(0, mostHints);
  return texts.length > 0 ? texts.map((text) => text.slice(0, longestHint)) : undefined;
}

function isWithin(value: Json | undefined, highest: number): value is number {
  return typeof value === 'number' && 0 <= value && value <= highest;
}
