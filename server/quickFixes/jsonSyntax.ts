import type { TextRange } from '../../core/finding.js';
import { applyReplacements, type TextReplacement } from '../../core/jsonText/jsonEdit.js';
import { findSyntaxFaults } from '../../core/jsonText/syntaxFaults.js';
import type { SyntaxFault } from '../../core/jsonText/types.js';
import type { QuickFix } from './quickFix.js';
import { textFix } from './support.js';
import { type SyntaxRepair, syntaxRepairs } from './syntaxRepairs.js';

/** Repairs a syntax fault. A repair is offered only if the fault is gone when it is tried. */
export const jsonSyntax: QuickFix = {
  code: 'json-syntax',
  fixes({ range, message }, context) {
    const { text } = context.document;
    const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    const faults = context.file.syntax;
    const known = faults.filter((fault) => fault.range.start < range.end).length;
    const heals = ({ replacements }: SyntaxRepair) => {
      const repaired = applyReplacements(text, replacements);
      const left = findSyntaxFaults(repaired, start);
      const end = shifted(range, replacements);
      return left.length === 0 || left.filter((fault) => fault.range.start < end).length < known;
    };
    return syntaxRepairs({ text, range, message })
      .filter(heals)
      .slice(0, 2)
      .map(({ title, replacements, isPlain }) => textFix(context, title, () => replacements, isPlain));
  },
};

/**
 * The unambiguous repairs of all faults. They are tried together, so that a file with many faults is not parsed once for each; empty when the
 * first fault would remain.
 */
export function plainRepairs(text: string, faults: readonly SyntaxFault[]): readonly TextReplacement[] {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const taken: TextReplacement[] = [];
  for (const { code, range, message } of faults) {
    if (code !== 'json-syntax') continue;
    const [repair] = syntaxRepairs({ text, range, message });
    if (repair?.isPlain !== true) continue;
    const isFree = repair.replacements.every((edit) => taken.every((other) => edit.end < other.start || other.end < edit.start));
    if (isFree) taken.push(...repair.replacements);
  }
  if (taken.length === 0) return [];
  const [first] = findSyntaxFaults(applyReplacements(text, taken), start).filter(({ code }) => code === 'json-syntax');
  const last = faults.at(-1)?.range ?? { start: 0, end: 0 };
  return first === undefined || first.range.start > shifted(last, taken) ? taken.sort((left, right) => left.start - right.start) : [];
}

/** The end of a range after replacements. */
function shifted({ start, end }: TextRange, replacements: readonly TextReplacement[]): number {
  let moved = end;
  for (const edit of replacements) if (edit.start <= start) moved += edit.text.length - (edit.end - edit.start);
  return moved;
}
