import { describe, expect, test } from 'vitest';
import { builtInProviderNames } from '../../core/builtInProviders.js';
import { agentstack, listFiles, read, temporaryProject, toneProject } from './command.js';

const parse = (cwd: string, path: string) => JSON.parse(read(cwd, path));

/** No error and no warning; that nothing uses a new file yet is a hint. */
async function expectClean(cwd: string): Promise<void> {
  const { code, stdout } = await agentstack(['check', '--max-warnings', '0'], { cwd });
  expect(stdout).not.toMatch(/error|warning/);
  expect(code).toBe(0);
}

describe('new agent --type', () => {
  test.each([
    ['react', { answer: expect.any(String), files: expect.any(Array) }],
    ['orchestrating', { summary: expect.any(String), reply: expect.any(String) }],
  ])('%s: creates an agent that checks clean and runs at once', async (type, answer) => {
    const cwd = toneProject();
    const { code, stderr } = await agentstack(['new', 'agent', 'Helper', '--type', type], { cwd });
    expect(stderr).toBe('Try it: agent-stack run Helper --case example\n');
    expect(code).toBe(0);
    expect(parse(cwd, 'config/agents/Helper/v1.json')).toMatchObject({ $schema: 'agent-stack:agent.schema.json', agent_type: type });
    await expectClean(cwd);
    const ran = await agentstack(['run', 'Helper', '--case', 'example'], { cwd });
    expect(JSON.parse(ran.stdout)).toEqual(answer);
  });

  test('takes no --mode', async () => {
    const { code, stderr } = await agentstack(['new', 'agent', 'X', '--type', 'react', '--mode', 'Writer'], { cwd: toneProject() });
    expect(stderr).toBe('error: --mode is for single_shot agents; a new react agent has none.\n');
    expect(code).toBe(2);
  });
});

describe('new orchestration', () => {
  test('has a team for the first agent, checks clean and runs at once', async () => {
    const cwd = toneProject();
    const { stdout, stderr } = await agentstack(['new', 'orchestration', 'letters'], { cwd });
    expect(stdout).toBe('created config/orchestrations/letters.json\ncreated config/payloads/letters/example.json\n');
    expect(stderr).toBe('Try it: agent-stack orchestrate letters --case example\n');
    expect(parse(cwd, 'config/orchestrations/letters.json')).toEqual({
      $schema: 'agent-stack:orchestration.schema.json',
      name: 'letters',
      entry_team: 'tone',
      input_keys: ['text'],
      teams: {
        tone: {
          name: 'Tone',
          tasks: [{ name: 'tone', agent: 'Tone@v1', input: { text: '{{context.text}}' } }],
        },
      },
    });
    await expectClean(cwd);
    expect((await agentstack(['orchestrate', 'letters', '--case', 'example'], { cwd })).code).toBe(0);
  });

  test('has the agents that are named, one team after the other', async () => {
    const cwd = toneProject();
    await agentstack(['new', 'agent', 'Summary', '--mode', 'Writer'], { cwd });
    const args = ['new', 'orchestration', 'letters', '--agent', 'Summary', '--agent', 'Tone@v1', '--agent', 'Tone'];
    expect((await agentstack(args, { cwd })).code).toBe(0);
    const { entry_team, teams } = parse(cwd, 'config/orchestrations/letters.json');
    expect(entry_team).toBe('summary');
    expect(Object.entries(teams).map(([id, team]) => [id, (team as { routing: unknown }).routing])).toEqual([
      ['summary', { default: 'tone' }],
      ['tone', { default: 'tone_2' }],
      ['tone_2', undefined],
    ]);
    await expectClean(cwd);
    expect((await agentstack(['orchestrate', 'letters', '--case', 'example'], { cwd })).code).toBe(0);
  });

  test('creates an agent too where there is none', async () => {
    const cwd = temporaryProject({ 'agentstack.json': {} });
    const { stdout } = await agentstack(['new', 'orchestration', 'issue_intake', '--json'], { cwd });
    expect(JSON.parse(stdout).created).toEqual([
      'config/orchestrations/issue_intake.json',
      'config/payloads/issue_intake/example.json',
      'config/agents/IssueIntakeAgent/v1.json',
      'config/payloads/IssueIntakeAgent/example.json',
      'config/llms/offline.json',
    ]);
    await expectClean(cwd);
    expect((await agentstack(['orchestrate', 'issue_intake', '--case', 'example'], { cwd })).code).toBe(0);
  });

  test.each([
    [['letters', '--agent', 'Tonne'], 'There is no agent "Tonne". Did you mean "Tone"?'],
    [['letters', '--agent', 'Tone@v2'], 'Tone has no version "v2". Versions: v1.'],
    [['a/b'], '"a/b" is not a valid name'],
  ])('%j is refused', async (args, words) => {
    const cwd = toneProject();
    const { code, stderr } = await agentstack(['new', 'orchestration', ...args], { cwd });
    expect(stderr).toContain(words);
    expect(code).toBe(2);
    expect(listFiles(cwd)).toHaveLength(3);
  });
});

