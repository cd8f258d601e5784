import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textReport } from '../../cli/reports/text.js';
import { createStyles } from '../../cli/terminal/styles.js';
import type { PlacedFinding, Severity } from '../../core/finding.js';
import { ruleCodes } from '../../core/ruleCodes.js';

// The problem matcher of package.json against what `check` prints.

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
const [matcher] = manifest.contributes.problemMatchers;
const [pattern] = matcher.pattern;

const text = '{\n  "system_text": "config/a.json:1:2 error schema planted",\n  "mode": "Choser"\n}\n';

const finding = (code: string, severity: Severity, file: string): PlacedFinding =>
  ({
    code,
    severity,
    file,
    message: `Something (${severity}): 3 of 4 is "wrong" at 7:8.`,
    pointer: '/mode',
    range: { start: text.indexOf('"Choser"'), end: text.indexOf('"Choser"') + 8 },
    line: 3,
    column: 11,
    end_line: 3,
    end_column: 19,
    related: [{ file, pointer: '/x', message: 'error schema here', line: 1, column: 1 }],
  }) as PlacedFinding;

async function matchesIn(findings: readonly PlacedFinding[]) {
  const options = { styles: createStyles('plain'), columns: 100, pathOf: (file: string) => file, textOf: async () => text };
  const lines: string[] = [];
  for await (const part of textReport({ findings }, options)) lines.push(...part.split('\n'));
  const expression = new RegExp(pattern.regexp);
  return lines.flatMap((line) => {
    const found = expression.exec(line);
    return found
      ? [
          {
            file: found[pattern.file],
            line: found[pattern.line],
            column: found[pattern.column],
            severity: found[pattern.severity],
            code: found[pattern.code],
            message: found[pattern.message],
          },
        ]
      : [];
  });
}

test('every finding is one problem, and neither its code nor its related places are another', async () => {
  const severities: readonly Severity[] = ['error', 'warning', 'info', 'hint'];
  const findings = ruleCodes.map((code, index) => finding(code, severities[index % 4]!, 'config/agents/A2/v1.json'));
  expect(await matchesIn(findings)).toEqual(
    findings.map(({ file, code, severity, message }) => ({ file, line: '3', column: '11', severity, code, message })),
  );
});

test.each(['config/agents/With space/v1.json', 'C:\\agents\\config\\llms\\x.json', '../other/config/llms/12:3.json'])(
  'finds the file %s',
  async (file) => {
    expect((await matchesIn([finding('schema', 'error', file)])).map((match) => match.file)).toEqual([file]);
  },
);

test('findings of open files are left to the language server', () => {
  expect(matcher).toMatchObject({
    applyTo: 'closedDocuments',
    owner: 'agentstack-check',
    fileLocation: ['relative', '${workspaceFolder}'],
  });
});
