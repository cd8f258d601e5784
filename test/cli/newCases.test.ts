import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentstack, listFiles, read, toneAgent, toneProject } from './command.js';

const typed = {
  ...toneAgent,
  enums: { tone: ['friendly', 'formal'], found: ['a', 'b'] },
  input_keys: ['text', 'size'],
  input_schema: {
    type: 'object',
    required: ['text', 'size'],
    additionalProperties: false,
    properties: {
      text: { type: 'string' },
      size: { type: 'integer' },
      urgent: { type: 'boolean' },
      labels: { type: 'array', items: { type: 'string' } },
      from: { type: 'object', properties: { name: { type: 'string' } } },
    },
  },
  output_schema: {
    type: 'object',
    additionalProperties: false,
    required: ['tone'],
    properties: {
      tone: { type: 'string', enum: ['friendly', 'formal'] },
      score: { type: 'number' },
      found: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    },
  },
};

async function made(name: string, table: string | Buffer, ...args: string[]) {
  const cwd = toneProject({ 'config/agents/Tone/v1.json': typed, 'config/payloads/Tone/greeting.json': { input: { text: 'x', size: 1 } } });
  writeFileSync(join(cwd, name), table);
  const outcome = await agentstack(['new', 'cases', 'Tone', '--from', name, ...args], { cwd });
  const path = 'config/payloads/Tone/labels.json';
  const file = listFiles(cwd).includes(path) ? (JSON.parse(read(cwd, path)) as { $schema: string; cases: readonly unknown[] }) : undefined;
  if (file !== undefined) {
    const checked = await agentstack(['check', '--max-warnings', '0'], { cwd });
    expect(checked.stdout).toContain('No problems');
  }
  return { cwd, file, ...outcome };
}

