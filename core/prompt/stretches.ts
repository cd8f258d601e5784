import type { ComposedPrompt, SourceSpan } from './types.js';

/** A span as it is looked at: texts of several lines are cut into lines, each with the line breaks that end it. */
export interface Stretch extends SourceSpan {
  /** Where its text begins in all that its place gave, in UTF-16 units: of a template that is the template without its `{{paths}}`. */
  readonly offset: number;
}

/** The stretches of all messages, in order; like spans they cover every unit exactly once. */
export function stretchesOf({ messages, source_map }: Pick<ComposedPrompt, 'messages' | 'source_map'>): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let inTemplate = 0;
  for (const span of source_map) {
    const isTemplate = span.pointer === '/template' && span.file !== null;
    const before = isTemplate ? inTemplate : 0;
    if (isTemplate) inTemplate += span.end - span.start;
    if (span.layer === 'fixed' || span.layer === 'input') {
      stretches.push({ ...span, offset: before });
      continue;
    }
    const content = messages[span.message]?.content ?? '';
    for (let start = span.start; start < span.end; ) {
      const end = lineEnd(content, start, span.end);
      stretches.push({ ...span, start, end, offset: before + start - span.start });
      start = end;
    }
  }
  return stretches;
}

/** After the line that begins at `start` and the empty lines below it. */
function lineEnd(content: string, start: number, last: number): number {
  let end = content.indexOf('\n', start);
  if (end < 0 || end >= last) return last;
  while (end < last && content[end] === '\n') end += 1;
  return end;
}
