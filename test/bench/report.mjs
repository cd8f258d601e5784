// What every benchmark speaks: rows of ours against a peer, with the target beside it. A missed target is printed as missed.

export function median(values) {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Ours divided by the peer's, judged against `{atMost}` or `{atLeast}`; with neither it is there for comparison only. */
export function ratioRow(name, ours, peer, target) {
  const ratio = ours / peer;
  return {
    name,
    ours: format(ours),
    peer: format(peer),
    ratio: `${ratio.toFixed(2)}x`,
    target: describe(target, 'x'),
    met: meets(ratio, target),
  };
}

/** A plain number with a unit, judged against `{atMost}` or `{atLeast}`. */
export function valueRow(name, value, unit, target) {
  return { name, ours: `${format(value)} ${unit}`, peer: '', ratio: '', target: describe(target, ` ${unit}`), met: meets(value, target) };
}

export function toMarkdown({ title, rows, notes = [] }) {
  const lines = [`## ${title}`, '', '| what | ours | peer | ratio | target | |', '|---|---|---|---|---|---|'];
  for (const { name, ours, peer, ratio, target, met } of rows)
    lines.push(`| ${name} | ${ours} | ${peer} | ${ratio} | ${target} | ${target === '' ? '' : met ? 'met' : '**missed**'} |`);
  if (notes.length > 0) lines.push('', ...notes);
  return `${lines.join('\n')}\n`;
}

function meets(value, { atMost, atLeast }) {
  return (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast);
}

function describe({ atMost, atLeast }, unit) {
  return atMost !== undefined ? `at most ${atMost}${unit}` : atLeast !== undefined ? `at least ${atLeast}${unit}` : '';
}

function format(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
