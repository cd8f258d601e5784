import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { identifyFile } from '../../core/config/paths.js';
import { rules } from '../../core/generated/rules.js';
import { ruleCodes } from '../../core/ruleCodes.js';
import { isEnforced } from '../../core/rules/enforced.js';
import { findingsOf } from '../support/checkRule.js';

const folder = new URL('../../docs/rules/', import.meta.url);
const sections = ['What', 'Why', 'Wrong', 'Right', 'Fix'];

const words = { error: 'error', warning: 'warning', info: 'information', hint: 'hint' } as const;

function pageOf(code: string): string {
  return readFileSync(new URL(`${code}.md`, folder), 'utf8');
}

/** The text below a heading of the second level, up to the next. */
function sectionOf(page: string, name: string): string {
  const [, text = ''] = page.split(new RegExp(`^## ${name}$`, 'm'));
  return text.split(/^## /m)[0]!.trim();
}

/** The examples of a section as one fixture. A block's path stands after its language: "```json config/llms/x.json". */
function fixtureOf(section: string): string {
  const blocks = [...section.matchAll(/^```\w+(?: (.+))?\n([\s\S]*?)^```$/gm)];
  return blocks.map(([, path, text]) => (path === undefined ? text : `--- ${path}\n${text}`)).join('');
}

function summaryOf(page: string): string {
  return page.split('\n\n')[1]?.replaceAll('\n', ' ') ?? '';
}

test('every rule code has its rule and its page, and there are no others', () => {
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
  expect(rules.map(({ code }) => code)).toEqual([...ruleCodes]);
  expect(pages.toSorted()).toEqual(ruleCodes.map((code) => `${code}.md`).toSorted());
});

describe.each(rules.map((rule) => [rule.code, rule] as const))('the page of %s', (code, rule) => {
  test('has a title, a summary in one sentence, its severity and the five sections', () => {
    const page = pageOf(code);
    expect(page.split('\n')[0]).toBe(`# ${code}`);
    expect(summaryOf(page)).toMatch(/^[^#\n][^\n]*\.$/);
    expect(page).toContain(`\n\nSeverity: ${words[rule.severity]}.\n\n`);
    expect([...page.matchAll(/^## (.*)$/gm)].map(([, name]) => name)).toEqual(sections);
    for (const section of sections) expect(sectionOf(page, section)).not.toBe('');
  });

  test('shows a wrong example that yields the finding and a right one that does not', async () => {
    const page = pageOf(code);
    const wrong = fixtureOf(sectionOf(page, 'Wrong'));
    const right = fixtureOf(sectionOf(page, 'Right'));
    expect([wrong, right]).not.toContain('');
    const inWrong = await findingsOf(wrong, [code]);
    const inRight = await findingsOf(right, [code, 'json-syntax', 'schema']);
    expect(inWrong.map((finding) => finding.code)).toContain(code);
    expect(inRight.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  });
});

test('what a run refuses is told of the wrong examples though their rules are off, and nothing else is', async () => {
  for (const code of ruleCodes) {
    const wrong = fixtureOf(sectionOf(pageOf(code), 'Wrong'));
    if (wrong.includes('--- agentstack.json')) continue;
    const whole = wrong.startsWith('---') ? wrong : `--- config/agents/A2/v1.json\n${wrong}`;
    const on = await findingsOf(whole, [code]);
    const off = await findingsOf(`${whole}--- agentstack.json\n${JSON.stringify({ rules: { [code]: 'off' } })}\n`, [code]);
    const refused = on.filter((finding) => isEnforced(finding, identifyFile(finding.file, { config_dir: 'config' })?.kind ?? 'settings'));
    expect({ code, off: off.map(({ pointer }) => pointer) }).toEqual({ code, off: refused.map(({ pointer }) => pointer) });
  }
}, 60_000);

test('the index lists every rule with its severity and summary, in the order of the rules', () => {
  const rows = rules.map(({ code, severity }) => `| [${code}](${code}.md) | ${words[severity]} | ${summaryOf(pageOf(code))} |`);
  const table = pageOf('README')
    .split('## Files of other tools')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| ['));
  expect(table).toEqual(rows);
});
