import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import esbuild from 'esbuild';
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
  packFreshClone();
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'stranger', private: true, type: 'module' }));
  npm('install', '--no-audit', '--no-fund', '--offline', `./${tarball}`);
  cpSync(join(root, 'config'), join(folder, 'config'), { recursive: true });
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Into `folder`. Building is most of what this file takes: nothing but the tracked files shows that nothing else is needed. */
function packFreshClone(): void {
  const clone = mkdtempSync(join(tmpdir(), 'agent-stack clone '));
  try {
    const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
    for (const path of tracked.split('\0').filter((one) => one !== '' && existsSync(join(root, one))))
      cpSync(join(root, path), join(clone, path), { preserveTimestamps: true });
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    execFileSync('npm', ['pack', '--loglevel=error', '--pack-destination', folder], { cwd: clone, stdio: ['ignore', 'ignore', 'pipe'] });
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

test('a fresh clone packs what it has built', () => {
  for (const path of ['dist/cli.cjs', 'dist/esm/main.js', 'dist/types/main.d.ts', 'docs/config.md'])
    expect(existsSync(join(folder, 'node_modules/agent-stack', path)), path).toBe(true);
});

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

test('what it exports resolves for import and for require, by the judgement of publint and attw', () => {
  const bin = (name: string) => join(root, 'node_modules', name);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  expect(node(bin('publint/src/cli.js'), 'run', tarball, '--strict', '--level', 'suggestion')).toContain('All good!');
  expect(() => node(bin('@arethetypeswrong/cli/dist/index.js'), tarball, '--profile', 'node16', '--no-definitely-typed')).not.toThrow();
});

test('it has fewer than 520 files', () => {
  const paths = readdirSync(join(folder, 'node_modules/agent-stack'), { recursive: true, withFileTypes: true });
  expect(paths.filter((entry) => entry.isFile()).length).toBeLessThan(520);
});

test('every link and picture of its README is in it, or on the web', () => {
  const installed = join(folder, 'node_modules/agent-stack');
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  const targets = [...readme.matchAll(/\]\((?!https:|#)([^)#\s]+)/g)].map(([, target]) => target!);
  expect(targets.filter((target) => target.startsWith('docs/images/')).length).toBeGreaterThanOrEqual(5);
  expect(targets.filter((target) => !existsSync(join(installed, target)))).toEqual([]);
});

test('its types compile in strict mode', () => {
  const typed = `
import { openProject } from 'agent-stack/node';
import { type Agent, type AgentEvent, type AgentPrompt, invokeAgent, type LlmClient, type RunResult } from 'agent-stack/core';
const project = openProject('.');
interface Input { task: string; purpose: string; context: string }
const input: Input = { task: 'a', purpose: 'b', context: 'c' };
const prompt: AgentPrompt = await project.factory.create('A2', 'v1', input);
export const invoked = (llm: LlmClient, agent: Agent) => invokeAgent({ agent, payload: input, llm, ports: project.ports });
const fields: readonly string[] = Object.keys(prompt.enums);
let result: RunResult | undefined;
for await (const event of project.run({ agent_name: 'A2', version: 'v1', payload: {} })) {
  const seen: AgentEvent = event;
  if (seen.final) result = seen.result;
}
// @ts-expect-error: the fields of a prompt are readonly, and the published types must say so.
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

test.each(['agent-stack', 'agentstack'])('the command is installed with it, as %s', (name) => {
  const bin = join(folder, 'node_modules/.bin', name);
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
    expect(sources.filter((source: string) => !/^(\.\.\/|builtin:|mcp:)/.test(source), name)).toEqual([]);
  }
});

test('everything is in one import too', () => {
  writeFileSync(
    join(folder, 'one.mjs'),
    "import { openProject, defineTool, LlmError } from 'agent-stack'; console.log(typeof openProject, typeof defineTool, typeof LlmError);",
  );
  expect(node('one.mjs')).toBe('function function function\n');
  writeFileSync(join(folder, 'one.cjs'), "const { openProject } = require('agent-stack'); console.log(typeof openProject('.').run);");
  expect(node('one.cjs')).toBe('function\n');
});

test('import and require give the same classes', () => {
  writeFileSync(
    join(folder, 'both.mjs'),
    `import { createRequire } from 'node:module';
import { LlmError } from 'agent-stack/core';
console.log(createRequire(import.meta.url)('agent-stack/core').LlmError === LlmError);`,
  );
  expect(node('both.mjs')).toBe('true\n');
});

test('a program that is bundled with it for CommonJS starts and runs an agent', async () => {
  writeFileSync(
    join(folder, 'bundled.mjs'),
    `import { openProject } from 'agent-stack/node';
const payload = { task: 'Write a parser', purpose: 'Teach', context: 'none' };
openProject('.').invoke({ agent_name: 'A2', payload, overrides: { llm: 'offline' } }).then(({ status, error }) => console.log(status, error));`,
  );
  const outfile = join(folder, 'bundled.cjs');
  await esbuild.build({
    entryPoints: [join(folder, 'bundled.mjs')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    logLevel: 'silent',
  });
  expect(node(outfile)).toBe('completed null\n');
});

test('core can be bundled for a browser, and is loaded where there is no Node', async () => {
  writeFileSync(
    join(folder, 'page.mjs'),
    "import { createModelTable, evaluateCondition } from 'agent-stack/core'; globalThis.loaded = typeof evaluateCondition;",
  );
  const { outputFiles } = await esbuild.build({
    ...{
      entryPoints: [join(folder, 'page.mjs')],
      bundle: true,
      platform: 'browser',
      format: 'esm',
      splitting: true,
      write: false,
      outdir: folder,
      logLevel: 'silent',
    },
  });
  const start = outputFiles.find(({ path }) => path.endsWith('page.js'))?.text ?? '';
  for (const { path, text } of outputFiles) writeFileSync(path, text);
  writeFileSync(
    join(folder, 'browser.mjs'),
    "Object.defineProperty(globalThis, 'process', { value: undefined }); await import('./page.js'); console.log(globalThis.loaded);",
  );
  expect(start).not.toBe('');
  expect(node('browser.mjs')).toBe('function\n');
});
