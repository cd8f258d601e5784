import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CheckProjectOptions, checkProject } from '../../core/check/checkProject.js';
import type { PlacedFinding } from '../../core/finding.js';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import type { FileSystem } from '../../core/ports.js';
import type { Rule } from '../../core/rules/rule.js';
import { memoryFiles } from '../support/memoryFiles.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { testOfPermissions, unprivileged } from '../support/unprivileged.js';

const json = (value: unknown) => JSON.stringify(value, null, 2);
const agent = (name: string, version: string, fields: object = {}) =>
  json({
    agent_name: name,
    version,
    mode: 'Writer',
    system_text: 's',
    purpose_text: 'p',
    output_schema: schema,
    llm_config_id: 'offline',
    ...fields,
  });
const schema = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'], additionalProperties: false };
const llm = json({ llm_id: 'offline', provider: 'offline', model_name: 'offline' });

/** A project without a fault. */
const sound = {
  'agentstack.json': '{}',
  'config/agents/A/v1.json': agent('A', 'v1'),
  'config/agents/B/v1.json': agent('B', 'v1'),
  'config/llms/offline.json': llm,
};

const check = (files: FileSystem | Readonly<Record<string, string>>, options: Partial<CheckProjectOptions> = {}) =>
  checkProject({
    files: 'readText' in files ? (files as FileSystem) : memoryFiles(files),
    variables: { get: () => undefined },
    ...options,
  });

