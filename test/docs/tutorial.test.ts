import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { agentstack, cliFile, read, temporaryProject, write } from '../cli/command.js';
import { gitIn } from '../support/gitIn.js';
import { blocksOf, pages, root } from './pages.js';
import { shellCommands } from './shell.js';

// A page that leads from an empty folder to a result is followed to the letter: its files are written, its commands run in order, each
// with exit code 0 or the one that its comment says, and what the page shows of their output is there.

/** Commands of others: a package manager needs a network, the folder is there, and jq is seldom installed. */
const notRun = new Set(['npm', 'mkdir', 'cd', 'jq']);

const followed = [
  'README.md',
  'docs/tutorial.md',
  'docs/getting-started.md',
  ...pages.filter((page) => page.startsWith('docs/migrating/')),
];

test.each(followed)('every command of %s works, and its workflow stays green', async (page) => {
  let cwd = temporaryProject(page === 'README.md' ? strangers : {});
  let printed = '';
  let workflow: Workflow | undefined;
  for (const { language, file, text, place } of blocksOf(page)) {
    if (file !== undefined) {
      write(cwd, file, text);
      if (!file.startsWith('.github/workflows/')) continue;
      workflow = beginWorkflow(cwd, text);
      runWorkflow(cwd, workflow, place);
    } else if (language === 'sh') {
      printed = '';
      for (const line of text.trim().split('\n')) {
        printed += await follow(line, cwd, place);
        const [, folder = ''] = /^cd (\S+)$/.exec(line) ?? [];
        if (folder !== '' && existsSync(join(cwd, folder))) cwd = join(cwd, folder);
      }
      if (workflow !== undefined) runWorkflow(cwd, workflow, place);
    } else if (language === 'text') {
      for (const line of text.trim().split('\n')) expect(printed, place).toContain(line.trim());
    }
  }
});

test('the workflow of docs/cli.md is green in a project with tools, and red once a schema changes in its place', async () => {
  const cwd = temporaryProject({
    'tools/index.mjs': "export const now = { name: 'now', description: 'Tells the time.', call: () => '12:00' };\n",
  });
  await agentstack(['init'], { cwd });
  write(cwd, 'agentstack.json', { tools: './tools/index.mjs' });
  const block = blocksOf('docs/cli.md').find(({ language, text }) => language === 'yaml' && text.includes('jobs:'));
  const workflow = beginWorkflow(cwd, block?.text ?? '');
  const pull = { ...workflow, env: { ...workflow.env, GITHUB_BASE_REF: 'main' } };
  runWorkflow(cwd, pull, 'init');
  await agentstack(['new', 'version', 'TicketRouter'], { cwd });
  runWorkflow(cwd, pull, 'a new version');
  const path = 'config/agents/TicketRouter/v1.json';
  write(cwd, path, read(cwd, path).replaceAll('"praise"', '"thanks"'));
  expect(() => runWorkflow(cwd, pull, 'a change')).toThrow(
    expect.objectContaining({ actual: expect.stringContaining('schema-changed-in-place') }),
  );
});

