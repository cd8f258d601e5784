import type { CaseReport, EvalReport, SuiteReport } from '../../../core/eval/report/evalReport.js';
import { visibleLines, visibleText } from '../../../core/visibleText.js';
import type { ReportContext } from './index.js';
import { type LineOf, readLines } from './places.js';
import { caseRate, comparisonSentence, outcomeWord, suiteName, suiteSentences, titleWord, totalsSentence, warnings } from './words.js';

/** One page without scripts and without anything from elsewhere: failures first, each case opens by mouse and keyboard, and all print open. */
export async function htmlReport(report: EvalReport, { project }: ReportContext): Promise<string> {
  const lineOf = await readLines(report, project);
  const title = titleWord(report);
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>Eval ${title}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<main>',
    `<h1>Eval <span class="${report.simulated ? 'unknown' : report.outcome}">${title}</span></h1>`,
    ...warnings(report).map((warning) => `<p class="note" role="note">${escaped(warning)}</p>`),
    `<p>${escaped(`${totalsSentence(report)}. Started ${report.started}.`)}</p>`,
    ...report.suites.flatMap((suite) => suiteLines(suite, lineOf)),
    ...(report.comparisons.length === 0 ? [] : ['<h2>Compared</h2>', '<ul>']),
    ...report.comparisons.map((one) => `<li>${escaped(comparisonSentence(one))}</li>`),
    ...(report.comparisons.length === 0 ? [] : ['</ul>']),
    '</main>',
    '</body>',
    '</html>',
  ].join('\n');
}

function suiteLines(suite: SuiteReport, lineOf: LineOf): string[] {
  const model = suite.simulated ? ' (simulated)' : suite.model_name === null ? '' : ` (${suite.model_name})`;
  const order = { failed: 0, unknown: 1, passed: 2 };
  const cases = suite.cases.toSorted((a, b) => order[a.outcome] - order[b.outcome]);
  const sentences = suiteSentences(suite).join(' ');
  return [
    `<h2>${escaped(`${suiteName(suite)}${model}`)}</h2>`,
    ...(sentences === '' ? [] : [`<p>${escaped(sentences)}</p>`]),
    '<table>',
    '<thead><tr><th scope="col">Outcome</th><th scope="col">Case</th><th scope="col">Runs</th><th scope="col">Interval</th></tr></thead>',
    '<tbody>',
    ...cases.map(
      (one) =>
        `<tr><td class="${suite.simulated ? 'unknown' : one.outcome}">${outcomeWord(one.outcome, suite)}</td><td>${caseCell(one, lineOf)}</td><td>${escaped(caseRate(one))}</td><td>${bar(one)}</td></tr>`,
    ),
    '</tbody>',
    '</table>',
  ];
}

function caseCell(one: CaseReport, lineOf: LineOf): string {
  if (one.outcome === 'passed') return escaped(one.name);
  const reasons = one.reasons.map(
    ({ pointer, reason, repeats }) =>
      `<li><code>${escaped(`${one.file}:${lineOf(one.file, pointer)}`)}</code> ${escaped(reason)}${one.repeats > 1 ? ` (${repeats} of ${one.repeats} runs)` : ''}</li>`,
  );
  const texts = [
    ...(one.answer === undefined ? [] : [`<h3>Answer</h3><pre>${pretty(one.answer)}</pre>`]),
    ...(one.expected === undefined ? [] : [`<h3>Expected</h3><pre>${pretty(one.expected)}</pre>`]),
  ];
  return `<details open><summary>${escaped(one.name)}</summary><ul>${reasons.join('')}</ul>${texts.join('')}</details>`;
}

/** The interval as a bar from 0 to 100 %. The words beside it say the same. */
function bar({ interval, passes, judged }: CaseReport): string {
  if (interval === null) return '';
  const [low, high, rate] = [interval.low, interval.high, passes / judged].map((share) => (share * 100).toFixed(1));
  const width = (Number(high) - Number(low)).toFixed(1);
  return `<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="all" width="100" height="10"/><rect class="range" x="${low}" width="${width}" height="10"/><rect class="rate" x="${Math.min(98, Number(rate))}" width="2" height="10"/></svg>`;
}

function pretty(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return visibleLines(text).replace(/[&<>"']/g, entity);
}

function escaped(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, entity);
}

function entity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

/** Colours have a contrast of at least 4.5 to 1 on their background, in both themes. */
const style = `
:root { color-scheme: light dark; --text: #1f2328; --back: #ffffff; --line: #d0d7de; --soft: #f6f8fa; --good: #116329; --bad: #a40e26; --open: #7d4e00; --mark: #0550ae; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --back: #0d1117; --line: #3d444d; --soft: #161b22; --good: #56d364; --bad: #ff7b72; --open: #e3b341; --mark: #79c0ff; } }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 70rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 0.9rem; margin: 0.8rem 0 0.2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 0.4rem 0.6rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
td:nth-child(2) { width: 50%; }
.passed { color: var(--good); } .failed { color: var(--bad); font-weight: 600; } .unknown { color: var(--open); font-weight: 600; }
.note { border-left: 4px solid var(--open); background: var(--soft); padding: 0.6rem 1rem; font-weight: 600; }
summary { cursor: pointer; } summary:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
ul { padding-left: 1.2rem; margin: 0.3rem 0; }
pre { background: var(--soft); border: 1px solid var(--line); padding: 0.5rem; white-space: pre-wrap; margin: 0; font-size: 0.85rem; }
.bar { display: block; width: 8rem; height: 0.7rem; margin-top: 0.4rem; } .all { fill: var(--soft); } .range { fill: var(--mark); opacity: 0.45; } .rate { fill: var(--text); }
@media print { :root { color-scheme: light; --text: #000; --back: #fff; --line: #d0d7de; --soft: #f6f8fa; --good: #116329; --bad: #a40e26; --open: #7d4e00; --mark: #0550ae; } body { font-size: 11pt; } tr, pre { break-inside: avoid; } .bar rect { print-color-adjust: exact; } }
`;
