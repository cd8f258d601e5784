import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../cli/terminal/markdown.js';
import { createStyles } from '../../cli/terminal/styles.js';
import { toolRuleFacts } from '../../core/otherTools/index.js';
import { ruleCodes } from '../../core/ruleCodes.js';
import { agentstack, repository, temporaryProject } from './command.js';

describe('explain', () => {
  test('prints the page of a rule, outside of any project', async () => {
    const { code, stdout, stderr } = await agentstack(['explain', 'enums-match-schema'], { cwd: temporaryProject({}) });
    expect(stdout).toMatch(/^enums-match-schema/);
    expect(stdout).not.toMatch(/^#|```/m);
    expect(stdout).toMatch(/^Fix$/m);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test('has a page for every rule, each with a summary and a way to fix it', async () => {
    const { stdout } = await agentstack(['explain', '--json'], { cwd: repository });
    const { rules } = JSON.parse(stdout) as { rules: { code: string; severity: string; summary: string }[] };
    expect(rules.map(({ code }) => code)).toEqual([...ruleCodes, ...toolRuleFacts.map(({ code }) => code)]);
    for (const { code, severity, summary } of rules) {
      expect(summary, code).toMatch(/\w/);
      expect(severity).toMatch(/^(error|warning|info|hint)$/);
      expect(readFileSync(join(repository, `docs/rules/${code}.md`), 'utf8'), code).toMatch(/^## Fix$/m);
    }
  });

  test('lists all rules, each on its own line', async () => {
    const { code, stdout } = await agentstack(['explain'], { cwd: repository });
    for (const rule of ruleCodes) expect(stdout).toMatch(new RegExp(`^${rule} +(error|warning|info|hint) +\\S`, 'm'));
    expect(code).toBe(0);
  });

  test('--json hands out the page as it is', async () => {
    const { stdout } = await agentstack(['explain', 'schema', '--json'], { cwd: repository });
    const page = readFileSync(join(repository, 'docs/rules/schema.md'), 'utf8');
    expect(JSON.parse(stdout)).toEqual({ code: 'schema', severity: 'error', summary: expect.any(String), page });
  });

  test.each([['enum-match-schema'], ['../../package'], ['']])('knows no rule %j', async (code) => {
    const ran = await agentstack(['explain', '--', code], { cwd: repository });
    expect(ran.stderr).toMatch(/^error: There is no rule /);
    if (code.startsWith('enum')) expect(ran.stderr).toContain('Did you mean "enums-match-schema"?');
    expect(ran.stdout).toBe('');
    expect(ran.code).toBe(2);
  });
});

describe('markdown for terminals', () => {
  const render = (markdown: string, columns = 40) => renderMarkdown(markdown, createStyles('plain'), columns);

  test('drops the marks, indents code, wraps text and lists', () =>
    expect(
      render(`# Title

A paragraph with \`code\`, **strong** words and a [link](other.md) that is longer
than one line.

- one item that is longer than the line it stands on
- two

1. first

\`\`\`json
{ "a": "this line of code is never wrapped, however long" }
\`\`\`

| a | b |
|---|---|
| 1 | 2 |
`),
    ).toBe(`Title

A paragraph with code, strong words and
a link that is longer than one line.

- one item that is longer than the line
  it stands on
- two

1. first

    { "a": "this line of code is never wrapped, however long" }

| a | b |
|---|---|
| 1 | 2 |`));

  test('survives a fence that never closes and an empty page', () => {
    expect(render('```\ncode')).toBe('    code');
    expect(render('')).toBe('');
  });

  test('colours code and headings, also where a line breaks inside', () => {
    const styles = { ...createStyles('plain'), cyan: (text: string) => `<${text}>`, bold: (text: string) => `{${text}}` };
    expect(renderMarkdown('# T\n\nsome `code that breaks` here', styles, 16)).toBe('{T}\n\nsome <code that>\n<breaks> here');
  });
});
