import { expect, test } from 'vitest';
import { importInto } from './support.js';

const config = `description: Translate
prompts:
  - "Convert to {{language}}: {{text}}"
  - file://chat.json
  - file://more.txt
providers:
  - openai:gpt-5.4-mini
  - id: anthropic:messages:claude-sonnet-4-6
    label: claude
    config: { temperature: 0.2, max_tokens: 500, odd: 1 }
defaultTest:
  assert: [{ type: cost, threshold: 0.01 }]
tests:
  - description: The usual one
    vars: { language: [French, German], text: Hello }
    assert:
      - { type: icontains-any, value: [bonjour, hallo] }
      - { type: not-starts-with, value: "Sure." }
      - { type: llm-rubric, value: is polite }
      - { type: javascript, value: output.length < 9 }
  - vars: { language: Welsh, wanted: Helo }
    assert:
      - { type: equals, value: "{{wanted}}" }
      - { type: contains, value: "{{nothing}}" }
scenarios: [{}]
`;

const files = {
  'promptfooconfig.yaml': config,
  'chat.json': '[{"role":"system","content":"You translate to {{ language }}."},{"role":"user","content":"{{text}}"}]',
  'more.txt': 'One {{ text | upper }}\n---\nTwo {{text}}\n',
};

async function imported() {
  const { plan } = await importInto(files, { entry: 'promptfooconfig.yaml' });
  const value = (path: string) => JSON.parse(plan.files.find((file) => file.path === path)!.text);
  return { plan, value };
}

