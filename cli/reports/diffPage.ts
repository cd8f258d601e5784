import type { Json } from '../../core/json.js';
import type { Origin } from '../../core/snapshot/effective.js';
import { originWords } from '../../core/snapshot/effectiveView.js';
import type { DiffCause, DiffGroup, LeafChange } from '../../core/snapshot/snapshotDiff.js';
import { visibleText } from '../../core/visibleText.js';
import { cutLine } from '../terminal/fold.js';
import type { Styles } from '../terminal/styles.js';

/** What differs between two snapshots, for people: what each file changed, and how. */
export function diffPage(groups: readonly DiffGroup[], { bold, dim, green, red }: Styles, columns: number): string {
  const lines: string[] = [];
  for (const { cause, file, layer, changes } of groups) {
    if (lines.length > 0) lines.push('');
    const origin = layer === null ? 'the snapshot itself' : originWords({ file, layer, pointer: '' });
    lines.push(`${bold(visibleText(origin))}: ${layer === null ? 'is another' : causes[cause]}`);
    for (const change of changes) {
      lines.push(`  ${cutLine(change.pointer, columns - 2)}`);
      if (change.before !== undefined) lines.push(`    ${red(`- ${sideText(change.before, columns)}`)}${from(change, 'origin_before')}`);
      if (change.after !== undefined) lines.push(`    ${green(`+ ${sideText(change.after, columns)}`)}${from(change, 'origin_after')}`);
    }
  }
  return lines.join('\n');

  /** Where a side is written, where the heading does not say it already. */
  function from(change: LeafChange, side: 'origin_before' | 'origin_after'): string {
    const { origin_before, origin_after } = change;
    if (origin_before === null || origin_after === null || isSamePlace(origin_before, origin_after)) return '';
    return dim(`  (${visibleText(originWords(change[side] as Origin))})`);
  }
}

const causes: Readonly<Record<DiffCause, string>> = {
  value: 'says something else there, or a variable it names does',
  'other-file': 'takes the place of another file of its layer',
  'layer-wins': 'now sets the value, above the layer that did',
  'layer-gone': 'no longer sets the value, so a lower layer does',
  added: 'is new here',
  removed: 'is gone',
  order: 'lists the same in another order, which prompts follow',
};

function isSamePlace(left: Origin, right: Origin): boolean {
  return left.file === right.file && left.layer === right.layer;
}

function sideText(value: Json, columns: number): string {
  return cutLine(JSON.stringify(value), Math.max(20, columns - 40));
}
