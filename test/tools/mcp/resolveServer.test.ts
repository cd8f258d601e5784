import { expect, test } from 'vitest';
import type { McpInput, McpServer } from '../../../core/generated/types.js';
import type { Environment, Processes } from '../../../core/ports.js';
import { createCover } from '../../../core/tools/mcp/coverValues.js';
import { createEnvironmentInputs, resolveServer } from '../../../core/tools/mcp/resolveServer.js';

const variables: Readonly<Record<string, string>> = {
  DOCS_TOKEN: 'abc-token',
  EMPTY: '',
  HOME: '/home/x',
  INPUT_GITHUB_TOKEN: 'from input',
  NESTED: '${env:HOME}',
};
const environment: Environment = { get: (name) => variables[name] };
const processes: Processes = {
  folder: '/projects/p',
  baseEnvironment: { PATH: '/bin', HOME: '/home/x' },
  start: () => {
    throw new Error('nothing is started here');
  },
};
const inputs: readonly McpInput[] = [
  { id: 'github.token', type: 'promptString', password: true },
  { id: 'branch', type: 'promptString', default: 'main' },
  { id: 'stage', type: 'pickString', options: ['a', 'b'] },
];

const resolve = (definition: McpServer, own: Partial<Processes> | undefined = {}) =>
  resolveServer('it', definition, {
    ports: {
      environment,
      secrets: { get: (name) => (name === 'my.secret' ? 'sesame' : undefined) },
      ...(own && { processes: { ...processes, ...own } }),
    },
    inputs,
    resolveInput: createEnvironmentInputs({ environment }),
  });

test('fills in every kind of placeholder, once', async () => {
  const { target, values, secrets } = await resolve({
    command: '${workspaceFolder}/bin/run',
    args: [
      '${env:HOME}/x',
      '${HOME}',
      '${NO:-fall back}',
      '${EMPTY:-b}',
      '${input:branch}',
      '${}',
      '${a b}',
      '${env:NESTED}',
      '$HOME',
      '{x}',
    ],
    env: { TOKEN: 'secret://my.secret', KEY: '${input:github.token}', PORT: 80, HOME: null },
    cwd: '${workspaceFolder}/sub/',
  });
  expect(target).toEqual({
    type: 'stdio',
    command: '/projects/p/bin/run',
    args: ['/home/x/x', '/home/x', 'fall back', 'b', 'main', '${}', '${a b}', '${env:HOME}', '$HOME', '{x}'],
    env: { PATH: '/bin', TOKEN: 'sesame', KEY: 'from input', PORT: '80' },
    cwd: 'sub',
  });
  expect(values).toEqual(expect.arrayContaining(['/home/x', 'main', 'sesame', 'from input']));
  expect([...secrets].sort()).toEqual(['from input', 'sesame']);
});

test('what stands in a header is a secret', async () => {
  const { target, secrets } = await resolve({ url: 'https://x.example/mcp', headers: { Authorization: 'Bearer ${env:DOCS_TOKEN}' } });
  expect(target).toEqual({ type: 'http', url: 'https://x.example/mcp', headers: { Authorization: 'Bearer abc-token' } });
  expect(secrets).toEqual(['Bearer abc-token', 'abc-token']);
});

test.each<[McpServer, string, RegExp]>([
  [
    { command: 'x', args: ['${env:MISSING}'] },
    'secret-missing',
    /\$\{env:MISSING\} in args\/0: the environment variable MISSING is not set/,
  ],
  [
    { command: 'x', env: { A: 'secret://other-key' } },
    'secret-missing',
    /the secret "other-key" in env\/A is not stored.*variable OTHER_KEY/,
  ],
  [{ command: '${input:none}' }, 'tool-execution', /\$\{input:none\} in command names no input of mcp\.json/],
  [{ command: '${input:stage}' }, 'secret-missing', /set the environment variable INPUT_STAGE/],
  [{ command: '${config:x}' }, 'tool-execution', /\$\{config:x\} in command is not supported/],
  [{ command: 'x', cwd: '../x' }, 'tool-execution', /its cwd is not inside the project folder/],
  [{ command: 'x', cwd: '/elsewhere' }, 'tool-execution', /its cwd is not inside the project folder/],
  [{ command: 'x', cwd: 'C:\\x' }, 'tool-execution', /its cwd is not inside the project folder/],
  [{ url: '${env:HOME}' }, 'tool-execution', /not an address/],
])('%j is refused with %s', async (definition, code, words) => {
  const failure = await resolve(definition).catch((error) => error);
  expect(failure).toMatchObject({ code });
  expect(failure.message).toMatch(words);
  expect(failure.message).not.toMatch(/abc-token|sesame|home/);
});

test('a Windows project folder is recognised in cwd', async () => {
  const own = { folder: 'C:\\projects\\p' };
  expect((await resolve({ command: 'x', cwd: '${workspaceFolder}\\a\\b' }, own)).target).toMatchObject({ cwd: 'a/b' });
  expect((await resolve({ command: 'x', cwd: '${workspaceFolder}' }, own)).target).toMatchObject({ cwd: '' });
});

test('inputs come from the environment, then from their default', async () => {
  const resolveInput = createEnvironmentInputs({ environment });
  expect(resolveInput(inputs[0] as McpInput, 'it')).toBe('from input');
  expect(resolveInput(inputs[1] as McpInput, 'it')).toBe('main');
  expect(() => resolveInput({ id: 'x-y', type: 'promptString', description: 'The key' }, 'it')).toThrow(
    'The MCP server "it" needs a value for ${input:x-y} (The key): set the environment variable INPUT_X_Y.',
  );
});

test('values are covered as they are, in JSON and in URLs, the longest first', () => {
  const cover = createCover(['a "b"', 'secret', 'secret-and-more', '', 'xy']);
  expect(cover.text('secret-and-more, secret, a "b", {"x":"a \\"b\\""}, a%20%22b%22, xy')).toBe(
    '*****, *****, *****, {"x":"*****"}, *****, xy',
  );
  expect(createCover(['-- BEGIN --\nabcdefgh\nxyz']).text('abcdefgh, xyz')).toBe('*****, xyz');
  expect(cover.json({ secret: ['my secret', 1, null], __proto__x: { deep: 'a "b"' } })).toEqual({
    '*****': ['my *****', 1, null],
    __proto__x: { deep: '*****' },
  });
});
