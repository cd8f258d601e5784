/** From core/ruleCodes.ts: the list of rules, each in the file that is named like its code, and the table of docs/rules/README.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function ruleCodesIn(root) {
  const text = readFileSync(join(root, 'core/ruleCodes.ts'), 'utf8');
  return [...text.matchAll(/^ {2}'([a-z-]+)',$/gm)].map(([, code]) => code);
}

export function rulesOf(codes) {
  const named = codes.map((code) => code.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()));
  return `// Made by scripts/generate.mjs from core/ruleCodes.ts. Add the code there, not here.
${named.map((name) => `import { ${name} } from '../rules/${name}.js';`).join('\n')}
import type { Rule } from '../rules/rule.js';

/** Every rule there is, in the order of its code. */
export const rules: readonly Rule[] = [
${named.map((name) => `  ${name},`).join('\n')}
];
`;
}

/** The page with a row for each rule, as its own page has it; a rule without a page yet has no row. */
export function ruleTableOf(root, codes) {
  const page = readFileSync(join(root, 'docs/rules/README.md'), 'utf8');
  const toolCodes = readdirSync(join(root, 'docs/rules'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(join(root, 'docs/rules', name)).map((file) => `${name}/${file.replace('.md', '')}`));
  const rows = rowsOf(root, codes);
  const toolRows = rowsOf(root, toolCodes.sort());
  const [own, others] = page.split('## Files of other tools');
  const withRows = (some) => (text) => text.replace(/(?:^\| \[.*\n)+/m, `${some.join('\n')}\n`);
  return `${withRows(rows)(own)}## Files of other tools${withRows(toolRows)(others)}`;
}

function rowsOf(root, codes) {
  return codes.flatMap((code) => {
    try {
      const [, summary = '', severity = ''] = readFileSync(join(root, `docs/rules/${code}.md`), 'utf8').split('\n\n');
      return `| [${code}](${code}.md) | ${severity.replace(/^Severity: (.*)\.$/, '$1')} | ${summary.replaceAll('\n', ' ')} |`;
    } catch {
      return [];
    }
  });
}
