import type { ChatBody } from './sdk.js';

/**
 * Writes request bodies as JSON. Tools and response format are most of a small request and the same in every one of an agent: their texts
 * are kept for as long as they are, where nobody can change them (deeply frozen, as an effective config is).
 */
export function createRequestWriter(): (body: ChatBody) => string {
  const texts = new WeakMap<object, string>();

  const textOf = (part: object | null | undefined): string | undefined => {
    if (part === undefined || part === null) return undefined;
    const known = texts.get(part);
    if (known !== undefined || !isDeeplyFrozen(part)) return known;
    const text = JSON.stringify(part);
    texts.set(part, text);
    return text;
  };
  return (body) => {
    const tools = textOf(body.tools);
    const format = textOf(body.response_format);
    if (tools === undefined && format === undefined) return JSON.stringify(body);
    const rest: Partial<ChatBody> = { ...body };
    if (tools !== undefined) delete rest.tools;
    if (format !== undefined) delete rest.response_format;
    // The rest is never empty: every request names a model.
    let text = JSON.stringify(rest).slice(0, -1);
    if (tools !== undefined) text += `,"tools":${tools}`;
    if (format !== undefined) text += `,"response_format":${format}`;
    return `${text}}`;
  };
}

function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}
