import { describe, expect, test } from 'vitest';
import type { ModelReport } from '../../core/generated/types.js';
import { validateModelReport } from '../support/validateRun.js';
import { agentstack, temporaryProject } from './command.js';

const agent = (name: string, fields: object) => ({ agent_name: name, version: 'v1', system_text: 'You answer.', ...fields });

const files = {
  'agentstack.json': { models: { mine: { ends: '2026-12-01', successor: 'next' }, next: { ends: '2026-12-24', successor: 'mine' } } },
  'config/agents/A/v1.json': agent('A', { llm_config_id: 'fast' }),
  'config/agents/B/v1.json': agent('B', { llm_config_id: 'fast', persona_key: 'critic' }),
  'config/agents/C/v1.json': agent('C', { model_name: '${MODEL}' }),
  'config/agents/J/v1.json': agent('J', { model_name: 'gpt-4-0314' }),
  'config/agents/K/v1.json': agent('K', { model_name: 'gpt-5.4-mini' }),
  'config/llms/fast.json': { llm_id: 'fast', provider: 'openai', model_name: 'gpt-5-mini' },
  'config/llms/azure.json': {
    llm_id: 'azure',
    provider: 'azure_openai',
    base_url: 'https://x.openai.azure.com',
    model_name: 'gpt-4o-mini',
  },
  'config/personas/critic.json': { provider: 'openai_compatible', model_name: 'mine' },
  'config/environments/prod.json': { agents: { K: { model_name: 'gpt-4o' } }, agent_defaults: { model_name: 'gpt-4o' } },
  'config/orchestrations/flow.json': {
    entry_team: 'first',
    teams: {
      first: {
        tasks: [
          { name: 'as_is', agent_type: 'single_shot', agent: 'A@v1' },
          { name: 'other', agent_type: 'single_shot', agent: 'A@v1', config: { model_name: 'o3' } },
          { name: 'critic', agent_type: 'single_shot', persona_key: 'critic' },
        ],
      },
    },
  },
  'config/payloads/A/labels.json': { input: { q: 'x' }, expect: [{ judge: 'J@v1', output_field: 'v', operator: 'equals', value: 'y' }] },
  '.claude/agents/reviewer.md': '---\nname: reviewer\ndescription: Reviews.\nmodel: claude-opus-4-1-20250805\n---\nReview.\n',
  '.claude/agents/other.md': '---\nname: other\ndescription: Reviews.\nmodel: opus\n---\nReview.\n',
  'opencode.json': { agent: { x: { model: 'groq/llama-9' } } },
};

