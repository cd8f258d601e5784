import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRuleContext } from '../../core/check/ruleContext.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { parseConfigFile } from '../../core/config/parseConfigFile.js';
import { identifyFile } from '../../core/config/paths.js';
import { createModelTable } from '../../core/llm/modelTable.js';
import { rules } from '../../core/rules/index.js';
import { isPlainText, textRules } from '../../core/rules/support/plainText.js';
import { memoryFiles } from '../support/memoryFiles.js';

/** Put together here, so that no scanner of this repository takes one for real. */
const pieces = [
  ['sk-', 'proj-aB3dE5gH7jK9mN1p'],
  ['ghp_', 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC3'],
  ['AKIA', 'QWERTYUIOP123456'],
  ['https://user:', 'hunter22@host'],
  ['-----BEGIN ', 'PRIVATE KEY-----\nMIIEvQIBADANBgkq'],
  ['\u200b'],
  ['\u00ad'],
  ['\u{e0041}'],
  ['${', 'HOME}'],
  ['$', '{x'],
  ['{{', 'input.x}}'],
  ['{{', 'x'],
  ['\\u0024{'],
  ['plain words, ', 'and more_of_them.'],
  ['/\\"'],
].map((parts) => parts.join(''));

const text = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 5 })), { maxLength: 4 }).map((parts) => parts.join(' '));
const written = fc.record({ key: text, value: text, escaped: fc.boolean(), broken: fc.boolean(), api_key: text });

test('the rules of a text say nothing about a plain one', async () => {
  const project = await loadProjectIndex(memoryFiles({}));
  const context = createRuleContext({ project, models: createModelTable(), variables: { get: () => undefined } });
  const path = 'config/llms/a.json';
  const identity = identifyFile(path, project.settings)!;
  const seen = { plain: 0, faulty: 0 };
  fc.assert(
    fc.property(written, ({ key, value, escaped, broken, api_key }) => {
      let json = JSON.stringify({ [key]: [value], api_key });
      if (escaped) json = json.replace(/[aks\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
      const file = parseConfigFile(path, broken ? `${json}}` : json, identity);
      const found: string[] = [];
      for (const rule of rules) {
        if (!textRules.has(rule.code) || (rule.on === 'value' && file.value === undefined)) continue;
        rule.check(file, context, ({ message }) => found.push(`${rule.code}: ${message}`));
      }
      if (isPlainText(file)) {
        seen.plain += 1;
        expect(found).toEqual([]);
      } else if (found.length > 0) seen.faulty += 1;
    }),
    { numRuns: 3000 },
  );
  expect(seen.plain).toBeGreaterThan(100);
  expect(seen.faulty).toBeGreaterThan(300);
});

test('every rule of a text is a rule', () => {
  for (const code of textRules) expect(rules.map((rule) => rule.code)).toContain(code);
});