test('prompts become versions of an agent that is sent as written, providers profiles', async () => {
  const { plan, value } = await imported();
  expect(plan.files.map(({ path }) => path).sort()).toEqual([
    ...[1, 2, 3, 4].map((version) => `config/agents/Translate/v${version}.json`),
    'config/agents/Translate_judge/v1.json',
    'config/llms/claude.json',
    'config/llms/openai_gpt-5.4-mini.json',
    'config/payloads/Translate/tests.json',
  ]);
  expect(value('config/agents/Translate/v1.json')).toMatchObject({
    user_text: 'Convert to {{input.language}}: {{input.text}}',
    input_keys: ['language', 'text'],
    llm_config_id: 'openai_gpt-5.4-mini',
  });
  expect(value('config/agents/Translate/v2.json')).toMatchObject({
    system_text: 'You translate to {{input.language}}.',
    user_text: '{{input.text}}',
  });
  expect(value('config/agents/Translate/v4.json').user_text.trim()).toBe('Two {{input.text}}');
  expect(value('config/llms/claude.json')).toMatchObject({
    provider: 'anthropic',
    model_name: 'claude-sonnet-4-6',
    temperature: 0.2,
    max_output_tokens: 500,
  });
  expect(plan.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('tests become cases, each combination of vars one, with assertions as expectations and rubrics as judges', async () => {
  const { value } = await imported();
  const { cases } = value('config/payloads/Translate/tests.json');
  const cost = { measure: 'cost_usd', operator: 'less_than', value: 0.01 };
  const says = (text: string) => ({ text: true, operator: 'contains', value: text, ignore_case: true });
  expect(cases).toEqual([
    ...['French', 'German'].map((language, index) => ({
      name: index === 0 ? 'The_usual_one' : 'The_usual_one_2',
      input: { language, text: 'Hello' },
      expect: [
        cost,
        { any: [says('bonjour'), says('hallo')] },
        { not: { text: true, operator: 'matches', value: '^Sure\\.' } },
        { judge: 'Translate_judge@v1', output_field: 'verdict', operator: 'equals', value: 'met' },
      ],
    })),
    // A variable without a value is empty there.
    {
      name: 'test_3',
      input: { language: 'Welsh', text: '', wanted: 'Helo' },
      expect: [cost, { text: true, operator: 'equals', value: 'Helo' }],
    },
  ]);
  expect(value('config/agents/Translate_judge/v1.json').system_text).toContain('is polite');
});

test('what has no counterpart is named with its place, once', async () => {
  const { plan } = await imported();
  expect(plan.notes.map(({ file, line, message }) => `${file}:${line} ${message.split(/[:.]/)[0]}`)).toEqual([
    'more.txt:1 "{{ text | upper }}" is not filled in here',
    'promptfooconfig.yaml:7 The agents use "openai_gpt-5',
    'promptfooconfig.yaml:10 "odd" has no counterpart and is left out',
    expect.stringMatching(/"The usual one" is named "The_usual_one"|The assertion "javascript" is left out/),
    ...plan.notes.slice(4).map(() => expect.any(String)),
  ]);
  const said = plan.notes.map(({ message }) => message).join('\n');
  for (const words of [
    'The assertion "javascript" is left out',
    'The assertion "contains" is left out',
    '"scenarios" of a promptfoo config has no counterpart',
  ])
    expect(said.split(words).length, words).toBe(2);
});

test.each([
  ['no prompt that can be read', 'prompts: [prompts.py]\nproviders: [openai:gpt-5.4-mini]\n', /Nothing in it can be imported/],
  ['a provider that is a program', 'prompts: [Hi]\nproviders: [exec:./run.sh]\n', undefined],
])('%s', async (_name, text, refusal) => {
  const plan = importInto({ 'promptfooconfig.yaml': text }, { entry: 'promptfooconfig.yaml' });
  if (refusal !== undefined) await expect(plan).rejects.toThrow(refusal);
  else expect((await plan).plan.notes[0]?.message).toContain('"exec:./run.sh" is left out');
});

/** What a config becomes, and what is said of it. */
async function plannedOf(value: object, others: Readonly<Record<string, string>> = {}) {
  const { plan } = await importInto({ 'promptfooconfig.json': JSON.stringify(value), ...others }, { entry: 'promptfooconfig.json' });
  const at = (end: string) => JSON.parse(plan.files.find(({ path }) => path.endsWith(end))?.text ?? 'null');
  return { at, notes: plan.notes.map(({ message }) => message).join('\n') };
}

test('assertions that refer to a template of the config are those of the template', async () => {
  const { at, notes } = await plannedOf({
    prompts: ['Say {{a}}'],
    assertionTemplates: { short: { type: 'icontains', value: 'hi' } },
    tests: [{ vars: { a: 'x' }, assert: [{ $ref: '#/assertionTemplates/short' }, { $ref: '#/assertionTemplates/none' }] }],
  });
  expect(at('/tests.json').cases[0].expect).toEqual([{ text: true, operator: 'contains', value: 'hi', ignore_case: true }]);
  expect(notes).toContain('It is not an assertion with a type');
});

test('a prompt file that cannot be read is told, and hides no other prompt', async () => {
  const { at, notes } = await plannedOf(
    { prompts: ['file://chat.json', 'Say {{a}}'], tests: [{ vars: { a: 'x' } }] },
    { 'chat.json': '[{"role": "user", "content": {{ a | dump }}}]' },
  );
  expect(at('/v1.json').user_text).toBe('Say {{input.a}}');
  expect(notes).toContain('Left out: chat.json:1:31');
});

test('a config without prompts sends the variable of this name, and one for red teaming is refused with the reason', async () => {
  const { at } = await plannedOf({ providers: ['openai:gpt-5.4-mini'], tests: [{ vars: { prompt: 'Hello' } }] });
  expect(at('/v1.json').user_text).toBe('{{input.prompt}}');
  await expect(plannedOf({ targets: ['openai:gpt-5.4-mini'], redteam: { plugins: [] } })).rejects.toThrow('There is no red teaming here.');
  await expect(plannedOf({ providers: ['https://example.com/ask'], tests: [{ vars: { prompt: 'Hello' } }] })).rejects.toThrow(
    'no prompt that can be read',
  );
});

test('a variable that is a whole list is one case', async () => {
  const tests = [{ vars: { a: ['x', 'y'] } }];
  const options = { disableVarExpansion: true };
  expect((await plannedOf({ prompts: ['{{a}}'], tests })).at('/tests.json').cases).toHaveLength(2);
  expect((await plannedOf({ prompts: ['{{a}}'], tests, defaultTest: { options } })).at('/tests.json').cases).toMatchObject([
    { input: { a: ['x', 'y'] } },
  ]);
});

test.each([
  ['openai:chat:ft:gpt-5.4-mini:acme::7p4', 'ft:gpt-5.4-mini:acme::7p4'],
  ['anthropic:claude-agent-sdk', undefined],
  ['openai:embedding:text-embedding-3-large', undefined],
  ['anthropic:messages:claude-sonnet-4-6', 'claude-sonnet-4-6'],
])('the provider %s is the model %s', async (id, model_name) => {
  const { at, notes } = await plannedOf({ prompts: ['{{a}}'], providers: [id], tests: [{ vars: { a: 'x' } }] });
  expect(at('/v1.json').model_name).toBe(model_name);
  expect(notes.includes('is no model that can be reached')).toBe(model_name === undefined);
});

test('a chat in a YAML file', async () => {
  const chat = '- role: system\n  content: You sort for {{team}}.\n- role: user\n  content: "{{text}}"\n';
  const sources = {
    'promptfooconfig.yaml': 'description: Sort\nprompts: [file://chat.yaml]\nproviders: [openai:gpt-5.4-mini]\n',
    'chat.yaml': chat,
  };
  const { read } = await importInto(sources, { entry: 'promptfooconfig.yaml' });
  expect(read('config/agents/Sort/v1.json')).toMatchObject({ system_text: 'You sort for {{input.team}}.', user_text: '{{input.text}}' });
});
