import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../cli/program.js';
import { verbs } from '../../cli/verbs/index.js';
import { cliFor } from './cliFor.js';
import { agentstack, agentstackProcess, cleanEnvironment, cliFile, repository, temporaryProject, toneProject } from './command.js';

const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string };

describe('help', () => {
  test('is there for the program and every verb, with examples', async () => {
    const cwd = temporaryProject({});
    const names = [...verbs.map(({ name }) => [name]), ['new', 'agent'], ['new', 'llm']];
    for (const args of [
      ['--help'],
      ['help'],
      ...names.flatMap((name) => [
        [...name, '--help'],
        ['help', ...name],
      ]),
    ]) {
      const { code, stdout, stderr } = await agentstack(args, { cwd });
      expect(stdout, args.join(' ')).toMatch(/^Usage: agent-stack /);
      expect(stdout, args.join(' ')).toContain('\nExamples:\n  agent-stack ');
      expect(stderr).toBe('');
      expect(code).toBe(0);
    }
  });

  test.each([60, 80, 120])('fits into %i columns, with examples for every command, which can be copied', async (columns) => {
    const cwd = temporaryProject({});
    const env = { NO_COLOR: '1' };
    const names = [...commandsOf(await loadedProgram())].map((command) => pathOf(command).split(' ').filter(Boolean));
    expect(names.length).toBeGreaterThan(25);
    for (const name of names) {
      const { stdout } = await agentstack([...name, '--help'], { cwd, env, columns });
      const lines = stdout.split('\n');
      expect(
        lines.filter((line) => line.length > columns),
        name.join(' '),
      ).toEqual([]);
      if (name[0] !== 'help') expect(stdout, name.join(' ')).toContain('\nExamples:\n  agent-stack ');
      for (const line of lines.filter((each) => each.endsWith(' \\'))) expect(lines[lines.indexOf(line) + 1]).toMatch(/^ {6}\S/);
    }
  });

  test('without a verb goes to stderr, as nothing was done', async () => {
    const { code, stdout, stderr } = await agentstack([], { cwd: temporaryProject({}) });
    expect(stderr).toMatch(/^Usage: agent-stack /);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test('is wrong about nothing: every example it shows can be parsed', async () => {
    const program = await loadedProgram();
    const known = new Map([...commandsOf(program)].map((command) => [pathOf(command), command]));
    for (const command of known.values()) {
      for (const line of examplesOf(command)) {
        const words = line.split('|')[0]!.split('<')[0]!.split('>')[0]!.trim().split(/\s+/).slice(1);
        const verb = known.get(words.slice(0, 2).join(' ')) ?? known.get(words[0] ?? '');
        expect(verb, line).toBeDefined();
        const flags = new Set([verb as Command, program].flatMap(({ options }) => options.flatMap(({ long, short }) => [long, short])));
        for (const word of words.filter((each) => each.startsWith('--'))) expect([...flags], line).toContain(word.split('=')[0]);
      }
    }
  });
});

describe('what is not understood', () => {
  test.each([
    [['chek'], 'error: unknown command \'chek\'\n(Did you mean check?)\nSee "agent-stack --help".\n'],
    [['new', 'llm', 'x'], 'error: required option \'--provider <provider>\' not specified\nSee "agent-stack new llm --help".\n'],
    [['check', '--fromat', 'json'], 'error: unknown option \'--fromat\'\n(Did you mean --format?)\nSee "agent-stack check --help".\n'],
    [
      ['check', '--format', 'xml'],
      /^error: option '--format <format>' argument 'xml' is invalid\. Allowed choices are text, json, sarif, github\./,
    ],
    [['compose'], /^error: missing required argument 'agent'/],
    [['explain', 'schema', 'enum-empty'], /^error: too many arguments/],
    [['new', 'agnet', 'X'], /^error: unknown command 'agnet'\n\(Did you mean agent\?\)/],
    [['help', 'chek'], /^error: unknown command 'chek'\n\(Did you mean check\?\)/],
    [['--projct', 'x', 'check'], /^error: unknown option '--projct'\n\(Did you mean --project\?\)/],
  ])('%j: is answered with what was probably meant, and exit code 2', async (args, answer) => {
    const { code, stdout, stderr } = await agentstack(args, { cwd: toneProject() });
    if (typeof answer === 'string') expect(stderr).toBe(answer);
    else expect(stderr).toMatch(answer);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

describe('with --json a refusal is one JSON object on stdout, for every verb', () => {
  const cases: [args: string[], code: string, input?: string][] = [
    [['run', 'Tone', '--input', '-'], 'input-invalid', '[1]'],
    [['run', 'Tone', '--input', '-'], 'input-invalid', '{'],
    [['run', 'Tone', '--input', '-'], 'input-invalid', ''],
    [['run', 'Tone'], 'input-invalid'],
    [['run', 'Tonne'], 'unknown-agent-config'],
    [['run', 'Tone', '--case', 'nope'], 'usage'],
    [['run', 'Tone', '--input', 'nope.json'], 'usage'],
    [['run', 'Tone', '--timeout', 'soon'], 'usage'],
    [['run', 'Tone', '--events', 'jsonl'], 'usage'],
    [['run', 'Tone', '--project', 'nowhere'], 'usage'],
    [['run'], 'usage'],
    [['compose', 'Tone', '--input', '-'], 'input-invalid', 'null'],
    [['compose', 'Tone', '--fromat', 'text'], 'usage'],
    [['check', 'nowhere'], 'usage'],
    [['check', '--max-warnings', 'x'], 'usage'],
    [['check', '--base', 'nowhere'], 'no-repository'],
    [['explain', 'schema', 'enum-empty'], 'usage'],
    [['explain', 'nope'], 'usage'],
    [['new', 'agent', '../x'], 'usage'],
    [['new', 'agent'], 'usage'],
    [['new', 'version', 'Nobody'], 'usage'],
    [['new'], 'usage'],
    [['new', 'agnet', 'X'], 'usage'],
    [['chek'], 'usage'],
    [['help', 'chek'], 'usage'],
    [[], 'usage'],
  ];
  test.each(cases)('%j: %s', async (args, errorCode, input = '') => {
    const { code, stdout, stderr } = await agentstack([...args, '--json'], { cwd: toneProject(), input });
    const { error } = JSON.parse(stdout);
    expect(error).toMatchObject({ code: errorCode, message: expect.stringMatching(/^(?!error: )./) });
    expect(stderr).not.toBe('');
    expect(code).toBe(2);
  });

  test('--format json asks for it too, help and version do not', async () => {
    const cwd = toneProject();
    for (const format of [['--format', 'json'], ['--format=json']]) {
      const { stdout } = await agentstack(['compose', 'Tone', ...format, '--nope'], { cwd });
      expect(JSON.parse(stdout).error).toMatchObject({ code: 'usage', message: "unknown option '--nope'" });
    }
    expect((await agentstack(['check', '--help', '--json'], { cwd })).stdout).toMatch(/^Usage: /);
    expect((await agentstackProcess(['--version', '--json'], { cwd })).stdout).toBe(`${version}\n`);
  });

  test('after -- it is a name like any other', async () => {
    const { stdout } = await agentstack(['check', '--', '--json'], { cwd: toneProject() });
    expect(stdout).toBe('');
  });
});

const built = createRequire(import.meta.url)(join(dirname(cliFile), 'commands/cli.cjs')) as typeof import('../../cli/main.js');

test.each([['--version'], ['-V']])('%s prints the version of the package', async (flag) => {
  const cwd = temporaryProject({});
  const printed = { code: 0, stdout: `${version}\n`, stderr: '' };
  // Alone it is printed by the first file of the command, which loads nothing else.
  expect(await agentstackProcess([flag], { cwd })).toEqual(printed);
  expect(await agentstack(['--project', '.', flag], { cwd, main: built.main })).toEqual(printed);
});

test.each(verbs.map(({ name }) => [name]))('the built command has %s', async (name) => {
  const { code, stdout } = await agentstack([name, '--help'], { cwd: temporaryProject({}), main: built.main });
  expect(stdout).toMatch(/^Usage: agent-stack /);
  expect(code).toBe(0);
});

test('the built command ends with the exit code of its verb', async () => {
  const cwd = toneProject({ 'config/agents/Wrong/v1.json': { agent_name: 'Wrong' } });
  const codeOf = async (...args: string[]) => (await agentstackProcess(args, { cwd })).code;
  expect(await codeOf('run', 'Tone', '--case', 'greeting', '--llm', 'offline')).toBe(0);
  expect(await codeOf('check')).toBe(1);
  expect(await codeOf('run', 'Nothing')).toBe(2);
});

test('a reader that is gone before the first word does no harm', () => {
  const script = `"$NODE" "$CLI" --help | true; echo "\${PIPESTATUS[0]}"`;
  const env = { ...cleanEnvironment(), NODE: process.execPath, CLI: cliFile };
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { env, encoding: 'utf8' });
  expect(stdout).toBe('0\n');
  expect(stderr).toBe('');
});

test('docs/cli.md names every verb and every option there is', async () => {
  const page = readFileSync(join(repository, 'docs/cli.md'), 'utf8');
  for (const command of commandsOf(await loadedProgram())) {
    if (command.parent !== null && command.commands.length === 0) expect(page).toContain(`\`${pathOf(command)}\``);
    for (const flag of optionsOf(command)) expect(page, pathOf(command)).toMatch(new RegExp(`\`${flag}\\b`));
  }
});

/** The program with every verb set up, as only the used one is otherwise. */
async function loadedProgram(): Promise<Command> {
  const cli = cliFor(repository);
  const program = createProgram(cli, version);
  for (const verb of verbs) (await verb.load())(program.commands.find((command) => command.name() === verb.name) as Command, cli);
  return program;
}

/** Without hidden ones, which programs call. */
function* commandsOf(command: Command): Generator<Command> {
  yield command;
  for (const inner of command.createHelp().visibleCommands(command))
    if (inner.name() !== 'help' || command.commands.includes(inner)) yield* commandsOf(inner);
}

function pathOf(command: Command): string {
  const above = command.parent === null ? '' : pathOf(command.parent);
  return command.parent === null ? '' : `${above} ${command.name()}`.trim();
}

function optionsOf(command: Command): string[] {
  return command.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []));
}

function examplesOf(command: Command): string[] {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text.split('\n').filter((line) => line.startsWith('  agent-stack '));
}
