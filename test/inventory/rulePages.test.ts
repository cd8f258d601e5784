import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { checkRepository } from '../../core/inventory/checkRepository.js';
import { toolRuleFacts, toolRules } from '../../core/otherTools/index.js';
import { memoryFiles } from '../support/memoryFiles.js';

const folder = new URL('../../docs/rules/', import.meta.url);
const words = { error: 'error', warning: 'warning', info: 'information', hint: 'hint' } as const;

function sectionOf(page: string, name: string): string {
  const [, text = ''] = page.split(new RegExp(`^## ${name}$`, 'm'));
  return text.split(/^## /m)[0]!.trim();
}

/** Rules whose wrong example would be longer than the page. */
const tooLong: ReadonlySet<string> = new Set(['a2a/card-large']);

/** A block's path stands after its language: "```json .mcp.json". */
async function codesIn(section: string): Promise<readonly string[]> {
  const blocks = [...section.matchAll(/^(`{3,})\w+ (.+)\n([\s\S]*?)^\1$/gm)];
  expect(blocks.length).toBeGreaterThan(0);
  const files = memoryFiles(Object.fromEntries(blocks.map(([, , path = '', text = '']) => [path, text])));
  const index = await loadProjectIndex(files, { bare: true });
  const { findings } = await checkRepository({ files, index, variables: { get: () => undefined } });
  return findings.map(({ code, message }) => (/could not judge/.test(message) ? message : code));
}

test('every rule for files of other tools has its page, and there are no others', () => {
  const tools = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const pages = tools.flatMap(({ name }) => readdirSync(new URL(`${name}/`, folder)).map((page) => `${name}/${page.replace('.md', '')}`));
  expect(pages.sort()).toEqual(toolRuleFacts.map(({ code }) => code).sort());
});

describe.each(toolRuleFacts.map((rule) => [rule.code, rule] as const))('the page of %s', (code, { severity }) => {
  const page = existsSync(new URL(`${code}.md`, folder)) ? readFileSync(new URL(`${code}.md`, folder), 'utf8') : '';

  test('has a title, a summary in one sentence, its severity, its sections and its source', () => {
    expect(page.split('\n')[0]).toBe(`# ${code}`);
    expect(page.split('\n\n')[1]).toMatch(/^[^#\n][^\n]*\.$/);
    expect(page).toContain(`\n\nSeverity: ${words[severity]}.\n\n`);
    const rule = toolRules.find((candidate) => candidate.code === code);
    const sections = ['What', 'Why', 'Wrong', 'Right', 'Fix', ...(rule === undefined ? [] : ['Source'])];
    expect([...page.matchAll(/^## (.*)$/gm)].map(([, name]) => name)).toEqual(sections);
    for (const section of sections) expect(sectionOf(page, section)).not.toBe('');
    if (rule !== undefined) for (const words of [rule.source.address, rule.source.date]) expect(sectionOf(page, 'Source')).toContain(words);
  });

  test('shows a wrong example that yields the finding and a right one that does not', async () => {
    if (!tooLong.has(code)) expect(await codesIn(sectionOf(page, 'Wrong'))).toContain(code);
    expect(await codesIn(sectionOf(page, 'Right'))).toEqual([]);
  });
});
