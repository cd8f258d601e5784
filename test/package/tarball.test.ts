import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The package as a stranger gets it: packed, installed in an empty folder, used from there with its own types.

const root = join(import.meta.dirname, '../..');
let folder: string;

const npm = (...args: string[]) =>
  execFileSync('npm', [...args, '--loglevel=error'], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const node = (...args: string[]) =>
  execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-stack package '));
  execFileSync('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'stranger', private: true, type: 'module' }));
  npm('install', '--no-audit', '--no-fund', '--offline', `./${tarball}`);
  cpSync(join(root, 'config'), join(folder, 'config'), { recursive: true });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = `
import { openProject } from 'agent-stack/node';
import { AgentPromptValidationError, createLlmClient, InputInvalidError } from 'agent-stack/core';

const project = openProject('.');
const payload = { task: 'Write a parser in Python', purpose: 'Teach a friend', context: 'He said "hi"' };
const prompt = await project.factory.create('A2', 'v1', payload);
const { messages, response_format } = prompt.compose(payload);
const llm = createLlmClient({ provider: 'offline' }, project.ports);
const completion = await llm.call({ model: prompt.model_name, messages, response_format, temperature: prompt.temperature });
const { output } = prompt.parseAndValidate(completion);

const refusals = [];
try { prompt.parseAndValidate('{"system": "Nobody"}'); } catch (error) { refusals.push(error instanceof AgentPromptValidationError && error.code); }
try { await project.factory.create('A2', 'v1', { task: 'x' }); } catch (error) { refusals.push(error instanceof InputInvalidError && error.code); }
console.log(JSON.stringify({ output, refusals, roles: messages.map(({ role }) => role) }));
`;

test('create, compose, call, parseAndValidate run from the installed package, with no other package', () => {
  writeFileSync(join(folder, 'program.mjs'), program);
  const { output, refusals, roles } = JSON.parse(node('program.mjs'));
  expect(roles).toEqual(['system', 'user']);
  expect(Object.keys(output).sort()).toEqual(['audience', 'confidence', 'response_depth', 'system', 'tone']);
  expect(output.system).toBe('Python_Programmer');
  expect(refusals).toEqual(['output-invalid', 'input-invalid']);
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['agent-stack']);
});

test('its types compile in strict mode', () => {
  const typed = `
import { openProject } from 'agent-stack/node';
import type { AgentEvent, AgentPrompt, RunResult } from 'agent-stack/core';
const project = openProject('.');
const prompt: AgentPrompt = await project.factory.create('A2', 'v1', { task: 'a', purpose: 'b', context: 'c' });
const fields: readonly string[] = Object.keys(prompt.enums);
let result: RunResult | undefined;
for await (const event of project.run({ agent_name: 'A2', version: 'v1', payload: {} })) {
  const seen: AgentEvent = event;
  if (seen.final) result = seen.result;
}
// @ts-expect-error A prompt cannot be changed.
prompt.model_name = 'other';
export { fields, result };
`;
  writeFileSync(join(folder, 'typed.ts'), typed);
  mkdirSync(join(folder, 'types'), { recursive: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    'false',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--types',
    'node',
    '--typeRoots',
    join(root, 'node_modules/@types'),
  ];
  expect(() => node(tsc, ...options, 'typed.ts')).not.toThrow();
});

test('the command is installed with it', () => {
  const bin = join(folder, 'node_modules/.bin/agentstack');
  expect(execFileSync(bin, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(JSON.parse(execFileSync(bin, ['check', '--format', 'json'], { cwd: folder, encoding: 'utf8' }))).toMatchObject({ errors: 0 });
});

const failing = `
import { checkProject } from 'agent-stack/core';
const readText = () => { throw new Error('The disk is on fire.'); };
await checkProject({ files: { list: () => [], readText }, variables: { get: () => undefined } }).catch(({ stack }) => console.log(stack));
`;

test('a stack trace names the functions of the library, and with source maps the lines of its source', () => {
  writeFileSync(join(folder, 'failing.mjs'), failing);
  expect(node('failing.mjs')).toMatch(/^ +at (?:async )?checkProject \(.*\/dist\/esm\/.*\.js:\d+:\d+\)$/m);
  expect(node('--enable-source-maps', 'failing.mjs')).toMatch(
    /^ +at (?:async )?checkProject \(.*\/core\/check\/checkProject\.ts:\d+:\d+\)$/m,
  );
});

test('every module of the library has its source map, which names no folder of the machine it was made on', () => {
  const esm = join(folder, 'node_modules/agent-stack/dist/esm');
  const modules = readdirSync(esm, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  expect(modules.length).toBeGreaterThan(2);
  for (const name of modules) {
    const { sources } = JSON.parse(readFileSync(join(esm, `${name}.map`), 'utf8'));
    expect(sources.filter((source: string) => !source.startsWith('../'), name)).toEqual([]);
  }
});
