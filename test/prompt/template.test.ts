import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputInvalidError } from '../../core/errors.js';
import type { Json, JsonObject } from '../../core/json.js';
import { evaluateTemplate, evaluateTemplates, findTemplatePaths, parseTemplate } from '../../core/prompt/template.js';

const scope: JsonObject = {
  input: { task: 'Write', count: 3, none: null, list: [{ name: 'a' }, { name: 'b' }], nested: { deep: { x: true } }, größe: 'L' },
  tasks: { 'first-task': { output: { tone: 'direct' } } },
};
const evaluate = (source: string, within: JsonObject = scope) => evaluateTemplate(parseTemplate(source), within);

function errorOf(run: () => unknown): InputInvalidError {
  try {
    run();
  } catch (error) {
    if (error instanceof InputInvalidError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a text that is exactly one path', () => {
  test.each<[string, Json]>([
    ['{{input.task}}', 'Write'],
    ['{{ input.count }}', 3],
    ['{{input.none}}', null],
    ['{{input.nested}}', { deep: { x: true } }],
    ['{{input.list.1.name}}', 'b'],
    ['{{tasks.first-task.output}}', { tone: 'direct' }],
    ['{{input.größe}}', 'L'],
  ])('%s yields the value itself', (source, expected) => expect(evaluate(source)).toEqual(expected));
});

describe('any other text', () => {
  test.each([
    ['Do: {{input.task}}!', 'Do: Write!'],
    [' {{input.count}}', ' 3'],
    ['{{input.task}}{{input.count}}', 'Write3'],
    ['{{input.nested}} {{input.none}}', '{"deep":{"x":true}} null'],
    ['{{{input.count}}}', '{3}'],
    ['日本 {{input.task}} — {{input.größe}}', '日本 Write — L'],
    ['{{ {{input.count}} }}', '{{ 3 }}'],
    ['{{#if x}} {{}} {{ a b }} {{"a": 1}} {{', '{{#if x}} {{}} {{ a b }} {{"a": 1}} {{'],
    ['', ''],
  ])('%s becomes text', (source, expected) => expect(evaluate(source)).toBe(expected));

  test('what is inserted is not looked at again', () => {
    expect(evaluate('<{{input.a}}>', { input: { a: '{{input.b}}', b: 'secret' } })).toBe('<{{input.b}}>');
  });
  test('halves of a path do not become one by insertion', () => {
    expect(evaluate('{{input.a}}input.b}}', { input: { a: '{{', b: 'secret' } })).toBe('{{input.b}}');
  });
});

describe('an unknown path', () => {
  test('is named with the nearest known one', () => {
    const error = errorOf(() => evaluate('Do {{input.taks}}'));
    expect(error.message).toBe('Nothing provides {{input.taks}}. Did you mean "input.task"?');
    expect(error.issues).toEqual([{ path: '/taks', keyword: 'template', message: error.message }]);
  });
  test.each([
    '{{output.task}}',
    '{{input.list.2}}',
    '{{input.list.length}}',
    '{{input.task.length}}',
    '{{input.constructor}}',
    '{{input.__proto__}}',
  ])('%s is not found', (source) => expect(errorOf(() => evaluate(source)).message).toContain(`Nothing provides ${source}.`));
  test('a key named __proto__ is found when it is there', () => {
    expect(evaluate('{{input.__proto__.x}}', JSON.parse('{"input": {"__proto__": {"x": 1}}}'))).toBe(1);
  });
});

test('strings inside a value are evaluated, keys are not, and no key is lost', () => {
  const value = JSON.parse('{"{{input.task}}": ["{{input.count}}", 1, null], "__proto__": {"a": "-{{input.task}}-"}}') as Json;
  expect(JSON.stringify(evaluateTemplates(value, scope))).toBe('{"{{input.task}}":[3,1,null],"__proto__":{"a":"-Write-"}}');
});

test('paths are found with their places', () => {
  const source = 'a {{input.x}} {{ tasks.t.output }}';
  expect(findTemplatePaths(source).map(({ path, start, end }) => [path, source.slice(start, end)])).toEqual([
    ['input.x', '{{input.x}}'],
    ['tasks.t.output', '{{ tasks.t.output }}'],
  ]);
});

test('a text without paths is itself, whatever braces it has', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('{', '}', '{{', '}}', ' ', '.', '"', '\n')), (parts) => {
      expect(evaluate(parts.join(''))).toBe(parts.join(''));
    }),
  );
});

test('a million braces take no time', () => {
  const start = performance.now();
  for (const source of ['{'.repeat(1e6), '{{a'.repeat(3e5), `{{${' '.repeat(1e6)}`, `{{${'a.'.repeat(5e5)}`, `${'{{'.repeat(5e5)}}}`]) {
    expect(findTemplatePaths(source)).toEqual([]);
  }
  expect(performance.now() - start).toBeLessThan(20_000);
});