async function reportOf(args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<ModelReport> {
  const { stdout } = await agentstack(['models', '--json', '--as-of', '2026-11-27', ...args], { cwd, env });
  const report = JSON.parse(stdout) as ModelReport;
  expect(validateModelReport(report)).toEqual([]);
  return report;
}

describe('models', () => {
  test('--ending says of each model when it ends, where it is written, and who gets it from there', async () => {
    const { code, stdout, stderr } = await agentstack(['models', '--ending', '--as-of', '2026-11-27'], { cwd: temporaryProject(files) });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).not.toContain('gpt-5.4-mini');
    expect(stdout).toContain(
      [
        'gpt-5-mini (openai) ends on 2026-12-11, in 14 days',
        '  400k tokens, 0.25 USD in, 2.00 USD out per M',
        '  Its successor is "gpt-6.1-terra".',
        '  Source: https://developers.openai.com/api/docs/deprecations, read on 2026-11-27',
        '  config/llms/fast.json:4  A@v1',
      ].join('\n'),
    );
    expect(stdout).toMatch(
      /^gpt-4-0314 \(openai\) ended on 2026-03-26, 246 days ago\n.*\n {2}Its successor "gpt-5" ends too and leads to "gpt-6\.1-sol"\./,
    );
    expect(stdout).toContain('config/agents/J/v1.json:5  J@v1, judge of A/labels');
    expect(stdout).toContain(
      'Its successors lead in a circle: "next".\n  Source: agentstack.json\n  config/personas/critic.json:3  B@v1, flow first/critic',
    );
    expect(stdout).toMatch(/^ {2}config\/orchestrations\/flow\.json:\d+ {2}flow first\/other$/m);
    expect(stdout).toMatch(/^ {2}config\/environments\/prod\.json:\d+ {2}no agent uses it$/m);
    expect(stdout).toMatch(
      /claude-opus-4-1-20250805 \(anthropic\) ended on 2026-08-05.*\n(?:.*\n)*? {2}\.claude\/agents\/reviewer\.md:4 {2}Claude Code\n/,
    );
    expect(stdout).toContain('gpt-4o-mini (azure_openai) unknown: azure_openai stops models on days of its own');
    expect(stdout).toContain('groq/llama-9 unknown: the file does not say whose model it is');
    expect(stdout).toContain('${MODEL} (openai) unknown: it is written with a variable that is not set');
    expect(stdout).toMatch(/\n\n10 models as of 2026-11-27: 2 ended, 4 ending, 3 unknown\.\n$/);
  });

  test('without it, models that stay are listed too, with what they cost', async () => {
    const { stdout } = await agentstack(['models', '--as-of', '2026-11-27'], { cwd: temporaryProject(files) });
    expect(stdout).toContain(
      'gpt-5.4-mini (openai) no end announced\n  400k tokens, 0.75 USD in, 4.50 USD out per M\n  config/agents/K/v1.json:5  K@v1',
    );
  });

  test('a place has another model in each environment that fills in another', async () => {
    const cwd = temporaryProject({
      'agentstack.json': {},
      'config/agents/A/v1.json': agent('A', {}),
      'config/system.json': { agent_defaults: { model_name: 'gpt-4o' } },
      'config/environments/prod.json': { agent_defaults: { model_name: 'gpt-5' } },
      'config/environments/test.json': { agent_defaults: { model_name: 'gpt-5' } },
    });
    const { models, environments } = await reportOf([], cwd);
    expect(environments).toEqual(['dev', 'prod', 'test']);
    expect(models.map(({ model, places }) => [model, places.map(({ file, used_by }) => [file, used_by[0]?.environments])])).toEqual([
      [
        'gpt-5',
        [
          ['config/environments/prod.json', ['prod']],
          ['config/environments/test.json', ['test']],
        ],
      ],
      ['gpt-4o', [['config/system.json', ['dev']]]],
    ]);
    expect((await reportOf(['--env', 'dev'], cwd)).models.find(({ model }) => model === 'gpt-5')?.places[0]?.used_by).toEqual([]);
  });

  test('a variable that is set is the model', async () => {
    const { models } = await reportOf([], temporaryProject(files), { MODEL: 'gpt-5' });
    expect(models.find(({ model }) => model === 'gpt-5')).toMatchObject({
      days: 14,
      places: [{ file: 'config/agents/C/v1.json', pointer: '/model_name' }],
    });
  });

  test('--fail-within fails for what ends by then, and says what is not known', async () => {
    const cwd = temporaryProject({
      'agentstack.json': {},
      'config/agents/A/v1.json': agent('A', { model_name: 'gpt-5-mini' }),
      'config/agents/B/v1.json': agent('B', { provider: 'openai_compatible', model_name: 'nobodys' }),
    });
    const within = (days: string) => agentstack(['models', '--fail-within', days, '--as-of', '2026-11-27'], { cwd });
    expect(await within('14')).toMatchObject({ code: 1, stderr: 'It is not known whether 1 model ends by then.\n' });
    expect(await within('13')).toMatchObject({ code: 0, stderr: 'It is not known whether 1 model ends by then.\n' });
  });

  test('a day that was read long before says so', async () => {
    const cwd = temporaryProject({ 'agentstack.json': {}, 'config/agents/A/v1.json': agent('A', { model_name: 'gpt-5.1' }) });
    const { stdout } = await agentstack(['models', '--as-of', '2027-03-01'], { cwd });
    expect(stdout).toContain('ends on 2027-04-01, in 31 days');
    expect(stdout).toContain('That was 108 days before: the provider may have moved the day since.');
  });

  test('a file that cannot be read is said, a project without models has none, and the day has to be one', async () => {
    const broken = temporaryProject({ 'agentstack.json': {}, 'config/agents/A/v1.json': '{ "model_name": ' });
    expect(await agentstack(['models', '--as-of', '2026-11-27'], { cwd: broken })).toEqual({
      code: 0,
      stdout: '0 models as of 2026-11-27: nothing to judge.\n',
      stderr: 'Not read, so a model in it is not listed: config/agents/A/v1.json\n',
    });
    expect(await agentstack(['models', '--as-of', '2026-02-30'], { cwd: broken })).toMatchObject({ code: 2 });
    expect(await agentstack(['models', '--env', 'nowhere'], { cwd: broken })).toMatchObject({ code: 2 });
  });
});
