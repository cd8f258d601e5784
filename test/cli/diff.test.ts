import { describe, expect } from 'vitest';
import { deskProject, type PullRequest } from '../diff/pullRequests/project.js';
import { expectedOf, told } from '../diff/pullRequests/told.js';
import { withEffect } from '../diff/pullRequests/withEffect.js';
import { withoutEffect } from '../diff/pullRequests/withoutEffect.js';
import { changedProject, smallProject, writeProject } from '../support/changedProject.js';
import { gitIn } from '../support/gitIn.js';
import { testWith } from '../support/needs.js';
import { agentstack } from './command.js';

const tone = smallProject['config/agents/Tone/v1.json'] as object;
const kinder = { 'config/agents/Tone/v1.json': { ...tone, system_text: 'Say kindly how a text sounds.' } };

const pick = (all: Readonly<Record<string, PullRequest>>, name: string) => [name, all[name] as PullRequest] as const;

describe('diff', () => {
  testWith('git', 'says what changes, by which file, and what does not', async () => {
    const { code, stdout, stderr } = await agentstack(['diff'], { cwd: changedProject(smallProject, kinder) });
    expect(stdout).toContain('agent Tone@v1, in dev and prod\n  Caused by\n    config/agents/Tone/v1.json changes system_text\n');
    expect(stdout).toContain('Say{+ kindly+} how a text sounds.');
    expect(stdout).toContain('orchestration flow, in dev and prod\n');
    expect(stdout).toContain('\n1 other: nothing that is sent changes, by equal hashes.\n');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  testWith('git', 'narrows to what is named, and to an environment', async () => {
    const cwd = changedProject(smallProject, kinder);
    const { stdout } = await agentstack(['diff', 'flow', '--env', 'prod', '--json'], { cwd });
    const { subjects, unchanged } = JSON.parse(stdout);
    expect(subjects.map(({ name, environments }: { name: string; environments: string[] }) => [name, environments])).toEqual([
      ['flow', ['prod']],
    ]);
    expect(unchanged).toBe(0);
    expect(await agentstack(['diff', 'flows'], { cwd })).toMatchObject({ code: 2, stdout: '' });
    expect((await agentstack(['diff', '--env', 'nowhere'], { cwd })).code).toBe(2);
  });

  testWith('git', 'compares two of a name with each other', async () => {
    const cwd = changedProject({ ...smallProject, 'config/agents/Tone/v2.json': kinder['config/agents/Tone/v1.json'] });
    const { stdout } = await agentstack(['diff', 'Tone@v1', 'Tone@v2'], { cwd });
    expect(stdout).toContain('Tone@v2, environment dev, compared with Tone@v1, environment dev.');
    expect(stdout).toContain('Say{+ kindly+} how a text sounds.');
    expect((await agentstack(['diff', 'Tone', 'Reply'], { cwd })).stdout).toMatch(/^Nothing that is sent changes\n/);
  });

  testWith('git', 'exits with 1 for what --fail-on names, and for what is not known', async () => {
    const cwd = changedProject(smallProject, { 'config/environments/prod.json': { agent_defaults: { budget: { max_cost: 2 } } } });
    expect((await agentstack(['diff'], { cwd })).code).toBe(0);
    const dearer = await agentstack(['diff', '--fail-on', 'breaking', '--fail-on', 'widening'], { cwd });
    expect(dearer.code).toBe(1);
    expect(dearer.stderr).toContain('agent Reply@v1: A run may cost');
    writeProject(cwd, { ...kinder, 'config/environments/prod.json': smallProject['config/environments/prod.json']! });
    expect((await agentstack(['diff', '--fail-on', 'widening', '--fail-on', 'cost:+500%'], { cwd })).code).toBe(0);
    expect(await agentstack(['diff', '--fail-on', 'cost:+1%'], { cwd })).toMatchObject({ code: 0 });
    writeProject(cwd, { 'config/agents/Tone/v1.json': { ...tone, temperature: 'hot' } });
    expect((await agentstack(['diff', '--fail-on', 'breaking'], { cwd })).stderr).toContain('agent Tone@v1 cannot run');
    const refused = await agentstack(['diff', '--fail-on', 'dearer'], { cwd });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('cost:+10%');
  });

  for (const [name, pullRequest] of [
    pick(withoutEffect, 'a config folder under another name'),
    pick(withoutEffect, 'files with tabs, line ends of Windows and a byte order mark'),
    pick(withEffect, 'the code of an own tool no longer asks for an approval'),
    pick(withEffect, 'a rule comes and another goes'),
  ])
    testWith('git', `finds the same as in memory: ${name}`, async () => {
      const { before, change } = pullRequest;
      const cwd = changedProject({ ...deskProject, ...before }, change);
      const { stdout } = await agentstack(['diff', '--json', '--trust'], { cwd });
      expect(told(JSON.parse(stdout))).toEqual(expectedOf(pullRequest));
    });

  testWith('git', 'says that --fail-on does not cover what was not compared', async () => {
    const { before, change } = withEffect['the code of an own tool no longer asks for an approval'] as PullRequest;
    const cwd = changedProject({ ...deskProject, ...before }, change);
    const { code, stderr } = await agentstack(['diff', '--fail-on', 'widening', '--trust'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '--fail-on does not cover what was not compared: 1 item, listed at the end.\n' });
  });

  testWith('git', 'prints Markdown for a pull request', async () => {
    const { stdout, code } = await agentstack(['diff', '--format', 'markdown'], { cwd: changedProject(smallProject, kinder) });
    expect(stdout).toContain('### agent Tone&#64;v1, in dev and prod');
    expect(stdout).toContain('Say<ins> kindly</ins> how a text sounds.');
    expect(code).toBe(0);
  });

  testWith('git', 'says what is missing where there is nothing to compare with', async () => {
    const cwd = changedProject(smallProject);
    const { code, stderr } = await agentstack(['diff', '--base', 'nowhere'], { cwd });
    expect(stderr).toBe(`error: Git knows no commit "nowhere" in ${cwd}. Check its name, or fetch it first.\n`);
    expect(code).toBe(2);
  });
});

describe('verdicts', () => {
  const tested = {
    ...smallProject,
    'config/llms/main.json': { llm_id: 'main', provider: 'offline' },
    'config/payloads/Tone/two.json': {
      cases: [
        { name: 'one', input: { text: 'Hello' }, expect: [{ output_field: 'tone', operator: 'exists' }] },
        { name: 'two', input: { text: 'Dear Sir' }, expect: [{ output_field: 'tone', operator: 'exists' }] },
      ],
    },
  };

  testWith('git', 'are carried over as eval --against would, and without a baseline this is said', async () => {
    const cwd = changedProject(tested, kinder);
    const missing = await agentstack(['diff', 'Tone'], { cwd });
    expect(missing.stdout).toContain('verdicts: There is no baseline of "Tone" to carry over from: `eval --save-baseline` writes one.');
    writeProject(cwd, { 'config/agents/Tone/v1.json': tone });
    await agentstack(['eval', 'Tone', '--save-baseline'], { cwd });
    gitIn(cwd, 'add', '.');
    gitIn(cwd, 'commit', '-q', '-m', 'verdicts');
    writeProject(cwd, kinder);
    const { stdout } = await agentstack(['diff', 'Tone'], { cwd });
    expect(stdout).toContain('0 of 2 verdicts carried over, 2 changed; asking again: at most 2 calls, 0 USD');
  });
});
