import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { textReport } from '../../cli/reports/text.js';
import { createStyles } from '../../cli/terminal/styles.js';
import { AgentStackError } from '../../core/errors.js';
import { openProject } from '../../core/node/openProject.js';
import { testWith } from '../support/needs.js';
import { agent, agentPath, folderWith, run } from './hostile.js';

const offline = { 'agentstack.json': {}, 'config/llms/offline.json': { llm_id: 'offline', provider: 'offline', model_name: 'offline' } };
const limit = 10 * 1024 * 1024;
const text = JSON.stringify({ ...agent, llm_config_id: 'offline' });
const padded = (size: number) => text + ' '.repeat(size - text.length);
const withField = (name: string, value: string) => `${text.slice(0, -1)},${JSON.stringify(name)}:${value}}`;
const schema = (value: string, more = '') =>
  `${JSON.stringify({ ...agent, mode: 'Writer', enums: undefined, output_schema: undefined, llm_config_id: 'offline' }).slice(0, -1)},"output_schema":${value}${more}}`;
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const names = '"__proto__":{"type":"string","enum":["x","y"]},"constructor":{"type":"string","enum":["a"]}';

/** Through every way a file is read. Each must say the same. */
async function meet(folder: string) {
  const project = openProject(folder);
  const { findings } = await project.check();
  const codes = new Set(findings.filter(({ severity }) => severity === 'error').map(({ code }) => code));
  const created = await project.factory.create('T', 'v1', { text: `${'a'.repeat(60)}!` }).then(
    () => 'created',
    (error: unknown) => (error instanceof AgentStackError ? error.code : error),
  );
  const { result } = await run(project, { keep: 'none', payload: { text: `${'a'.repeat(60)}!` } });
  return { codes: [...codes].sort(), created, result, findings };
}

describe('a file that cannot be used says so everywhere, in one clear sentence', () => {
  test.each<[string, string | Uint8Array, string, string]>([
    ['empty', '', 'json-syntax', 'The file is empty'],
    ['only a byte order mark', '\ufeff', 'json-syntax', 'The file is empty'],
    ['of 50 MB', new Uint8Array(50 * 1024 * 1024).fill(32), 'json-syntax', 'it has 50.0 MB, and config files may have 10 MB'],
    [
      'one byte above the limit',
      padded(limit + 1),
      'json-syntax',
      'it has 10485761 bytes, and config files may have 10 MB (10485760 bytes)',
    ],
    ['10,000 levels deep', deep(10_000), 'json-syntax', 'Nested more than 200 levels deep'],
    ['10,000 levels deep in a field', withField('description', deep(10_000)), 'json-syntax', 'Nested more than 200 levels deep'],
    [
      'not UTF-8',
      Uint8Array.from([...Buffer.from('{"description":"'), 0xff, ...Buffer.from('"}')]),
      'json-syntax',
      'it is not UTF-8. Save it',
    ],
    ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), 'json-syntax', 'it is not UTF-8. Save it'],
    ['an array', '[]', 'schema', 'The file must be an object'],
    ['with a key twice', withField('mode', '"Writer"'), 'duplicate-key', 'is given twice'],
    ['with the same key twice, once escaped', `${text.slice(0, -1)},"mo\\u0064e":"Writer"}`, 'duplicate-key', 'is given twice'],
    ['with NaN', withField('temperature', 'NaN'), 'json-syntax', 'NaN is not a JSON value'],
    [
      'with a number that is infinite',
      withField('temperature', '1e400'),
      'json-syntax',
      'The number 1e400 cannot be held exactly: it is too large.',
    ],
    [
      'with a $ref that leads back to itself',
      schema('{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$ref":"#/$defs/y"},"y":{"$ref":"#/$defs/x"}}}'),
      'output-schema-invalid',
      'must not lead back to itself',
    ],
    [
      'with a $ref to the network',
      schema('{"type":"object","properties":{"a":{"$ref":"http://example.invalid/a"}}}'),
      'output-schema-invalid',
      'nothing is fetched',
    ],
    [
      'with a pattern that looks ahead',
      schema('{"type":"object","properties":{"a":{"type":"string","pattern":"(?=a)b"}}}'),
      'pattern-unsupported',
      'looks ahead or behind',
    ],
    [
      'whose enums disagree about __proto__',
      schema(`{"type":"object","properties":{${names}}}`, ',"enums":{"__proto__":["x","z"],"constructor":["a"]}'),
      'enums-match-schema',
      'The values of "__proto__" differ',
    ],
    [
      'with a default for constructor, a field that is none',
      schema('{"type":"object","properties":{"a":{"type":"string"}}}', ',"defaults":{"constructor":"a"}'),
      'default-unknown-field',
      'There is no field "constructor"',
    ],
  ])('%s', async (_name, content, code, words) => {
    const { codes, created, result } = await meet(folderWith({ ...offline, [agentPath]: content }));
    expect(codes).toEqual([code]);
    expect(created).toMatch(/^config-(syntax|invalid)$/);
    expect(result).toMatchObject({ status: 'failed', error: { code: created }, metadata: { snapshot_hash: null } });
    expect(result.error?.message).toContain(words);
    // File and sentence are said once.
    expect(result.error?.message.match(/cannot be read/g)?.length ?? 1).toBe(1);
  });

  test('a directory in its place', async () => {
    const { codes, result } = await meet(folderWith({ ...offline, [`${agentPath}/x`]: '' }));
    expect(codes).toEqual(['json-syntax']);
    expect(result.error?.message).toBe(`${agentPath} cannot be read: it is a folder. Rename or remove the folder.`);
  });

  test.each([
    ['out of the project', '/etc/hostname', 'it is not inside the project folder'],
    ['to itself', 'v1.json', 'its links lead in a circle'],
  ])('a link %s', async (_name, target, words) => {
    const folder = folderWith(offline);
    mkdirSync(join(folder, dirname(agentPath)), { recursive: true });
    symlinkSync(target, join(folder, agentPath));
    const { codes, result } = await meet(folder);
    expect(codes).toEqual(['json-syntax']);
    expect(result.error?.message).toContain(words);
  });

  testWith('mkfifo', 'a pipe without a writer', async () => {
    const folder = folderWith(offline);
    mkdirSync(join(folder, dirname(agentPath)), { recursive: true });
    execFileSync('mkfifo', [join(folder, agentPath)]);
    const { codes, result } = await meet(folder);
    expect(codes).toEqual(['json-syntax']);
    expect(result.error?.message).toContain('it is a pipe, socket or device');
  });
});

