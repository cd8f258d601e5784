import { createEvalWords } from '../../../core/eval/report/evalWords.js';
import { evalPage } from '../../../core/eval/report/page/evalPage.js';
import { escapeHtml, toHtml } from '../../../core/eval/report/page/pageElement.js';
import { readLines } from '../../../core/eval/report/readLines.js';
import type { EvalReport } from '../../../core/generated/types.js';
import type { ReportContext } from './types.js';

/** One page without scripts and without anything from elsewhere: failures first, each case opens by mouse and keyboard, and all print open. */
export async function htmlReport(report: EvalReport, { project }: ReportContext): Promise<string> {
  const lineOf = await readLines(report, project);
  const words = createEvalWords();
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeHtml(`${words.t('Eval')} ${words.titleWord(report)}`)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    toHtml(evalPage(report, { words, lineOf })),
    '</body>',
    '</html>',
  ].join('\n');
}

/** Colours have a contrast of at least 4.5 to 1 on their background, in both themes. */
const style = `
:root {
  color-scheme: light dark;
  --text: #1f2328; --back: #ffffff; --line: #d0d7de; --soft: #f6f8fa;
  --good: #116329; --bad: #a40e26; --open: #7d4e00; --mark: #0550ae;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6edf3; --back: #0d1117; --line: #3d444d; --soft: #161b22;
    --good: #56d364; --bad: #ff7b72; --open: #e3b341; --mark: #79c0ff;
  }
}
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 70rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 0.9rem; margin: 0.8rem 0 0.2rem; }
.scroll { overflow-x: auto; }
.scroll:focus-visible, summary:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; }
th, td {
  border-bottom: 1px solid var(--line); padding: 0.4rem 0.6rem; text-align: left;
  vertical-align: top; overflow-wrap: anywhere; font-weight: normal;
}
thead th { font-weight: 600; } tbody th { width: 50%; } td { min-width: 9rem; }
.passed { color: var(--good); } .failed { color: var(--bad); font-weight: 600; } .unknown { color: var(--open); font-weight: 600; }
.note { border-left: 4px solid var(--open); background: var(--soft); padding: 0.6rem 1rem; font-weight: 600; }
summary { cursor: pointer; }
ul { padding-left: 1.2rem; margin: 0.3rem 0; }
pre { background: var(--soft); border: 1px solid var(--line); padding: 0.5rem; white-space: pre-wrap; margin: 0; font-size: 0.85rem; }
del { color: var(--bad); text-decoration: none; } ins { color: var(--good); text-decoration: none; }
.bar {
  display: block; width: 8rem; height: 0.7rem; margin-top: 0.4rem;
}
.all { fill: var(--line); } .range { fill: var(--mark); opacity: 0.55; } .mark { fill: var(--text); }
@media (forced-colors: active) {
  .all { fill: Canvas; stroke: CanvasText; } .range { fill: Highlight; } .mark { fill: CanvasText; }
  .bar { forced-color-adjust: none; }
}
@media print {
  :root {
    color-scheme: light;
    --text: #000; --back: #fff; --line: #d0d7de; --soft: #f6f8fa;
    --good: #116329; --bad: #a40e26; --open: #7d4e00; --mark: #0550ae;
  }
  body { font-size: 11pt; }
  tr, pre { break-inside: avoid; }
  .scroll { overflow: visible; } .bar rect { print-color-adjust: exact; }
}
`;
