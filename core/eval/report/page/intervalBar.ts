import type { CaseReport } from '../evalReport.js';
import { h, type PageElement } from './pageElement.js';

/** The interval as a bar from 0 to 100 %, with a line at the rate; nothing where there is none. The words beside it say the same. */
export function intervalBar({ interval, passes, judged }: CaseReport): readonly PageElement[] {
  if (interval === null) return [];
  const share = (value: number) => Number((value * 100).toFixed(1));
  const [low, high, rate] = [share(interval.low), share(interval.high), share(passes / judged)];
  return [
    h(
      'svg',
      { class: 'bar', viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      h('rect', { class: 'all', width: 100, height: 10 }),
      h('rect', { class: 'range', x: low, width: Number((high - low).toFixed(1)), height: 10 }),
      h('rect', { class: 'mark', x: Math.min(98, rate), width: 2, height: 10 }),
    ),
  ];
}