const brief = (findings: readonly PlacedFinding[]) => findings.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`);

/** The same project on disk. */
function onDisk(texts: Readonly<Record<string, string | Uint8Array>>): string {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(texts)) {
    fs.mkdirSync(dirname(join(root, path)), { recursive: true });
    fs.writeFileSync(join(root, path), text);
  }
  return root;
}

describe('a whole project', () => {
  test('without a fault has no findings, and every file is counted', async () => {
    expect(await check(sound)).toEqual({ findings: [], files: 4, errors: 0, warnings: 0, unmatched: [] });
  });

  test('tells agents and versions apart that differ in letter case only, also in plans', async () => {
    const steps = ['foo', 'Foo@v2', 'Bar@V1', 'a', 'A@v1'].map((name, at) => ({ name: `step${at}`, agent: name, input: {} }));
    const plan = { steps, output: { answer: '{{steps.step0.output.answer}}' } };
    const { findings } = await check({
      ...sound,
      'config/agents/Foo/v1.json': agent('Foo', 'v1'),
      'config/agents/Bar/v1.json': agent('Bar', 'v1'),
      'config/agents/a/v1.json': agent('a', 'v1'),
      'config/agents/Planner/v1.json': agent('Planner', 'v1', { agent_type: 'orchestrating', mode: undefined, execution_plan: plan }),
    });
    const named = findings.filter(({ code }) => code === 'unknown-agent' || code === 'unknown-agent-version');
    expect(named.map(({ code, message }) => `${code}: ${message.split('.')[0]}`)).toMatchInlineSnapshot(`
      [
        "unknown-agent: There is no agent "foo"",
        "unknown-agent-version: The agent "Foo" has no version "v2"",
        "unknown-agent-version: The agent "Bar" has no version "V1"",
      ]
    `);
  });

  test('that is empty is in order', async () => {
    expect(await check({})).toEqual({ findings: [], files: 0, errors: 0, warnings: 0, unmatched: [] });
  });

  test('has its findings sorted by file, place and code, the same every time', async () => {
    const faulty = {
      ...sound,
      'config/llms/z.json': '{"llm_id": "z", "provider": 1, "model_name": "gpt-4.1", "llm_id": "z"}',
      'config/agents/B/v1.json': agent('C', 'v2', { zzz: 1, mode: 'Chooser' }),
      'agentstack.json': '{"environment": 1, "rules": {"nope": "off"}}',
    };
    const first = await check(faulty);
    expect(first.findings.map(({ file }) => file)).toEqual(first.findings.map(({ file }) => file).toSorted());
    for (const [index, finding] of first.findings.entries()) {
      const next = first.findings[index + 1];
      if (next?.file === finding.file) expect(finding.range.start).toBeLessThanOrEqual(next.range.start);
    }
    const reversed = Object.fromEntries(Object.entries(faulty).reverse());
    expect(await check(reversed)).toEqual(first);
    expect(await check(faulty)).toEqual(first);
    expect(first.errors + first.warnings).toBeLessThanOrEqual(first.findings.length);
    expect(first.errors).toBe(first.findings.filter(({ severity }) => severity === 'error').length);
  });

  test('has every kind of syntax fault found, each in its place', async () => {
    const { findings } = await check({
      ...sound,
      'config/agents/A/v1.json': '{\n  // why\n  "agent_name": "A",\n  "version": "v1",\n  "version": "v1",\n}',
      'config/agents/B/v1.json': '',
      'config/personas/p.json': '\uFEFF{\r\n  "system_text": "x"\r\n  "mode": "Writer"\r\n}',
    });
    const syntax = ['json-syntax', 'json-comment', 'trailing-comma', 'duplicate-key'];
    expect(brief(findings.filter(({ code }) => syntax.includes(code)))).toEqual([
      'config/agents/A/v1.json:2:3 json-comment',
      'config/agents/A/v1.json:5:3 duplicate-key',
      'config/agents/A/v1.json:5:18 trailing-comma',
      'config/agents/B/v1.json:1:1 json-syntax',
      'config/personas/p.json:3:3 json-syntax',
    ]);
  });

  test("only names other tools' files, and does not count them", async () => {
    const report = await check({
      ...sound,
      'config/agents/A/tsconfig.json': '{"compilerOptions": {}}',
      'config/personas/notes.txt': 'x',
      'config/agents/.cache/v1.json': '{',
    });
    expect(report.files).toBe(4);
    expect(brief(report.findings)).toEqual(['config/agents/A/tsconfig.json:1:2 foreign-file']);
  });

  test('knows what is unused only when every file has been read', async () => {
    const unused = { ...sound, 'config/llms/spare.json': json({ llm_id: 'spare', provider: 'offline', model_name: 'offline' }) };
    expect(brief((await check(unused)).findings)).toEqual(['config/llms/spare.json:2:13 unused-llm']);
    expect(brief((await check(unused, { paths: ['config/llms'] })).findings)).toEqual(['config/llms/spare.json:2:13 unused-llm']);
    expect((await check(unused, { paths: ['config/agents'] })).findings).toEqual([]);
  });

  test('which cases there are is known for a baseline, also when it is checked alone', async () => {
    const verdict = {
      case: 'set/gone',
      version: 'v1',
      passes: 1,
      repeats: 1,
      date: '2026-05-01',
      key: '0'.repeat(64),
      test: '0'.repeat(64),
    };
    const files = {
      ...sound,
      'config/payloads/A/set.json': json({ cases: [{ name: 'one', input: {} }] }),
      'config/baselines/A.json': json({ format: 2, verdicts: [verdict] }),
    };
    const found = ['config/baselines/A.json:5:15 baseline-stale'];
    expect(brief((await check(files)).findings)).toEqual(found);
    expect(brief((await check(files, { paths: ['config/baselines'] })).findings)).toEqual(found);
    expect((await check(files, { paths: ['config/baselines'] })).files).toBe(1);
  });
});

describe('a part of a project', () => {
  const faulty = {
    ...sound,
    'config/agents/A/v1.json': agent('X', 'v1'),
    'config/agents/AB/v1.json': agent('X', 'v1'),
    'config/agents/B/v1.json': '{',
  };

  test.each([
    [[''], ['config/agents/A/v1.json', 'config/agents/AB/v1.json', 'config/agents/B/v1.json'], 5],
    [['config/agents/A'], ['config/agents/A/v1.json'], 1],
    [['config/agents/A/v1.json', 'config/agents/B'], ['config/agents/A/v1.json', 'config/agents/B/v1.json'], 2],
    [['agentstack.json'], [], 1],
  ])('%j', async (paths, files, count) => {
    const report = await check(faulty, { paths });
    expect(report.findings.map(({ file }) => file)).toEqual(files);
    expect(report).toMatchObject({ files: count, unmatched: [] });
  });

  test('that names nothing is returned as it was given', async () => {
    const report = await check(faulty, { paths: ['config/agents/A', 'config/none', 'README.md'] });
    expect(report.unmatched).toEqual(['config/none', 'README.md']);
  });

  test('is judged with the files around it, which are read for that alone', async () => {
    const files = memoryFiles(sound);
    expect((await check(files, { paths: ['config/agents/A'] })).findings).toEqual([]);
    expect(files.reads).not.toContain('config/agents/B/v1.json');
    files.texts.delete('config/llms/offline.json');
    expect((await check(files, { paths: ['config/agents/A'] })).findings.map(({ code }) => code)).toContain('unknown-llm');
  });
});

describe('files that cannot be read', () => {
  test('are findings at their start, and the others are checked all the same', async () => {
    const root = onDisk({
      ...sound,
      'config/agents/C/v1.json/x': 'a folder called v1.json',
      'config/agents/D/v1.json': Buffer.from('{"agent_name": "D\xe9"}', 'latin1'),
      'config/agents/E/v1.json': Buffer.alloc(50 * 1024 * 1024, 32),
      'config/agents/F/v1.json': Buffer.alloc(10 * 1024 * 1024 + 1, 32),
      'config/agents/G/v1.json': agent('G', 'v1').padEnd(10 * 1024 * 1024 - 1, ' '),
      'config/agents/H/v1.json': '['.repeat(10_000),
      'config/agents/I/v1.json': '{"a":'.repeat(1_000_000),
    });
    const elsewhere = onDisk({ 'v1.json': agent('J', 'v1'), 'folder/v1.json': agent('K', 'v1') });
    fs.mkdirSync(join(root, 'config/agents/J'));
    fs.symlinkSync(join(elsewhere, 'v1.json'), join(root, 'config/agents/J/v1.json'));
    fs.symlinkSync(join(elsewhere, 'folder'), join(root, 'config/agents/K'));
    fs.mkdirSync(join(root, 'config/agents/L'));
    fs.symlinkSync('gone.json', join(root, 'config/agents/L/v1.json'));
    fs.writeFileSync(join(root, 'config/payloads'), 'a file where a folder belongs');
    const report = await check(createNodeFiles(root));
    const said = Object.fromEntries(report.findings.map((finding) => [finding.file, finding.message]));
    expect(brief(report.findings)).toEqual([
      'config/agents/C/v1.json:1:1 json-syntax',
      'config/agents/D/v1.json:1:1 json-syntax',
      'config/agents/E/v1.json:1:1 json-syntax',
      'config/agents/F/v1.json:1:1 json-syntax',
      'config/agents/H/v1.json:1:201 json-syntax',
      'config/agents/I/v1.json:1:1001 json-syntax',
      'config/agents/J/v1.json:1:1 json-syntax',
      'config/agents/K:1:1 json-syntax',
      'config/agents/L/v1.json:1:1 json-syntax',
      'config/payloads:1:1 json-syntax',
    ]);
    expect(said).toMatchObject({
      'config/agents/C/v1.json': expect.stringContaining('is a folder'),
      'config/agents/D/v1.json': expect.stringContaining('not UTF-8'),
      'config/agents/E/v1.json': expect.stringContaining('50.0 MB'),
      'config/agents/F/v1.json': expect.stringContaining('10 MB'),
      'config/agents/J/v1.json': expect.stringContaining('project folder'),
      'config/agents/L/v1.json': expect.stringContaining('link to nothing'),
      'config/payloads': expect.stringContaining('a file'),
    });
    expect(report.files).toBe(13);
    expect(report.errors).toBe(10);
  });

  testOfPermissions('for lack of permission say so', async () => {
    const root = onDisk(sound);
    fs.chmodSync(root, 0o755);
    for (const path of ['agentstack.json', 'config/agents/A/v1.json', 'config/llms/offline.json']) fs.chmodSync(join(root, path), 0);
    fs.mkdirSync(join(root, 'config/personas'), { mode: 0 });
    const disk = createNodeFiles(root);
    const files: FileSystem = {
      ...disk,
      readText: (path) => unprivileged(() => disk.readText(path)),
      list: (path) => unprivileged(() => disk.list(path)),
    };
    const { findings } = await check(files);
    const unreadable = findings.filter(({ data }) => data?.reason === 'no-permission');
    expect(brief(unreadable)).toEqual([
      'agentstack.json:1:1 json-syntax',
      'config/agents/A/v1.json:1:1 json-syntax',
      'config/llms/offline.json:1:1 json-syntax',
      'config/personas:1:1 json-syntax',
    ]);
  });

  test('may use what nobody else uses, so nothing is called unused', async () => {
    const broken = [
      { texts: { 'config/agents/A/v1.json': '{' } },
      { problem: 'config/agents/A/v1.json' },
      { problem: 'config/agents/A' },
      { problem: 'config/agents' },
      { texts: { 'config/personas/p.json': '{"llm_config_id": "spare",' } },
      { texts: { 'config/personas/p.json': '{}' }, problem: 'config/personas/p.json' },
    ];
    const spare = json({ llm_id: 'spare', provider: 'offline', model_name: 'offline' });
    const unused = async ({ texts, problem }: { texts?: Record<string, string>; problem?: string }) => {
      const files = memoryFiles({ ...sound, 'config/llms/spare.json': spare, ...texts });
      if (problem !== undefined) files.problems.set(problem, 'no-permission');
      return (await check(files)).findings.filter(({ code }) => code === 'unused-llm').map(({ file }) => file);
    };
    expect(await unused({})).toEqual(['config/llms/spare.json']);
    expect(await unused({ texts: { 'config/payloads/A/x.json': '{' }, problem: 'config/llms/offline.json' })).toEqual([
      'config/llms/spare.json',
    ]);
    for (const each of broken) expect(await unused(each), json(each)).toEqual([]);
  });

  test('because they are gone by then are no part of the project any more', async () => {
    const files = memoryFiles(sound);
    const listed = files.list;
    const vanishing: FileSystem = {
      ...files,
      list: async (directory) => {
        const entries = await listed(directory);
        if (directory === 'config/agents/B') files.texts.delete('config/agents/B/v1.json');
        return entries;
      },
    };
    expect(await check(vanishing)).toMatchObject({ findings: [], files: 3 });
  });

  test('through a config_dir that leaves the project are not read, and that is said', async () => {
    for (const config_dir of ['..', '../elsewhere', 'a/../../b', 'a/..', 'a/b/../c', '/etc', 'C:/x', 'a\\b']) {
      const report = await check({ ...sound, 'agentstack.json': JSON.stringify({ config_dir }) });
      expect(brief(report.findings), config_dir).toEqual(['agentstack.json:1:15 schema']);
    }
  });
});

describe('hostile content', () => {
  test('names such as __proto__ and constructor are names like others', async () => {
    const fields = { properties: { ...JSON.parse('{"__proto__": {"type": "string"}}'), constructor: { type: 'string' } } };
    const text = agent('A', 'v1', { output_schema: { ...schema, ...fields, required: ['__proto__', 'constructor', 'toString'] } });
    const { findings } = await check({ ...sound, 'config/agents/A/v1.json': text });
    expect(findings.filter(({ code }) => code === 'required-undefined').map(({ pointer }) => pointer)).toEqual([
      '/output_schema/required/2',
    ]);
  });

  test('a thousand faults in one file take no longer than they should', async () => {
    const properties = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`f${index}`, { type: 'string', enum: ['a', 'b'] }]));
    const started = performance.now();
    const { findings } = await check({
      ...sound,
      'config/agents/A/v1.json': agent('A', 'v1', {
        output_schema: { ...schema, properties, required: Object.keys(properties) },
        enums: {},
      }),
    });
    expect(findings.filter(({ code }) => code === 'enum-missing')).toHaveLength(2000);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

describe('the course of a check', () => {
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`config/agents/A${index}/v1.json`, agent(`A${index}`, 'v1')]));

  test('progress goes up to the number of files', async () => {
    const steps: { checked: number; total: number }[] = [];
    await check({ ...sound, ...many }, { onProgress: (step) => steps.push(step) });
    const checked = steps.map((step) => step.checked);
    expect(checked).toEqual(checked.toSorted((left, right) => left - right));
    expect(steps.at(-1)).toEqual({ checked: 604, total: 604 });
    expect(new Set(steps.map(({ total }) => total))).toEqual(new Set([604]));
  });

  test('it ends soon after it is aborted, with the reason', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    let checked = 0;
    const endless = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`config/agents/A${index}/v1.json`, agent(`A${index}`, 'v1')]),
    );
    const running = check(endless, {
      signal: controller.signal,
      onProgress: (step) => {
        checked = step.checked;
        controller.abort(reason);
      },
    });
    await expect(running).rejects.toBe(reason);
    expect(checked).toBeLessThan(Object.keys(endless).length);
    await expect(check(sound, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('each agent file is compared with its own text at the base', async () => {
    const asked: string[] = [];
    const seen: [string, unknown][] = [];
    const rule: Rule = {
      code: 'schema-changed-in-place',
      severity: 'warning',
      kinds: 'all',
      on: 'value',
      check: (file, { base }) => seen.push([file.path, base(file)]),
    };
    const base = {
      readText: (path: string) => {
        asked.push(path);
        if (path.endsWith('B/v1.json')) return undefined;
        return path.endsWith('A/v1.json') ? many['config/agents/A0/v1.json'] : many[path];
      },
    };
    await check({ ...sound, ...many }, { base, rules: [rule] });
    expect(asked).toHaveLength(602);
    const values = new Map(seen);
    expect(values.get('config/agents/A/v1.json')).toMatchObject({ agent_name: 'A0' });
    expect(values.get('config/agents/A5/v1.json')).toMatchObject({ agent_name: 'A5' });
    expect(values.get('config/agents/B/v1.json')).toBeUndefined();
    expect(values.get('config/llms/offline.json')).toBeUndefined();
  });

  test('a base that fails is passed on', async () => {
    const failing = { readText: () => Promise.reject(new Error('git is gone')) };
    await expect(check(sound, { base: failing })).rejects.toThrow('git is gone');
  });

  test('a rule that throws could not judge its file, and the check goes on', async () => {
    const rule: Rule = {
      code: 'unused-llm',
      severity: 'error',
      kinds: ['llm'],
      on: 'value',
      check: () => {
        throw new Error('oops');
      },
    };
    const { findings } = await check(sound, { rules: [rule] });
    expect(findings).toMatchObject([{ code: 'unused-llm', severity: 'error', file: 'config/llms/offline.json' }]);
  });
});

test('YAML in the place of a config is named, with the way out', async () => {
  const found = async (files: Readonly<Record<string, string>>) =>
    (await check(files)).findings
      .filter(({ code }) => code === 'foreign-file')
      .map(({ file, severity, message }) => `${severity} ${file}: ${message}`);
  const yaml = 'agent_name: C';
  expect(await found({ ...sound, 'config/agents/C/v1.yaml': yaml, 'config/llms/offline.yml': yaml, 'config/system.yml': yaml })).toEqual([
    'warning config/agents/C/v1.yaml: This is YAML, which is not read: files in config/agents/C are JSON. Write it as v1.json; the files of other tools are imported with `agent-stack import`.',
    'warning config/llms/offline.yml: This is YAML, which is not read: files in config/llms are JSON. Remove it, or move it to another folder: offline.json is what counts.',
    'warning config/system.yml: This is YAML, which is not read: files in config are JSON. Write it as system.json; the files of other tools are imported with `agent-stack import`.',
  ]);
  expect(await found({ ...sound, 'config/agents/C/v1.jsonc': '{}' })).toEqual([
    'warning config/agents/C/v1.jsonc: This is JSON with comments, which is not read: files in config/agents/C are JSON. Write it as v1.json; the files of other tools are imported with `agent-stack import`.',
  ]);
  expect(await found({ ...sound, 'config/system_config.yml': yaml })).toEqual([
    'warning config/system_config.yml: Nothing reads this file: what all agents share is in config/system.json, and teams are in config/orchestrations. Write it there, or import it with `agent-stack import`.',
  ]);
  expect(await found({ ...sound, 'config/notes.yaml': yaml, 'config/agents/notes.yaml': yaml })).toEqual([]);
  const off = { ...sound, 'agentstack.json': '{"rules": {"foreign-file": "off"}}', 'config/agents/C/v1.yaml': yaml };
  expect(await found(off)).toEqual([]);
});

test('a file in a config folder that is at no place that is read is named, with the place', async () => {
  const { findings } = await check({
    ...sound,
    'config/agents/B.json': '{}',
    'config/agents/A/old/v0.json': '{}',
    'config/personas/writer/v1.json': '{}',
    'config/payloads/first.json': '{}',
    'config/agents/.cache/more/x.json': '{}',
    'config/tsconfig.json': '{}',
  });
  const strays = findings.filter(({ code }) => code === 'foreign-file').map(({ file, message }) => `${file}: ${message}`);
  const advice = 'Move it there, or to another folder.';
  expect(strays).toEqual([
    `config/agents/A/old/v0.json: Nothing reads this file: an agent is config/agents/{agent_name}/{version}.json. ${advice}`,
    `config/agents/B.json: Nothing reads this file: an agent is config/agents/{agent_name}/{version}.json. ${advice}`,
    `config/payloads/first.json: Nothing reads this file: a payload is config/payloads/{agent_name}/{case}.json. ${advice}`,
    `config/personas/writer/v1.json: Nothing reads this file: a persona is config/personas/{persona_key}.json. ${advice}`,
  ]);
});