describe('a file that only looks strange works', () => {
  test.each<[string, string]>([
    ['a byte order mark', `\ufeff${text}`],
    ['CRLF', JSON.stringify(JSON.parse(text), null, 2).replaceAll('\n', '\r\n')],
    ['exactly 10 MB', padded(limit)],
    ['a pattern that takes other engines forever', schema('{"type":"object","properties":{"a":{"type":"string","pattern":"^(a+)+$"}}}')],
    [
      'a $ref that describes a list of lists',
      schema(
        '{"type":"object","properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}}}}}',
      ),
    ],
  ])('%s', async (_name, content) => {
    const { codes, created, result } = await meet(folderWith({ ...offline, [agentPath]: content }));
    expect({ codes, created, status: result.status }).toEqual({ codes: [], created: 'created', status: 'completed' });
  });

  test('fields called __proto__ and constructor are fields like any other', async () => {
    const content = schema(
      `{"type":"object","additionalProperties":false,"required":["__proto__","constructor"],"properties":{${names}}}`,
      ',"enums":{"__proto__":["x","y"],"constructor":["a"]},"defaults":{"__proto__":"x","constructor":"a"}',
    );
    const { codes, result } = await meet(folderWith({ ...offline, [agentPath]: content }));
    expect(codes).toEqual([]);
    expect(Object.keys(result.output ?? {})).toEqual(['__proto__', 'constructor']);
    expect(JSON.stringify(result.output)).toBe('{"__proto__":"x","constructor":"a"}');
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});

test('a file that is removed while it is read is not a part of the project any more', async () => {
  const folder = folderWith({ ...offline, [agentPath]: text, 'config/agents/U/v1.json': text.replace('"T"', '"U"') });
  const { files } = openProject(folder).ports;
  const gone = new Set<string>();
  const vanishing = {
    ...files,
    list: (path: string) => files.list(path),
    writeText: files.writeText.bind(files),
    appendText: files.appendText.bind(files),
    readText: (path: string) => files.readText(path.endsWith('U/v1.json') && gone.add(path) ? 'config/agents/U/gone.json' : path),
  };
  const project = openProject(folder, { ports: { files: vanishing } });
  const report = await project.check();
  expect(gone.size).toBe(1);
  expect(report).toMatchObject({ errors: 0, files: 3 });
  await expect(project.factory.load('U', 'v1')).rejects.toMatchObject({ code: 'unknown-agent-config' });
});

test('more findings than a call takes arguments are all told, the first with their code', async () => {
  const many = 130_000;
  const keys = `[${'"\\u200b",'.repeat(many)}"text"]`;
  const folder = folderWith({ ...offline, [agentPath]: withField('input_keys', keys) });
  const report = await openProject(folder).check();
  expect(report.warnings).toBeGreaterThanOrEqual(many);

  const options = {
    styles: createStyles('plain'),
    columns: 100,
    pathOf: (path: string) => path,
    textOf: async () => withField('input_keys', keys),
  };
  let framed = 0;
  let told = 0;
  const findings = report.findings.slice(0, 3000);
  for await (const part of textReport({ findings }, options)) {
    if (part.includes('^')) framed++;
    if (part.startsWith(`${agentPath}:1:`)) told++;
  }
  expect({ framed, told }).toEqual({ framed: 50, told: 3000 });
});
