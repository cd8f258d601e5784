import type { TextRange } from '../../core/finding.js';
import type { QuickFix } from './quickFix.js';
import { textFix } from './support.js';

/** Removes a comment together with its line, if it is alone on it, or with the space before it. */
export const jsonComment: QuickFix = {
  code: 'json-comment',
  fixes: ({ range }, context) => [
    textFix(context, 'Remove the comment', () => [{ ...withSpace(context.document.text, range), text: '' }], true),
  ],
};

function withSpace(text: string, { start, end }: TextRange): TextRange {
  let before = start;
  while (text[before - 1] === ' ' || text[before - 1] === '\t') before -= 1;
  let behind = end;
  while (text[behind] === ' ' || text[behind] === '\t') behind += 1;
  const beginsLine = before === 0 || isLineEnd(text[before - 1]);
  const endsLine = behind >= text.length || isLineEnd(text[behind]);
  if (beginsLine && endsLine) {
    if (text.startsWith('\r\n', behind)) return { start: before, end: behind + 2 };
    return { start: before, end: Math.min(behind + 1, text.length) };
  }
  // Between two tokens the space on one side stays.
  return endsLine ? { start: before, end: behind } : { start, end: behind };
}

function isLineEnd(unit: string | undefined): boolean {
  return unit === '\n' || unit === '\r';
}
