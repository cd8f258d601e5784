import { escapeMarkup } from '../../../core/escape.js';
import { type LineOf, readLines } from '../../../core/eval/report/readLines.js';
import type { CaseReport, EvalReport, OutcomeCounts, SuiteReport } from '../../../core/generated/types.js';
import { visibleLines } from '../../../core/visibleText.js';
import type { ReportContext } from './types.js';
import {
  baselineNote,
  baselineSentences,
  baselineTitle,
  caseRate,
  comparisonParts,
  comparisonSentence,
  suiteName,
  suiteSentences,
  warnings,
} from './words.js';

/** JUnit XML as Jenkins, GitLab and their like read it: a failed case is a `failure`, one that could not be judged an `error`. */
export async function junitReport(report: EvalReport, { project }: ReportContext): Promise<string> {
  const lineOf = await readLines(report, project);
  const seconds = report.suites.reduce((sum, suite) => sum + timeOf(suite), 0);
  const compared = report.baseline?.comparisons ?? [];
  const worse = compared.filter(({ pass_rate }) => pass_rate.verdict === 'worse').length;
  const counts = `tests="${report.cases.total + compared.length}" failures="${report.cases.failed + worse}" errors="${report.cases.unknown}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="agent-stack eval" ${counts} time="${seconds.toFixed(3)}">`,
    ...report.suites.flatMap((suite) =>
      suiteLines(suite, report, (file, pointer) => `${project.repositoryPath(file)}:${lineOf(file, pointer)}`),
    ),
    ...baselineLines(report),
    '</testsuites>',
  ].join('\n');
}

/** A separate suite: a pass rate that only got worse would fail the command, and none of its tests. */
function baselineLines({ baseline, started }: EvalReport): string[] {
  if (baseline === null) return [];
  const worse = baseline.comparisons.filter(({ pass_rate }) => pass_rate.verdict === 'worse');
  const title = quoted(baselineTitle(baseline));
  const cases = baseline.comparisons.map((comparison) => {
    const head = `    <testcase name=${quoted(suiteName({ ...comparison, llm: comparison.after }))} classname=${title} time="0.000"`;
    const message = comparisonParts(comparison);
    return worse.includes(comparison)
      ? `${head}><failure message=${quoted(message)} type="worse">${escaped(message)}</failure></testcase>`
      : `${head}/>`;
  });
  return [
    suiteHead(title, { total: cases.length, failed: worse.length, unknown: 0 }, 0, started),
    ...cases,
    `    <system-out>${escaped(baselineSentences({ baseline }).join('\n'))}</system-out>`,
    '  </testsuite>',
  ];
}

/** @param name quoted @param time seconds */
function suiteHead(name: string, { total, failed, unknown }: Omit<OutcomeCounts, 'passed'>, time: number, started: string): string {
  const counts = `tests="${total}" failures="${failed}" errors="${unknown}" skipped="0"`;
  return `  <testsuite name=${name} ${counts} time="${time.toFixed(3)}" timestamp=${quoted(started.slice(0, 19))}>`;
}

type PlaceOf = (...place: Parameters<LineOf>) => string;

function suiteLines(suite: SuiteReport, report: EvalReport, placeOf: PlaceOf): string[] {
  const { counts } = suite;
  // What is compared with another version or profile is told where it ran.
  const compared = report.comparisons.filter((comparison) => suiteName({ ...comparison, llm: comparison.after }) === suiteName(suite));
  const output = [...warnings(report), ...suiteSentences(suite), ...compared.map(comparisonSentence)].join('\n');
  return [
    suiteHead(quoted(`${suiteName(suite)}${suite.replayed ? ' (replayed)' : ''}`), counts, timeOf(suite), report.started),
    ...suite.cases.flatMap((tested) => caseLines(tested, suite, placeOf)),
    `    <system-out>${escaped(output)}</system-out>`,
    '  </testsuite>',
  ];
}

function caseLines(tested: CaseReport, suite: SuiteReport, placeOf: PlaceOf): string[] {
  const head = `    <testcase name=${quoted(tested.name)} classname=${quoted(suiteName(suite))} time="${secondsOf(tested).toFixed(3)}"`;
  const note = baselineNote(tested);
  const output = note === '' ? [] : [`      <system-out>${escaped(note)}</system-out>`];
  if (tested.outcome === 'passed') return output.length === 0 ? [`${head}/>`] : [`${head}>`, ...output, '    </testcase>'];
  const tag = tested.outcome === 'failed' ? 'failure' : 'error';
  const reasons = tested.reasons.map(({ pointer, reason }) => `${placeOf(tested.file, pointer)} ${reason}`);
  const message = tested.reasons[0]?.reason ?? '';
  return [
    `${head}>`,
    `      <${tag} message=${quoted(message)} type=${quoted(tested.outcome)}>${escaped([caseRate(tested), ...reasons].join('\n'))}</${tag}>`,
    ...output,
    '    </testcase>',
  ];
}

function timeOf({ cases }: SuiteReport): number {
  return cases.reduce((sum, tested) => sum + secondsOf(tested), 0);
}

function secondsOf({ runs }: CaseReport): number {
  return runs.reduce((sum, { latency_ms }) => sum + latency_ms, 0) / 1000;
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`;
}

/** Control characters and lone surrogates are not allowed in XML at all; they and what would be invisible are spelled out, others are replaced. */
function escaped(text: string): string {
  return escapeMarkup(visibleLines(text).replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd'));
}
