import type { ChatBody } from './sdk.js';

/**
 * Writes request bodies as JSON. The response format is most of a small request and the same in every one of an agent: its text is kept
 * for as long as the format itself, where nobody can change it (deeply frozen, as an effective config is).
 */
export function createRequestWriter(): (body: ChatBody) => string {
  const texts = new WeakMap<object, string>();

  const textOf = (format: object): string | undefined => {
    const known = texts.get(format);
    if (known !== undefined || !isDeeplyFrozen(format)) return known;
    const text = JSON.stringify(format);
    texts.set(format, text);
    return text;
  };
  return (body) => {
    const { response_format, ...rest } = body;
    const text = response_format && textOf(response_format);
    // The rest is never empty: every request names a model.
    return text === undefined ? JSON.stringify(body) : `${JSON.stringify(rest).slice(0, -1)},"response_format":${text}}`;
  };
}

function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}
