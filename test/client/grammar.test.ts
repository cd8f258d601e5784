import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import onig from 'vscode-oniguruma';
import textmate, { type IGrammar, type IRawGrammar } from 'vscode-textmate';

// The grammar in the engine that VS Code uses.

const root = join(import.meta.dirname, '../..');
const scopeName = 'source.json.agent-config';
const file = join(root, 'client/media/agent-config.tmLanguage.json');
let grammar: IGrammar;

beforeAll(async () => {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm'));
  await onig.loadWASM(new Uint8Array(wasm).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new onig.OnigScanner(patterns),
      createOnigString: (text) => new onig.OnigString(text),
    }),
    loadGrammar: async (name): Promise<IRawGrammar | null> =>
      name === scopeName ? textmate.parseRawGrammar(readFileSync(file, 'utf8'), file) : null,
  });
  grammar = (await registry.loadGrammar(scopeName))!;
});

/** The tokens of a text: what they say, and their scopes from the innermost outwards, without the ones around everything. */
function tokens(text: string): [string, string][] {
  let state = textmate.INITIAL;
  const found: [string, string][] = [];
  for (const line of text.split('\n')) {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    for (const { startIndex, endIndex, scopes } of result.tokens) {
      const said = line.slice(startIndex, endIndex);
      const own = scopes.filter((scope) => scope !== scopeName && !scope.startsWith('meta.structure.')).reverse();
      if (said.trim() !== '') found.push([said, own.join(' < ')]);
    }
  }
  return found;
}

/** Innermost scopes by what they are on. */
const innermost = (text: string) => Object.fromEntries(tokens(text).map(([said, scopes]) => [said, scopes.split(' < ')[0]]));

describe('JSON', () => {
  test('has the scopes that themes colour in every JSON file', () => {
    expect(tokens('{"key": ["value\\n", 1.5e3, true, null]}')).toEqual([
      ['{', 'punctuation.definition.dictionary.begin.json'],
      ['"', 'punctuation.support.type.property-name.begin.json < support.type.property-name.json < string.json'],
      ['key', 'support.type.property-name.json < string.json'],
      ['"', 'punctuation.support.type.property-name.end.json < support.type.property-name.json < string.json'],
      [':', 'punctuation.separator.dictionary.key-value.json'],
      ['[', 'punctuation.definition.array.begin.json'],
      ['"', 'punctuation.definition.string.begin.json < string.quoted.double.json'],
      ['value', 'string.quoted.double.json'],
      ['\\n', 'constant.character.escape.json < string.quoted.double.json'],
      ['"', 'punctuation.definition.string.end.json < string.quoted.double.json'],
      [',', 'punctuation.separator.array.json'],
      ['1.5e3', 'constant.numeric.json'],
      [',', 'punctuation.separator.array.json'],
      ['true', 'constant.language.json'],
      [',', 'punctuation.separator.array.json'],
      ['null', 'constant.language.json'],
      [']', 'punctuation.definition.array.end.json'],
      ['}', 'punctuation.definition.dictionary.end.json'],
    ]);
  });

  test('nests: a key after a nested object is a key again', () => {
    const scopes = innermost('{"a": {"b": [{"c": 1}]}, "d": 2}');
    for (const key of 'abcd') expect(scopes[key], key).toBe('support.type.property-name.json');
  });

  test('shows what JSON does not allow', () => {
    expect(innermost('{"a": "\\x" // no\n}')).toMatchObject({
      '\\x': 'invalid.illegal.unrecognized-string-escape.json',
      '// no': 'invalid.illegal.comment.json',
    });
    expect(innermost('{"a": yes}').y).toBe('invalid.illegal.expected-dictionary-separator.json');
  });

  test('recovers on the line after a quote that was forgotten', () => {
    expect(innermost('{"a": "open\n"b": 2}')['2']).toBe('constant.numeric.json');
  });
});

describe('inside strings', () => {
  test('paths of a template', () => {
    expect(tokens('"Hi {{input.name}}!"').slice(1, -1)).toEqual([
      ['Hi ', 'string.quoted.double.json'],
      [
        '{{',
        'punctuation.definition.template-expression.begin.agent-config < meta.template.expression.agent-config < string.quoted.double.json',
      ],
      ['input', 'variable.other.readwrite.agent-config < meta.template.expression.agent-config < string.quoted.double.json'],
      ['.', 'punctuation.accessor.agent-config < meta.template.expression.agent-config < string.quoted.double.json'],
      ['name', 'variable.other.readwrite.agent-config < meta.template.expression.agent-config < string.quoted.double.json'],
      [
        '}}',
        'punctuation.definition.template-expression.end.agent-config < meta.template.expression.agent-config < string.quoted.double.json',
      ],
      ['!', 'string.quoted.double.json'],
    ]);
  });

  test('environment variables, with and without what stands in for them', () => {
    expect(innermost('"${MODEL:-gpt-5} ${HOME}"')).toMatchObject({
      MODEL: 'constant.other.environment.agent-config',
      ':-': 'keyword.operator.default.agent-config',
      'gpt-5': 'string.unquoted.default.agent-config',
      HOME: 'constant.other.environment.agent-config',
    });
  });

  test('secrets', () => {
    expect(innermost('{"api_key": "secret://openai_api_key"}')).toMatchObject({
      'secret://': 'keyword.other.secret.agent-config',
      openai_api_key: 'constant.other.secret.agent-config',
    });
  });

  test.each(['"{{open"', '"a {b} c"', '"${a.b}"', '"${"', '"$HOME"', '"see secret://x"', '"{{a\\n}}"'])('%s is plain text', (text) => {
    expect(JSON.stringify(tokens(text))).not.toContain('agent-config');
  });

  test('keys are names, even when they look like something else', () => {
    expect(JSON.stringify(tokens('{"{{a}} ${B}": 1}'))).not.toContain('agent-config');
  });

  test('never hide the end of the string', () => {
    expect(tokens('"{{a"').at(-1)?.[1]).toBe('punctuation.definition.string.end.json < string.quoted.double.json');
    expect(tokens('"${A:-b\\"}"').at(-1)?.[1]).toBe('punctuation.definition.string.end.json < string.quoted.double.json');
  });
});

describe('the word pattern', () => {
  const { wordPattern } = JSON.parse(readFileSync(join(root, 'client/media/language-configuration.json'), 'utf8'));
  const words = (text: string) => text.match(new RegExp(wordPattern.pattern, `g${wordPattern.flags}`));

  test('takes names whole and leaves the escapes of a text alone', () => {
    expect(words('"model": "gpt-4.1-mini", "next": "A2@v1"')).toEqual(['model', 'gpt-4.1-mini', 'next', 'A2@v1']);
    expect(words('"One.\\nTwo (three), ${HOME} {{input.task}} Übung"')).toEqual([
      'One',
      '\\n',
      'Two',
      'three',
      '$',
      'HOME',
      'input.task',
      'Übung',
    ]);
  });
});
