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
      const [before, after] = sideTexts(change, Math.max(20, columns - 40));
      if (before !== undefined) lines.push(`    ${red(`- ${before}`)}${from(change, 'origin_before')}`);
      if (after !== undefined) lines.push(`    ${green(`+ ${after}`)}${from(change, 'origin_after')}`);
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

/** Characters before the first difference that are shown of two long texts. */
const lead = 20;

/** Both sides, cut to what fits. Two texts that begin alike are cut there too, so that what differs is seen. */
function sideTexts({ before, after }: LeafChange, room: number): readonly (string | undefined)[] {
  const texts = [before, after].map((value) => (value === undefined ? undefined : JSON.stringify(value)));
  const [left, right] = texts;
  let from = 0;
  if (left !== undefined && right !== undefined && Math.max(left.length, right.length) > room) {
    while (from < left.length && left[from] === right[from]) from += 1;
    from = Math.max(0, from - lead);
  }
  return texts.map((text) => text && cutLine(`${from === 0 ? '' : '…'}${text.slice(from)}`, room));
}
