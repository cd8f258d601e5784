import { describe, expect } from 'vitest';
import { changedProject, compareFolder, type ProjectFiles, smallProject } from '../support/changedProject.js';
import { gitIn } from '../support/gitIn.js';
import { testWith } from '../support/needs.js';

const tone = smallProject['config/agents/Tone/v1.json'] as object;

/** What programs that call it notice, of each subject. */
async function breaksOf(change: ProjectFiles, before: ProjectFiles) {
  const { subjects, summary } = await compareFolder(changedProject(before, change));
  const lines = subjects.flatMap(({ name, version, contract }) =>
    contract.map(({ effect, message, place, readers }) => {
      const who = readers.map(({ words }) => words).join();
      return `${name}${version === undefined ? '' : `@${version}`} ${effect}: ${message} [${who}] ${place?.side} ${place?.file}${place?.pointer}`;
    }),
  );
  return { lines, breaking: summary.breaking };
}

/** Name, state and environments of each subject. */
async function statesAfter(change: ProjectFiles, before: ProjectFiles = smallProject) {
  const { subjects, ...others } = await compareFolder(changedProject(before, change));
  const lines = subjects.map(({ name, version, state, environments, compared_with, broken }) => {
    const with_ = compared_with === undefined ? '' : ` from ${compared_with.name}@${compared_with.version}`;
    return `${name}${version === undefined ? '' : `@${version}`} ${state}${with_} in ${environments.join(', ')}${broken === null ? '' : `, broken ${broken.side}`}`;
  });
  return { lines, ...others };
}

describe('what is compared', () => {
  testWith('git', 'nothing changes where nothing that is sent changes', async () => {
    const reordered = Object.fromEntries(Object.entries(tone).reverse());
    const { lines, unchanged, summary } = await statesAfter({ 'config/agents/Tone/v1.json': { ...reordered, description: 'Says how.' } });
    expect(lines).toEqual([]);
    expect(unchanged).toBe(3);
    expect(summary).toMatchObject({ agents: 0, orchestrations: 0, widened: 0, breaking: 0, broken: 0, max_cost_change: null });
  });

  testWith('git', 'an agent, and every orchestration that uses it', async () => {
    const { lines } = await statesAfter({ 'config/agents/Tone/v1.json': { ...tone, system_text: 'Say it kindly.' } });
    expect(lines).toEqual(['Tone@v1 changed in dev, prod', 'flow changed in dev, prod']);
  });

  testWith('git', 'a layer changes only what is above it, in its environment', async () => {
    const { lines } = await statesAfter({
      'config/environments/prod.json': { agent_defaults: { budget: { max_cost: 1 } }, agents: { Tone: { temperature: 0.1 } } },
    });
    expect(lines).toEqual(['Tone@v1 changed in prod', 'flow changed in prod']);
  });

  testWith(
    'git',
    'a new version with the one before it, an agent under another name with what it was, and what has no counterpart',
    async () => {
      expect((await statesAfter({ 'config/agents/Tone/v2.json': { ...tone, system_text: 'Say it kindly.' } })).lines).toEqual([
        'Tone@v2 new_version from Tone@v1 in dev, prod',
      ]);
      const { lines } = await statesAfter({
        'config/agents/Reply': null,
        'config/agents/Write/v1.json': smallProject['config/agents/Reply/v1.json']!,
      });
      expect(lines).toEqual(['Write@v1 moved from Reply@v1 in dev, prod', 'flow changed in dev, prod, broken after']);
      expect((await statesAfter({ 'config/agents/New/v1.json': { system_text: 'New.' } })).lines).toEqual(['New@v1 added in dev, prod']);
    },
  );

  testWith('git', 'what is broken on one side is told, and what is broken on both is not compared', async () => {
    const broken = { 'config/agents/Tone/v1.json': { ...tone, temperature: 'hot' } };
    expect((await statesAfter(broken)).lines).toEqual([
      'Tone@v1 changed in dev, prod, broken after',
      'flow changed in dev, prod, broken after',
    ]);
    const repaired = await statesAfter({ 'config/agents/Tone/v1.json': tone }, { ...smallProject, ...broken });
    expect(repaired.lines).toEqual(['Tone@v1 changed in dev, prod, broken before', 'flow changed in dev, prod, broken before']);
    const both = await statesAfter({ 'config/agents/Tone/v1.json': { ...tone, temperature: 'cold' } }, { ...smallProject, ...broken });
    expect(both.lines).toEqual([]);
    expect(both.not_compared.map(({ what }) => what)).toEqual(['agent Tone@v1', 'orchestration flow']);
  });

  testWith('git', 'a variable that is not set is compared as it is written', async () => {
    const before = {
      ...smallProject,
      'config/llms/main.json': { ...(smallProject['config/llms/main.json'] as object), model_name: '${MODEL}' },
    };
    expect((await statesAfter({}, before)).lines).toEqual([]);
    expect((await statesAfter({ 'config/agents/Tone/v1.json': { ...tone, temperature: 0.3 } }, before)).lines).toHaveLength(2);
  });

  testWith('git', 'an environment that is new or gone has nothing to be compared with', async () => {
    const { not_compared, lines } = await statesAfter({
      'config/environments/stage.json': {},
      'config/environments/prod.json': null,
    });
    expect(not_compared).toEqual([
      { what: 'environment stage', why: 'It is new: there is nothing to compare it with.' },
      { what: 'environment prod', why: 'It is gone.' },
    ]);
    expect(lines).toEqual([]);
  });

  testWith('git', 'the code of own tools, and what it imports, is not compared where it changes', async () => {
    const code = { 'tools/index.mjs': "export { tools } from './all.mjs';\n", 'tools/all.mjs': 'export const tools = [];\n' };
    const before = { ...smallProject, 'agentstack.json': { tools: './tools/index.mjs' }, ...code };
    expect((await statesAfter({}, before)).not_compared).toEqual([]);
    const { not_compared, unchanged } = await statesAfter({ 'tools/all.mjs': 'export const tools = [1];\n' }, before);
    expect(not_compared.map(({ what }) => what)).toEqual(['./tools/index.mjs']);
    expect(unchanged).toBe(3);
  });

  testWith('git', 'a project that begins', async () => {
    const { lines, not_compared } = await statesAfter(smallProject, {});
    expect(lines).toEqual(['Reply@v1 added in dev, prod', 'Tone@v1 added in dev, prod', 'flow added in dev, prod']);
    expect(not_compared.map(({ what }) => what)).toContain('everything');
  });
});

