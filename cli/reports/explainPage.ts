import { type Json, segmentsOf } from '../../core/json.js';
import { coverField } from '../../core/secrets/secretPatterns.js';
import { originWords } from '../../core/snapshot/effectiveView.js';
import type { ExplainedLeaf } from '../../core/snapshot/explainValue.js';
import { visibleText } from '../../core/visibleText.js';
import { cutLine } from '../terminal/fold.js';
import type { Styles } from '../terminal/styles.js';

/** Which layer gave a value, and what the layers below set, the highest first. */
export function explainPage(leaves: readonly ExplainedLeaf[], { bold, cyan, dim }: Styles, columns: number): string {
  const lines: string[] = [];
  for (const { pointer, value, origin, layers } of leaves) {
    if (lines.length > 0) lines.push('');
    lines.push(`${bold(cutLine(pointer, columns))} ${valueText(value, pointer, columns)}`);
    lines.push(origin === null ? `  ${dim('of the snapshot itself')}` : `  ${cyan(place(origin))}`);
    // The one that decided has been told.
    const others = layers.filter(({ file, layer }) => file !== origin?.file || layer !== origin.layer).reverse();
    for (const word of others) {
      const text = word.value === null ? 'null, which removes the value of lower layers' : valueText(word.value, pointer, columns);
      lines.push(`  ${dim(`${place(word)} says ${text}`)}`);
    }
  }
  return lines.join('\n');
}

function place(origin: NonNullable<ExplainedLeaf['origin']>): string {
  return visibleText(`${originWords(origin)}${origin.file === null ? '' : `, ${origin.pointer}`}`);
}

function valueText(value: Json, pointer: string, columns: number): string {
  const key = segmentsOf(pointer).findLast((segment) => !/^\d+$/.test(segment));
  return cutLine(JSON.stringify(typeof value === 'string' ? coverField(value, key) : value), Math.max(20, columns - 30));
}
