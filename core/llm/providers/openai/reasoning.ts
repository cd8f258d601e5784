import { isObject, type Json, type JsonObject } from '../../../json.js';

/**
 * The thoughts in a message or a delta. The format has no field for them; servers use `reasoning_content` or `reasoning`
 * (some both, with the same text), or add parts of type `thinking` to the content.
 */
export function thoughtIn({ reasoning_content, reasoning, content }: JsonObject): string {
  for (const thought of [reasoning_content, reasoning]) if (typeof thought === 'string' && thought !== '') return thought;
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