/** A repository of somebody else, as the README checks it. */
const strangers = {
  '.mcp.json': `{
  "mcpServers": {
    "github": {
      "url": "https://api.githubcopilot.com/mcp/"
    },
    "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] }
  }
}
`,
  '.cursor/mcp.json': {
    mcpServers: { docs: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', 'docs'] } },
  },
  '.claude/agents/reviewer.md':
    '---\nname: reviewer\ndescription: Reviews a change before it is merged.\ntools: Read, Grep\n---\nYou review changes.\n',
};

async function follow(line: string, cwd: string, place: string): Promise<string> {
  const expected = Number(/# exit code (\d+)/.exec(line)?.[1] ?? 0);
  let printed = '';
  for (const { words } of shellCommands(line)) {
    const [program = '', ...rest] = words[0] === 'npx' ? words.slice(1) : words;
    if (line.includes('npm pkg set type=module')) write(cwd, 'package.json', { type: 'module' });
    if (program === 'tsc') printed += compile(cwd, place);
    if (program === 'tsc' || notRun.has(program)) continue;
    if (program === 'node') {
      printed += runProgram(rest, cwd, `${place}: ${line}`);
      continue;
    }
    expect(program, `${place}: ${line}`).toBe('agent-stack');
    const { code, stdout, stderr } = await agentstack(rest, { cwd });
    printed += stdout + stderr;
    expect(`${place}: ${line} ends with ${code}\n${code === expected ? '' : printed}`).toBe(`${place}: ${line} ends with ${expected}\n`);
  }
  return printed;
}

/** With the packages that the reader has. */
function runProgram(words: readonly string[], cwd: string, place: string): string {
  mkdirSync(join(cwd, 'node_modules'), { recursive: true });
  for (const name of ['zod', 'openai'])
    if (!existsSync(join(cwd, 'node_modules', name)))
      symlinkSync(realpathSync(join(root, 'node_modules', name)), join(cwd, 'node_modules', name));
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd, encoding: 'utf8' });
  expect(`${place} ends with ${status}\n${stderr}`).toBe(`${place} ends with 0\n`);
  return stdout;
}

/** With the packages that the page has installed. */
function compile(cwd: string, place: string): string {
  mkdirSync(join(cwd, 'node_modules/@types'), { recursive: true });
  symlinkSync(root, join(cwd, 'node_modules/agent-stack'));
  symlinkSync(realpathSync(join(root, 'node_modules/@types/node')), join(cwd, 'node_modules/@types/node'));
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], { cwd, encoding: 'utf8' });
  expect(`${place}: tsc ends with ${status}\n${stdout}`).toBe(`${place}: tsc ends with 0\n`);
  return stdout;
}

interface Step {
  readonly run?: string;
}

/** A workflow of GitHub Actions, as far as the pages use them. */
interface Workflow {
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

/** The state of the project now is what pull requests are compared with. */
function beginWorkflow(cwd: string, text: string): Workflow {
  gitIn(cwd, 'init', '--quiet', '--initial-branch=main');
  write(cwd, '.git/info/exclude', 'node_modules\n');
  gitIn(cwd, 'add', '.');
  gitIn(cwd, 'commit', '--quiet', '-m', 'Begin');
  gitIn(cwd, 'checkout', '--quiet', '-b', 'work');
  const parsed = parse(text) as readonly Step[] | { readonly jobs: Readonly<Record<string, Partial<Workflow>>> };
  const { env = {}, steps = [] } = Array.isArray(parsed)
    ? { steps: parsed }
    : (Object.values((parsed as { jobs: object }).jobs)[0] as Partial<Workflow>);
  return { env, steps };
}

/** A pull request with all that was done since, in a clone on a machine that trusts nothing. */
function runWorkflow(cwd: string, { env, steps }: Workflow, place: string): void {
  gitIn(cwd, 'add', '.');
  gitIn(cwd, 'commit', '--quiet', '--allow-empty', '-m', 'Work');
  const machine = temporaryProject({ npx: `#!/usr/bin/env bash\nshift\nexec "${process.execPath}" "${cliFile}" "$@"\n` });
  chmodSync(join(machine, 'npx'), 0o755);
  gitIn(machine, 'clone', '--quiet', '--branch', 'work', cwd, 'clone');
  for (const { run } of steps) {
    if (run === undefined || run === 'npm ci') continue;
    const command = run.replaceAll('${{ github.base_ref }}', 'main');
    const variables = { PATH: `${machine}:${process.env.PATH}`, HOME: machine, CI: 'true', ...env };
    const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', command], {
      cwd: join(machine, 'clone'),
      env: variables,
      encoding: 'utf8',
    });
    expect(`after ${place}, ${command} ends with ${status}\n${status === 0 ? '' : stdout + stderr}`).toBe(
      `after ${place}, ${command} ends with 0\n`,
    );
  }
}