describe('the base', () => {
  testWith('git', 'is where the branch left the default branch', async () => {
    const folder = changedProject(smallProject);
    gitIn(folder, 'checkout', '-q', '-b', 'work');
    gitIn(folder, 'commit', '-q', '--allow-empty', '-m', 'mine');
    const { before, subjects } = await compareFolder(folder);
    expect(before).toEqual({ title: 'the merge base with main', commit: gitIn(folder, 'rev-parse', 'main') });
    expect(subjects).toEqual([]);
  });

  testWith('git', 'that does not exist, or that a shallow clone does not reach, is refused with the way out', async () => {
    const folder = changedProject(smallProject);
    await expect(compareFolder(folder, { base: 'nowhere' })).rejects.toThrow('Git knows no commit "nowhere"');
    gitIn(folder, 'checkout', '-q', '-b', 'work');
    gitIn(folder, 'commit', '-q', '--allow-empty', '-m', 'mine');
    gitIn(folder, 'checkout', '-q', 'main');
    gitIn(folder, 'commit', '-q', '--allow-empty', '-m', 'theirs');
    const clone = `${folder}/clone`;
    gitIn(folder, 'clone', '-q', '--depth', '1', '--no-single-branch', `file://${folder}`, clone);
    gitIn(clone, 'checkout', '-q', 'work');
    await expect(compareFolder(clone)).rejects.toThrow('fetch-depth: 0');
  });
});

describe('what programs call that is exposed', () => {
  const exposed = { system_text: 'Say it.', model_name: 'gpt-5.4-mini', user_text: 'Now.', expose: true };
  const [one, two] = ['config/agents/Open/v1.json', 'config/agents/Open/v2.json'];
  const before = { ...smallProject, [one]: exposed };
  const flow = smallProject['config/orchestrations/flow.json'] as object;
  const gone = 'It is not offered any more: programs that call it are refused.';

  testWith('git', 'breaks when it is removed, hidden or renamed', async () => {
    const reader = '[programs that call the exposed agent Open]';
    expect(await breaksOf({ [one]: null }, before)).toEqual({
      lines: [`Open@v1 breaking: ${gone} ${reader} before ${one}/expose`],
      breaking: 1,
    });
    expect((await breaksOf({ [one]: { ...exposed, expose: false } }, before)).lines).toEqual([
      `Open@v1 breaking: ${gone} ${reader} before ${one}/expose`,
    ]);
    expect((await breaksOf({ [one]: null, 'config/agents/Wide/v1.json': exposed }, before)).lines).toEqual([
      `Wide@v1 breaking: ${gone} ${reader} before ${one}/expose`,
    ]);
    expect(
      (
        await breaksOf(
          { 'config/orchestrations/flow.json': null },
          { ...smallProject, 'config/orchestrations/flow.json': { ...flow, expose: true } },
        )
      ).lines,
    ).toEqual([`flow breaking: ${gone} [programs that call the exposed orchestration flow] before config/orchestrations/flow.json/expose`]);
  });

  testWith('git', 'may get another version where that is exposed too', async () => {
    const unknown = 'It is not offered any more: programs that call it get another version of the agent, or are refused.';
    expect(await breaksOf({ [two]: null }, { ...before, [two]: exposed })).toEqual({
      lines: [`Open@v2 unknown: ${unknown} [] before ${two}/expose`],
      breaking: 0,
    });
    expect((await breaksOf({ [one]: null, [two]: exposed }, before)).lines).toEqual([
      `Open@v2 unknown: ${unknown} [] before ${one}/expose`,
    ]);
  });

  testWith('git', 'is as before where it stays, comes, or was never offered', async () => {
    expect((await breaksOf({ [two]: { ...exposed, expose: false } }, before)).lines).toEqual([]);
    expect((await breaksOf({ [one]: exposed }, smallProject)).lines).toEqual([]);
    expect((await breaksOf({ [one]: null }, { ...smallProject, [one]: { ...exposed, expose: false } })).lines).toEqual([]);
  });
});
