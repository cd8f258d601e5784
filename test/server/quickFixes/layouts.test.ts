import { describe, expect, test } from 'vitest';
import type { CodeAction } from 'vscode-languageserver';
import { actionsFor, filesAfter, openProject } from './support.js';

const path = 'config/agents/A2/v1.json';

/** The text of an agent file after a fix of its first finding of a code. */
async function fixed(code: string, title: string, text: string): Promise<string | undefined> {
  const server = await openProject({ [path]: text });
  const actions = await actionsFor(server, path, code);
  const action = actions.find((one) => one.title === title);
  if (action === undefined) throw new Error(`No "${title}" among: ${actions.map((one) => one.title).join('; ')}`);
  return (await filesAfter(server, action))[path];
}

describe('a new object goes first, written like the file', () => {
  test.each([
    [
      'with two spaces',
      '{\n  "agent_name": "A2",\n  "version": "v1",\n  "x": 1\n}\n',
      '{\n  "$ignore": {\n    "unknown-property": ["/x"]\n  },\n  "agent_name": "A2",\n  "version": "v1",\n  "x": 1\n}\n',
    ],
    [
      'with tabs and CRLF',
      '{\r\n\t"agent_name": "A2",\r\n\t"version": "v1",\r\n\t"x": 1\r\n}\r\n',
      '{\r\n\t"$ignore": {\r\n\t\t"unknown-property": ["/x"]\r\n\t},\r\n\t"agent_name": "A2",\r\n\t"version": "v1",\r\n\t"x": 1\r\n}\r\n',
    ],
    [
      'with four spaces',
      '{\n    "agent_name": "A2",\n    "version": "v1",\n    "x": 1\n}',
      '{\n    "$ignore": {\n        "unknown-property": ["/x"]\n    },\n    "agent_name": "A2",\n    "version": "v1",\n    "x": 1\n}',
    ],
    [
      'on one line',
      '{ "agent_name": "A2", "version": "v1", "x": 1 }',
      '{ "$ignore": { "unknown-property": ["/x"] }, "agent_name": "A2", "version": "v1", "x": 1 }',
    ],
    [
      'on one line without spaces',
      '{"agent_name":"A2","version":"v1","x":1}',
      '{"$ignore":{"unknown-property":["/x"]},"agent_name":"A2","version":"v1","x":1}',
    ],
  ])('%s', async (_layout, before, after) => {
    expect(await fixed('unknown-property', 'Ignore unknown-property here', before)).toBe(after);
  });
});

describe('a member that is missing is added', () => {
  test.each([
    [
      'behind a nested object',
      '{\n  "mode": "Writer",\n  "budget": {\n    "max_time_ms": 1\n  }\n}',
      '{\n  "mode": "Writer",\n  "budget": {\n    "max_time_ms": 1\n  },\n  "agent_name": "A2"\n}',
    ],
    [
      'behind an object on one line',
      '{\n  "mode": "Writer",\n  "budget": {"max_time_ms":1}\n}',
      '{\n  "mode": "Writer",\n  "budget": {"max_time_ms":1},\n  "agent_name": "A2"\n}',
    ],
    [
      'where the last bracket ends a line',
      '{ "version": "v1",\n  "mode": "Writer" }',
      '{ "version": "v1",\n  "mode": "Writer",\n  "agent_name": "A2" }',
    ],
  ])('%s', async (_place, before, after) => {
    expect(await fixed('effective-config-incomplete', 'Add "agent_name": "A2"', before)).toBe(after);
  });
});

describe('a member that goes leaves no comma and no empty line', () => {
  const remove = (text: string) => fixed('unknown-property', 'Remove "x"', text);
  test.each([
    ['first', '{\n\t"x": [\n\t\t1\n\t],\n\t"agent_name": "A2",\n\t"version": "v1"\n}', '{\n\t"agent_name": "A2",\n\t"version": "v1"\n}'],
    [
      'between others',
      '{\r\n  "agent_name": "A2",\r\n  "x": 1,\r\n  "version": "v1"\r\n}',
      '{\r\n  "agent_name": "A2",\r\n  "version": "v1"\r\n}',
    ],
    ['last', '{ "agent_name": "A2", "version": "v1", "x": 1 }', '{ "agent_name": "A2", "version": "v1" }'],
    [
      'alone in its object',
      '{\n  "agent_name": "A2",\n  "version": "v1",\n  "budget": {\n    "x": 1\n  }\n}',
      '{\n  "agent_name": "A2",\n  "version": "v1",\n  "budget": {}\n}',
    ],
  ])('%s', async (_place, before, after) => {
    expect(await remove(before)).toBe(after);
  });
});

test('the values of a field are added to the schema where its other keywords are', async () => {
  const agent = (tone: string) =>
    `{\n  "agent_name": "A2",\n  "version": "v1",\n  "output_schema": {\n    "type": "object",\n    "properties": {\n      "tone": ${tone}\n    }\n  },\n  "enums": { "tone": ["direct", "formal"] }\n}\n`;
  const title = 'Add an enum with these values to tone in the schema';
  expect(await fixed('enum-missing', title, agent('{ "type": "string", "minLength": 1 }'))).toBe(
    agent('{ "type": "string", "enum": ["direct", "formal"], "minLength": 1 }'),
  );
  expect(await fixed('enum-missing', title, agent('{\n        "type": "string"\n      }'))).toBe(
    agent('{\n        "type": "string",\n        "enum": ["direct", "formal"]\n      }'),
  );
});

test('a file with a comment is edited at the comment only', async () => {
  const server = await openProject({ [path]: '{\n  // why\n  "agent_name": "A2",\n  "x": 1\n}\n' });
  const actions: readonly CodeAction[] = await actionsFor(server, path, 'json-comment');
  expect(actions.map(({ title }) => title)).toEqual(['Move the comment to "description"', 'Remove the comment']);
});

test('all safe repairs of a file are one edit, and what they are not about stays as it is', async () => {
  const text = '{\n\t"agent_name": "A2", // who\n\t"version": "v1",\n\t"temperature": "0.50",\n\t"system_text": "\\u00e9",\n}\n';
  const server = await openProject({ [path]: text });
  const document = server.service.workspace.document(server.uri(path))!;
  const params = {
    textDocument: { uri: server.uri(path) },
    range: document.rangeOf({ start: 0, end: 0 }),
    context: { diagnostics: [], only: ['source.fixAll'] },
  };
  const [action] = await server.request<CodeAction[]>('textDocument/codeAction', params);
  expect((await filesAfter(server, action!))[path]).toBe(
    '{\n\t"agent_name": "A2",\n\t"version": "v1",\n\t"description": "who",\n\t"temperature": 0.50,\n\t"system_text": "\\u00e9"\n}\n',
  );
});