describe('new persona, prompt and llm', () => {
  test.each([
    ['persona', 'config/personas/friendly_editor.json', '"persona_key": "friendly_editor"'],
    ['prompt', 'config/prompts/friendly_editor/v1.md', '"prompts": { "system_prompt": "friendly_editor@v1" }'],
  ])('a %s checks clean, and what uses it is said', async (kind, path, words) => {
    const cwd = toneProject();
    const { code, stdout, stderr } = await agentstack(['new', kind, 'friendly_editor'], { cwd });
    expect(stdout).toBe(`created ${path}\n`);
    expect(stderr).toContain(words);
    expect(code).toBe(0);
    if (kind === 'persona') expect(parse(cwd, path).$schema).toBe(`agent-stack:${kind}.schema.json`);
    await expectClean(cwd);
    const again = await agentstack(['new', kind, 'Friendly_Editor'], { cwd });
    expect(again.stderr).toContain(`A ${kind} named friendly_editor already exists (${path}).`);
    expect(again.code).toBe(2);
  });

  test.each(builtInProviderNames.map((provider) => [provider]))('a profile of %s checks clean', async (provider) => {
    const cwd = toneProject({ 'config/system.json': { agent_defaults: { llm_config_id: 'offline' } } });
    const { code } = await agentstack(['new', 'llm', 'x', '--provider', provider], { cwd });
    expect(code).toBe(0);
    expect(parse(cwd, 'config/llms/x.json')).toMatchObject({ $schema: 'agent-stack:llm.schema.json', llm_id: 'x', provider });
    await expectClean(cwd);
  });

  test('says where the key goes, and takes a model', async () => {
    const cwd = toneProject();
    const { stderr } = await agentstack(['new', 'llm', 'large', '--provider', 'openai', '--model', 'gpt-5.4'], { cwd });
    expect(stderr).toContain('environment variable OPENAI_API_KEY');
    expect(parse(cwd, 'config/llms/large.json').model_name).toBe('gpt-5.4');
  });

  test('says when agents that name no model have to name one', async () => {
    const cwd = toneProject();
    const { stderr } = await agentstack(['new', 'llm', 'anthropic', '--provider', 'anthropic'], { cwd });
    expect(stderr).toContain('Agents that name no model used offline, the only profile until now, and have to name one from now on');
    expect((await agentstack(['new', 'llm', 'openai', '--provider', 'openai'], { cwd })).stderr).not.toContain('from now on');
    const settled = toneProject({ 'config/system.json': { agent_defaults: { llm_config_id: 'offline' } } });
    expect((await agentstack(['new', 'llm', 'anthropic', '--provider', 'anthropic'], { cwd: settled })).stderr).not.toContain(
      'from now on',
    );
  });

  test.each([
    [['llm', 'x'], "required option '--provider <provider>' not specified"],
    [['llm', 'x', '--provider', 'opnai'], '--provider opnai: there is no such provider. There are openai,'],
    [['llm', 'con', '--provider', 'offline'], 'not the name of a Windows device'],
  ])('%j is refused', async (args, words) => {
    const { code, stderr } = await agentstack(['new', ...args], { cwd: toneProject() });
    expect(stderr).toContain(words);
    expect(code).toBe(2);
  });
});

describe('new case', () => {
  const input_schema = {
    type: 'object',
    required: ['text', 'size'],
    additionalProperties: false,
    properties: {
      text: { type: 'string', examples: ['Hello'] },
      size: { enum: ['small', 'large'] },
      pages: { type: 'integer', minimum: 2 },
    },
  };

  test('has the keys of the newest version, with values that its schema allows', async () => {
    const cwd = toneProject();
    await agentstack(['new', 'version', 'Tone'], { cwd });
    const agent = parse(cwd, 'config/agents/Tone/v2.json');
    const { write } = await import('./command.js');
    write(cwd, 'config/agents/Tone/v2.json', { ...agent, input_keys: ['text', 'size'], input_schema });
    const { code, stdout, stderr } = await agentstack(['new', 'case', 'Tone', 'short'], { cwd });
    expect(stdout).toBe('created config/payloads/Tone/short.json\n');
    expect(stderr).toBe('Try it: agent-stack run Tone --case short\n');
    expect(code).toBe(0);
    const { input, $schema } = parse(cwd, 'config/payloads/Tone/short.json');
    expect($schema).toBe('agent-stack:payload.schema.json');
    expect(input).toEqual({ text: 'Hello', size: 'small', pages: expect.any(Number) });
    expect((await agentstack(['run', 'Tone', '--case', 'short'], { cwd })).code).toBe(0);
  });

  test('checks clean', async () => {
    const cwd = toneProject();
    expect((await agentstack(['new', 'case', 'Tone', 'short'], { cwd })).code).toBe(0);
    expect(parse(cwd, 'config/payloads/Tone/short.json').input).toEqual({ text: 'Write the text here.' });
    await expectClean(cwd);
  });

  test.each([
    [['Tonne', 'x'], 'There is no agent "Tonne". Did you mean "Tone"?'],
    [['Tone', 'Greeting'], 'A case named Tone/greeting already exists (config/payloads/Tone/greeting.json).'],
    [['Tone', '../x'], '"../x" is not a valid name'],
  ])('%j is refused', async (args, words) => {
    const cwd = toneProject();
    const { code, stderr } = await agentstack(['new', 'case', ...args], { cwd });
    expect(stderr).toContain(words);
    expect(code).toBe(2);
    expect(listFiles(cwd)).toHaveLength(3);
  });
});
