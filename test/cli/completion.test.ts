// What the Tab key completes, asked in each shell that is installed.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { scripts } from '../../cli/completion/scripts.js';
import { testWith } from '../support/needs.js';
import { agentstack, cleanEnvironment, cliFile, toneProject } from './command.js';

const files = {
  'config/payloads/Tone/polite.json': { input: { text: 'Hello' } },
  'config/payloads/Tone/set.json': { cases: [{ name: 'one', input: { text: 'Hello' } }] },
  'config/environments/prod.json': {},
};

async function completed(words: readonly string[], cwd = toneProject(files)): Promise<readonly string[]> {
  const { stdout, stderr, code } = await agentstack(['complete', '--', ...words], { cwd });
  expect([stderr, code]).toEqual(['', 0]);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('complete', () => {
  const names = async (...words: string[]) => (await completed(words)).map((line) => line.split('\t')[0]);

  test('knows commands and what they are for, options and their choices', async () => {
    expect(await completed(['ru'])).toEqual([
      'run\trun an agent and validate its answer',
      'runs\tlist, show, compare, resume, verify and delete runs',
    ]);
    expect(await names('runs', 'l')).toEqual(['list']);
    expect(await names('check', '--format', 's')).toEqual(['sarif']);
    expect(await names('check', '--format=s')).toEqual(['--format=sarif']);
    expect(await names('run', 'Tone', '--js')).toEqual(['--json']);
    expect(await names('')).not.toContain('complete');
  });

  test('knows the names of the project', async () => {
    expect(await names('run', '')).toEqual(['Tone', 'Tone@v1']);
    expect(await names('run', 'Tone', '--case', '')).toEqual(['greeting', 'polite', 'set/one']);
    expect(await names('compose', '--llm', 'offline', 'Tone@')).toEqual(['Tone@v1']);
    expect(await names('compose', 'Tone', '--llm', 'off')).toEqual(['offline']);
    expect(await names('compose', 'Tone', '--env', '')).toEqual(['prod']);
    expect(await names('explain', 'enum-d')).toEqual(['enum-duplicate-value']);
  });

  test('leaves names of files to the shell', async () => {
    expect(await completed(['run', 'Tone', '--input', 'x'])).toEqual([':files']);
    expect(await completed(['check', 'con'])).toEqual([':files']);
  });

  test('never fails: outside of a project, with options that there are not, after what is wrong', async () => {
    const nowhere = mkdtempSync(join(tmpdir(), 'nowhere-'));
    onTestFinished(() => rmSync(nowhere, { recursive: true }));
    expect(await completed(['run', ''], nowhere)).toEqual([]);
    for (const words of [[], ['--nonsense', ''], ['run', '--', ''], ['nonsense', ''], ['run', 'Tone', 'too', 'much', '']])
      await completed(words);
  });
});

/** As a word of a shell, of which nothing is run. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Asks each shell what it offers behind a line. */
const asks: Readonly<Record<keyof typeof scripts, (line: string) => string>> = {
  bash: (line) => `COMP_LINE=${quoted(line)}; COMP_POINT=\${#COMP_LINE}; _agent_stack; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // Outside of its line editor zsh completes nothing: what the function gives it is printed.
  zsh: (line) => {
    const words = line.split(' ');
    return `_describe() { local -a given; given=("\${(@P)4}"); print -l -- "\${(@)given%%:*}" }; _files() { print files }
words=(${words.map(quoted).join(' ')}); CURRENT=${words.length}; PREFIX=${quoted(words.at(-1) ?? '')}; _agent_stack`;
  },
  fish: (line) => `complete -C ${quoted(line)} | string replace -r '\\t.*' ''`,
};

describe.each(Object.keys(scripts) as (keyof typeof scripts)[])('%s', (shell) => {
  testWith(shell, 'offers what there is, and runs nothing of what is typed', () => {
    const cwd = toneProject(files);
    const bin = mkdtempSync(join(tmpdir(), 'agent-stack-bin-'));
    onTestFinished(() => rmSync(bin, { recursive: true }));
    writeFileSync(join(bin, 'agent-stack'), `#!/bin/sh\nexec "${process.execPath}" "${cliFile}" "$@"\n`);
    chmodSync(join(bin, 'agent-stack'), 0o755);
    mkdirSync(join(bin, 'home'));
    const env = { ...cleanEnvironment(), HOME: join(bin, 'home'), PATH: `${bin}${delimiter}${process.env.PATH}` };
    const offered = (line: string) => {
      const before = shell === 'zsh' ? 'compdef() { : }\n' : '';
      const { stdout, stderr } = spawnSync(shell, ['-c', `${before}${scripts[shell]}\n${asks[shell](line)}`], {
        cwd,
        env,
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      return stdout.split('\n').filter((each) => each !== '');
    };
    expect(offered('agent-stack run ')).toEqual(['Tone', 'Tone@v1']);
    expect(offered('agent-stack run Tone --llm off')).toEqual(['offline']);
    offered('agent-stack run $(touch${IFS}stolen) `touch${IFS}stolen` ');
    expect(spawnSync('ls', { cwd, encoding: 'utf8' }).stdout).not.toContain('stolen');
  });
});
