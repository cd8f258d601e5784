import type { JsonObject } from '../../../core/json.js';
import { textAt } from '../../../core/run/untrusted.js';
import type { ViewSource } from './messages.js';
import type { Texts } from './texts.js';

/** A document of `source_documents` as the page shows it. */
export function toSource(source: JsonObject, texts: Texts): ViewSource {
  const id = textAt(source, 'id') ?? '';
  const text = textAt(source, 'text') ?? '';
  return {
    id,
    title: textAt(source, 'title') ?? id,
    isLinked: linkOfSource(source) !== null,
    text: text === '' ? null : texts.add(text),
  };
}

/** Where a document is: its address in the web, or else what may be a path of the project; null for neither. */
export function linkOfSource(source: JsonObject): string | null {
  const uri = textAt(source, 'uri');
  if (uri !== null && /^https?:\/\//.test(uri)) return uri;
  const id = textAt(source, 'id') ?? '';
  return /^[^\s:\\]+\.\w+$/.test(id) && !id.startsWith('/') && !id.split('/').includes('..') ? id : null;
}