describe('new cases', () => {
  test('makes a case of each line: input keys and fields of the answer by name, typed as the schemas say', async () => {
    const { file, stdout, stderr, code } = await made(
      'labels.csv',
      `\uFEFFname,text,size,urgent,labels,from,tone,score,found,tags\r\none,"Hello, ""you""\r\nand you",007,TRUE,a; b,"{""name"": ""Ann""}",formal,0.5,a;b,"smoke, slow"\r\n,12,2,,,,,,,\r\n`,
    );
    expect(stderr).toBe('2 cases in Tone/labels.\nTry it: agent-stack eval Tone/labels\n');
    expect(stdout).toBe('created config/payloads/Tone/labels.json\n');
    expect(code).toBe(0);
    expect(file?.$schema).toBe('agent-stack:payload.schema.json');
    expect(file?.cases).toEqual([
      {
        name: 'one',
        input: { text: 'Hello, "you"\r\nand you', size: 7, urgent: true, labels: ['a', 'b'], from: { name: 'Ann' } },
        expect: [
          { output_field: 'tone', operator: 'equals', value: 'formal' },
          { output_field: 'score', operator: 'equals', value: 0.5 },
          { output_field: 'found', operator: 'equals', value: ['a', 'b'] },
        ],
        tags: ['smoke', 'slow'],
      },
      { input: { text: '12', size: 2 } },
    ]);
  });

  test('takes the columns that are mapped, and says which it left out', async () => {
    const { file, stderr } = await made(
      'labels.csv',
      'body;pages;gold;comment\nHi;3;formal;?\n',
      '--map',
      'body=input.text,pages=input.size',
      '--map',
      'gold=expected.tone',
    );
    expect(file?.cases).toEqual([
      { input: { text: 'Hi', size: 3 }, expect: [{ output_field: 'tone', operator: 'equals', value: 'formal' }] },
    ]);
    expect(stderr).toContain('Left out, since nothing has their name: comment.');
  });

  test('finds the columns where their names have quotes', async () => {
    const expected = [{ input: { text: 'Hi; you', size: 3 }, expect: [{ output_field: 'tone', operator: 'equals', value: 'formal' }] }];
    for (const separator of [',', ';', '\t']) {
      const lines = [
        ['"text"', '"size"', '"tone"'],
        ['"Hi; you"', '3', 'formal'],
      ].map((cells) => cells.join(separator));
      expect((await made('labels.csv', lines.join('\n'))).file?.cases, separator).toEqual(expected);
    }
  });

  test('reads JSON and JSONL, with their values as they are and "input" and "expected" as objects', async () => {
    const rows = [
      { name: 'a', input: { text: '1', size: 1, from: { name: 'x' } }, expected: { tone: 'friendly' } },
      { text: 'b', size: 2, expect: [{ measure: 'latency_ms', operator: 'less_than', value: 100 }] },
    ];
    const cases = [
      { name: 'a', input: rows[0]!.input, expect: [{ output_field: 'tone', operator: 'equals', value: 'friendly' }] },
      { input: { text: 'b', size: 2 }, expect: rows[1]!.expect },
    ];
    expect((await made('labels.json', JSON.stringify(rows))).file?.cases).toEqual(cases);
    expect((await made('labels.jsonl', `${rows.map((row) => JSON.stringify(row)).join('\n')}\n\n`)).file?.cases).toEqual(cases);
  });

  test('takes 200 columns and 10,000 lines', async () => {
    const columns = ['text', 'size', 'tone', ...Array.from({ length: 197 }, (_, index) => `extra ${index}`)];
    const wide = `${columns.join(',')}\nHi,1,formal${',x'.repeat(197)}\n`;
    expect((await made('labels.csv', wide)).file?.cases).toHaveLength(1);
    const long = `text,size,tone\n${Array.from({ length: 10_000 }, (_, index) => `Text ${index},${index},formal\n`).join('')}`;
    expect((await made('labels.csv', long)).file?.cases).toHaveLength(10_000);
  });

  test.each<[string, string | Buffer, string, readonly string[]]>([
    ['labels.csv', '', 'the file is empty.', []],
    ['labels.csv', 'text,size\n', 'there is no line below the names of the columns.', []],
    ['labels.csv', 'text\nHi\n', 'There is no column for the input key "size". Name one: --map COLUMN=input.size. Columns: text.', []],
    ['labels.csv', 'text,size,\nHi,1,\n', 'column 3 has no name.', []],
    ['labels.csv', 'text,size,text\nHi,1,x\n', 'two columns have the name "text".', []],
    ['labels.csv', 'text,size\nHi,1\nHo,2,3\n', 'line 3 has 3 cells, and there are 2 columns.', []],
    ['labels.csv', 'text,size\n"Hi,1\n', 'it is not valid CSV: Quote Not Closed', []],
    ['labels.csv', 'text,size\nHi,many\n', 'Line 2, column "size":', []],
    ['labels.csv', 'text,size,tone\nHi,1,casual\n', 'Line 2, column "tone":', []],
    ['labels.csv', 'name,text,size\na,Hi,1\na,Ho,2\n', 'Line 3: the name "a" is that of line 2 already.', []],
    ['labels.csv', 'text,size\nHi,1\n', '--map: there is no column "txt". Did you mean "text"?', ['--map', 'txt=input.text']],
    ['labels.csv', 'text,size\nHi,1\n', 'Expected COLUMN=input.KEY', ['--map', 'text']],
    ['labels.csv', Buffer.from([0xff, 0xfe, 0x41, 0x00]), 'it is not UTF-8 text.', []],
    ['labels.json', '{"text": "Hi"}', 'expected a list of objects', []],
    ['labels.json', '[\n\n{"text": "Hi", "size": 1},\n{"text": "Ho", "size": "many"}]', 'Entry 2, column "size":', []],
    ['labels.jsonl', '{"text": "Hi", "size": 1}\n{', 'line 2 is not valid JSON.', []],
    ['labels.xlsx', 'PK', 'expected a file that ends in .csv, .tsv, .json or .jsonl.', []],
    ['greeting.csv', 'text,size\nHi,1\n', 'A case named Tone/greeting already exists', []],
    ['labels.csv', 'text,size\nHi,1\n', '"a/b" is not a valid name', ['--name', 'a/b']],
  ])('refuses %s with %j: %s', async (name, table, words, args) => {
    const { file, stderr, code } = await made(name, table, ...args);
    expect(stderr).toContain(words);
    expect(code).toBe(2);
    expect(file).toBeUndefined();
  });

  test('says that a table is missing, and that --from is', async () => {
    const cwd = toneProject();
    expect((await agentstack(['new', 'cases', 'Tone', '--from', 'gone.csv'], { cwd })).stderr).toContain(
      '--from gone.csv: there is no such file.',
    );
    expect((await agentstack(['new', 'cases', 'Tone'], { cwd })).code).toBe(2);
  });
});

describe('new case', () => {
  test('with --expect is a test that checks clean', async () => {
    const cwd = toneProject();
    const { stderr, code } = await agentstack(['new', 'case', 'Tone', 'short', '--expect'], { cwd });
    expect(stderr).toBe('Try it: agent-stack eval Tone/short\n');
    expect(code).toBe(0);
    expect(JSON.parse(read(cwd, 'config/payloads/Tone/short.json')).expect).toEqual([
      { output_field: 'tone', operator: 'equals', value: 'friendly' },
    ]);
    expect((await agentstack(['check', '--max-warnings', '0'], { cwd })).stdout).toContain('No problems');
    expect([0, 1]).toContain((await agentstack(['eval', 'Tone/short'], { cwd })).code);
  });

  test('of an orchestration has its input', async () => {
    const cwd = toneProject();
    await agentstack(['new', 'orchestration', 'letters'], { cwd });
    const { stdout, stderr } = await agentstack(['new', 'case', 'letters', 'first', '--expect'], { cwd });
    expect(stdout).toBe('created config/payloads/letters/first.json\n');
    expect(stderr).toBe('Try it: agent-stack eval letters/first\n');
    expect(JSON.parse(read(cwd, 'config/payloads/letters/first.json')).context).toEqual({ text: 'Write the text here.' });
    expect((await agentstack(['check', '--max-warnings', '0'], { cwd })).stdout).toContain('No problems');
    expect((await agentstack(['orchestrate', 'letters', '--case', 'first'], { cwd })).code).toBe(0);
    expect((await agentstack(['eval', 'letters/first'], { cwd })).stdout).toContain('1 case');
  });
});
