import { describe, expect, test } from 'vitest';
import { createChecker } from '../../core/check/checker.js';
import { checkFile } from '../../core/check/checkFile.js';
import { createRuleContext, withSchemas } from '../../core/check/ruleContext.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { parseConfigFile } from '../../core/config/parseConfigFile.js';
import { identifyFile } from '../../core/config/paths.js';
import { createModelTable } from '../../core/llm/modelTable.js';
import type { Rule } from '../../core/rules/rule.js';
import { memoryFiles } from '../support/memoryFiles.js';

const path = 'config/agents/A2/v1.json';

async function setUp(text: string, settings = '{}', at = path) {
  const project = await loadProjectIndex(memoryFiles({ 'agentstack.json': settings, [at]: text }));
  const context = createRuleContext({ project, models: createModelTable(), variables: { get: () => undefined } });
  return { file: parseConfigFile(at, text, identifyFile(at, project.settings)!), context };
}

/** Reports `/a`, `/a/b` and `/ab` of every file, as errors. */
const everywhere = (more: Partial<Rule> = {}): Rule => ({
  code: 'condition-field-unknown',
  severity: 'error',
  kinds: 'all',
  on: 'value',
  check: (_file, _context, report) => {
    for (const pointer of ['/a', '/a/b', '/ab']) report({ pointer, message: 'wrong' });
  },
  ...more,
});

const agent = (fields: object = {}) => JSON.stringify({ agent_name: 'A2', version: 'v1', ...fields });

describe('which rules run', () => {
  test('value rules run on objects, text rules on everything, and on other values only the schema rule', async () => {
    const rules = [everywhere(), everywhere({ on: 'text', code: 'prompt-debris' }), everywhere({ code: 'schema' })];
    const codes = async (text: string) => {
      const { file, context } = await setUp(text);
      return [...new Set((await checkFile(file, context, rules)).map(({ code }) => code))];
    };
    expect(await codes(agent())).toEqual(['condition-field-unknown', 'prompt-debris', 'schema']);
    expect(await codes('[1]')).toEqual(['prompt-debris', 'schema']);
    expect(await codes('{"agent_name": ')).toEqual(['prompt-debris']);
    expect(await codes('{"compilerOptions": {}}')).toEqual([]);
  });

  test('only those of the kind', async () => {
    const { file, context } = await setUp(agent());
    expect(await checkFile(file, context, [everywhere({ kinds: ['llm', 'persona'] })])).toEqual([]);
    expect(await checkFile(file, context, [everywhere({ kinds: ['llm', 'agent'] })])).toHaveLength(3);
  });

  test('a rule that is off does not even run', async () => {
    const { file, context } = await setUp(agent(), '{"rules": {"condition-field-unknown": "off"}}');
    const rule = everywhere({
      check: () => {
        throw new Error('it ran');
      },
    });
    expect(await checkFile(file, context, [rule])).toEqual([]);
  });
});

describe('what a run refuses', () => {
  const rule = everywhere({ code: 'unknown-llm' });
  const told = 'wrong Neither "$ignore" nor "rules" silences this: a run refuses it, or does not do what it says.';

  test.each(['{"rules": {"unknown-llm": "off"}}', '{"rules": {"unknown-llm": "hint"}}', '{}'])(
    'is an error whatever the file and the settings %s silence',
    async (settings) => {
      const { file, context } = await setUp(agent({ $ignore: { 'unknown-llm': ['/a', '/ab'] } }), settings);
      const findings = await checkFile(file, context, [rule]);
      expect(findings.map(({ severity }) => severity)).toEqual(['error', 'error', 'error']);
      expect(findings.map(({ message }) => message)[0]).toBe(told);
    },
  );

  test('is what an error says: a warning of the same rule is silenced', async () => {
    const { file, context } = await setUp(agent(), '{"rules": {"unknown-llm": "off"}}');
    expect(await checkFile(file, context, [everywhere({ code: 'unknown-llm', severity: 'warning' })])).toEqual([]);
  });

  test('is told of files that a run reads, and a secret where it would get into a snapshot', async () => {
    const off = '{"rules": {"schema": "off", "secret-in-plain-text": "off"}}';
    const rules = [everywhere({ code: 'schema' }), everywhere({ code: 'secret-in-plain-text' })];
    const codesAt = async (at: string) => {
      const { file, context } = await setUp('{}', off, at);
      return [...new Set((await checkFile(file, context, rules)).map(({ code }) => code))];
    };
    expect(await codesAt('config/personas/p.json')).toEqual(['schema', 'secret-in-plain-text']);
    expect(await codesAt('config/payloads/A2/case.json')).toEqual(['schema']);
    expect(await codesAt('.vscode/mcp.json')).toEqual([]);
  });
});

