import { isObject, type Json, type JsonObject } from '../../../json.js';

/**
 * What a message or a delta holds of a model's thoughts. The format has no field for them; servers say `reasoning_content` or `reasoning`
 * (some both, with the same text), or put parts of type `thinking` into the content.
 */
export function thoughtIn({ reasoning_content, reasoning, content }: JsonObject): string {
  for (const said of [reasoning_content, reasoning]) if (typeof said === 'string' && said !== '') return said;
  return Array.isArray(content) ? (content as readonly Json[]).map(thoughtOf).join('') : '';
}

function thoughtOf(part: Json): string {
  if (!isObject(part) || part.type !== 'thinking') return '';
  const { thinking } = part;
  if (typeof thinking === 'string') return thinking;
  return Array.isArray(thinking) ? (thinking as readonly Json[]).map(textOfPart).join('') : '';
}

function textOfPart(part: Json): string {
  return isObject(part) && typeof part.text === 'string' ? part.text : '';
}