describe('what findings say', () => {
  test('the file, the code and the severity: of the case, else of the rule', async () => {
    const { file, context } = await setUp(agent());
    const rule = everywhere({
      check: (_file, _context, report) => {
        report({ pointer: '', message: 'x', severity: 'hint' });
        report({ pointer: '', message: 'x' });
      },
    });
    expect(await checkFile(file, context, [rule])).toEqual([
      { code: 'condition-field-unknown', severity: 'hint', file: path, pointer: '', message: 'x' },
      { code: 'condition-field-unknown', severity: 'error', file: path, pointer: '', message: 'x' },
    ]);
  });

  test('the settings of the project decide about severity', async () => {
    const { file, context } = await setUp(agent(), '{"rules": {"condition-field-unknown": "info", "__proto__": "error"}}');
    expect((await checkFile(file, context, [everywhere()])).map(({ severity }) => severity)).toEqual(['info', 'info', 'info']);
  });
});

describe('$ignore', () => {
  test('silences a place and everything in it', async () => {
    const { file, context } = await setUp(agent({ $ignore: { 'condition-field-unknown': ['/a'] } }));
    expect((await checkFile(file, context, [everywhere()])).map(({ pointer }) => pointer)).toEqual(['/ab']);
  });

  test('silences a rule in the whole file, by true or by the root pointer', async () => {
    for (const places of [true, ['']]) {
      const { file, context } = await setUp(agent({ $ignore: { 'condition-field-unknown': places } }));
      expect(await checkFile(file, context, [everywhere()])).toEqual([]);
    }
  });

  test('silences nothing about itself', async () => {
    const { file, context } = await setUp(agent({ $ignore: { schema: true, 'unknown-lm': [], 'prompt-debris': 'x' } }));
    expect((await checkFile(file, context)).filter(({ code }) => code === 'schema')).toMatchObject([
      { severity: 'error', pointer: '/$ignore/prompt-debris', message: expect.stringContaining('list of JSON pointers') },
      {
        severity: 'warning',
        pointer: '/$ignore/unknown-lm',
        target: 'key',
        message: 'There is no rule "unknown-lm". Did you mean "unknown-llm"?',
      },
    ]);
  });

  test('rules named in agentstack.json are looked up the same way', async () => {
    const text = '{"rules": {"unknown-lm": "off", "schema": "warning"}}';
    const { file, context } = await setUp(text, text, 'agentstack.json');
    expect(await checkFile(file, context)).toMatchObject([{ pointer: '/rules/unknown-lm', target: 'key', severity: 'warning' }]);
  });
});

describe('the schema compiler', () => {
  const asking = (check: Rule['check']) => everywhere({ needsSchemas: ({ value }) => typeof value === 'object', check });

  test('is there for a rule that asks for it, and only then is anything waited for', async () => {
    const { file, context } = await setUp(agent());
    const seen: unknown[] = [];
    const asked = checkFile(file, context, [asking((_file, { schemas }) => seen.push(schemas?.compile({ type: 'object' }).ok))]);
    expect(asked).toBeInstanceOf(Promise);
    await asked;
    expect(seen).toEqual([true]);
    expect(checkFile(file, context, [everywhere()])).toBeInstanceOf(Array);
    expect(context.schemas).toBeUndefined();
  });

  test('is not loaded for a rule that is off or of another kind', async () => {
    const { file, context } = await setUp(agent(), '{"rules": {"condition-field-unknown": "off"}}');
    const rules = [asking(() => undefined)];
    expect(createChecker(rules, context.project.settings).check(file, context)).toEqual([]);
    expect(createChecker(rules, { rules: {} }).check(file, context)).toBe(withSchemas);
  });
});

test('a rule that throws says that it could not judge the file, and the others go on', async () => {
  const { file, context } = await setUp(agent());
  const broken = everywhere({
    check: () => {
      throw new TypeError('x is undefined');
    },
  });
  const sound = everywhere({
    code: 'unknown-property',
    check: (_file, _context, report) => report({ pointer: '/version', message: 'Seen.' }),
  });
  const findings = await checkFile(file, context, [broken, sound]);
  expect(findings).toMatchObject([
    {
      code: 'condition-field-unknown',
      severity: 'error',
      pointer: '',
      file: path,
      data: { stack: expect.stringContaining('x is undefined') },
    },
    { code: 'unknown-property', message: 'Seen.' },
  ]);
  expect(findings[0]?.message).toContain('The rule condition-field-unknown could not judge this file: x is undefined.');
});

test('the effective config is computed once for all rules about a file, and only for agents', async () => {
  const { file, context } = await setUp(agent({ system_text: 'x' }));
  expect(context.effective(file)).toBe(context.effective(file));
  expect(context.effective(file).config).toMatchObject({ agent_name: 'A2', system_text: 'x' });
  const llm = await setUp('{"llm_id": "x"}', '{}', 'config/llms/x.json');
  expect(() => llm.context.effective(llm.file)).toThrow('no effective config');
});
