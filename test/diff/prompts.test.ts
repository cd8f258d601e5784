import { describe, expect, test } from 'vitest';
import { comparePrompts } from '../../core/diff/prompts.js';
import type { PromptChange } from '../../core/diff/types.js';
import { type Files, sideOf, sidesOf } from './sides.js';

const agent = {
  agent_name: 'A',
  version: 'v1',
  mode: 'Chooser',
  persona_key: 'kind',
  llm_config_id: 'm',
  purpose_text: 'Choose the tone that fits the task. Look at every word of it before you decide, and prefer the calmer one.',
  output_schema: {
    type: 'object',
    required: ['tone'],
    additionalProperties: false,
    properties: { tone: { type: 'string', enum: ['direct', 'friendly'], description: 'how the answer should sound' } },
  },
};
const files: Files = {
  'agents/A/v1': agent,
  'personas/kind': { system_text: 'You are kind.\nYou never shout.' },
  'llms/m': { llm_id: 'm', provider: 'openai', model_name: 'gpt-4.1-mini' },
};

/** `system (2 -> 3): ...kept [-removed-]{+added+}... @ file#pointer`. */
const words = (changes: readonly PromptChange[]) =>
  changes.map(({ instance, also, part, hunks, places, more_hunks }) => {
    const texts = hunks.map((hunk) =>
      hunk.words.map(({ mark, text }) => (mark === '-' ? `[-${text}-]` : mark === '+' ? `{+${text}+}` : text)).join(''),
    );
    const where = places.map(({ file, pointer }) => `${file}#${pointer}`).join(' ');
    const more = [...also, ...(more_hunks > 0 ? [`${more_hunks} more`] : [])].map((word) => ` +${word}`).join('');
    return `${instance}${more} ${part}: ${texts.join(' | ')} @ ${where}`;
  });
const changed = async (change: Files, base = files, name = 'A') => words(await comparePrompts(...(await sidesOf(base, change, name))));

describe('what changes of a request', () => {
  test('is nothing where the bytes are equal', async () => {
    const same = [
      {},
      { 'agents/A/v1': { ...agent, description: 'for people' } },
      { 'agents/A/v1': Object.fromEntries(Object.entries(agent).reverse()) },
      { 'agents/A/v1': { ...agent, system_text: 'You are kind.\nYou never shout.' } },
      { 'agents/A/v1': { ...agent, input_keys: ['task'] } },
      { 'agents/A/v1': { ...agent, retry_invalid: 0 } },
    ];
    for (const change of same) expect(await changed(change as Files)).toEqual([]);
  });

  test('is the words, with the place that has them', async () => {
    expect(await changed({ 'personas/kind': { system_text: 'You are very kind.\nYou never shout.' } })).toEqual([
      'A system: You are{+ very+} kind.\nYou never shout.\n @ config/personas/kind.json#/system_text',
    ]);
    expect(await changed({ 'agents/A/v1': { ...agent, purpose_text: agent.purpose_text.replace('calmer', 'bolder') } })).toEqual([
      'A system:  it before you decide, and prefer the[- calmer-]{+ bolder+} one.\n\nAgent: A, @ config/agents/A/v1.json#/purpose_text',
    ]);
  });

  test('shows lines that keep few of their words as rewritten', async () => {
    expect(await changed({ 'personas/kind': { system_text: 'Answer like a pirate of the old days.' } })).toEqual([
      'A system: [-You are kind.\nYou never shout.\n-]{+Answer like a pirate of the old days.\n+}\nChoose the tone that fits the task @ config/personas/kind.json#/system_text',
    ]);
  });

  test('is in each part that has the value', async () => {
    const output_schema = structuredClone(agent.output_schema);
    output_schema.properties.tone.enum.push('formal');
    const change = await changed({ 'agents/A/v1': { ...agent, output_schema } });
    expect(change.map((line) => line.split(' ')[1])).toEqual(['user:', 'response_format:']);
    expect(change[0]).toContain('friendly{+, formal+}]');
    expect(change[1]).toContain('{+,\n          "formal"+}');
    expect(change[1]).toMatch(/@ config\/agents\/A\/v1\.json#\/output_schema\/properties\/tone\/enum\/2$/);
  });

  test('is an order that changes the bytes', async () => {
    const properties = { a: { type: 'string' }, b: { type: 'string' } };
    const schema = (inOrder: object) => ({ ...agent, mode: 'Writer', output_schema: { type: 'object', properties: inOrder } });
    const base = { ...files, 'agents/A/v1': schema(properties) } as Files;
    const change = await changed({ 'agents/A/v1': schema({ b: properties.b, a: properties.a }) } as Files, base);
    expect(change[0]).toContain('Fields:[- a,-] b{+, a+}.');
    expect(change.map((line) => line.split(' ')[1])).toEqual(['user:', 'response_format:']);
  });

  test('is a setting as it is sent', async () => {
    expect(
      await changed({ 'llms/m': { llm_id: 'm', provider: 'openai', model_name: 'gpt-4.1-mini', temperature: 0.7, options: { seed: 1 } } }),
    ).toEqual([
      'A settings: temperature:[- 0-]{+ 0.7+} | {+options: {\n  "seed": 1\n}+} @ config/llms/m.json#/temperature config/llms/m.json#/options',
    ]);
    // The model refuses temperatures.
    const reasoning = { ...files, 'llms/m': { llm_id: 'm', provider: 'openai', model_name: 'o3' } };
    expect(await changed({ 'agents/A/v1': { ...agent, temperature: 0.5 } }, reasoning)).toEqual([]);
  });

  test('is a tool by its name, a changed one by its words, and their order', async () => {
    const react = { agent_name: 'A', version: 'v1', agent_type: 'react', model_name: 'gpt-4.1-mini', client_ids: ['mail'] };
    const lock = (tools: Record<string, string>) => ({
      format: 1,
      servers: {
        mail: {
          tools: Object.fromEntries(
            Object.entries(tools).map(([name, description]) => [
              name,
              { description, parameters: { type: 'object' }, hash: '0'.repeat(64) },
            ]),
          ),
        },
      },
    });
    const base: Files = {
      'agents/A/v1': react,
      mcp: { servers: { mail: { command: 'mail' } } },
      'mcp.lock': lock({ read: 'Reads one.', send: 'Sends.' }),
    };
    const toolsOf = async (tools: Record<string, string>) =>
      (await changed({ 'mcp.lock': lock(tools) }, base)).filter((line) => line.startsWith('A tools'));
    expect(await toolsOf({ read: 'Reads all.', list: 'Lists.' })).toEqual([
      'A tools:   "name": "read",\n  "description": "Reads[- one."-]{+ all."+},\n  "parameters": {\n    "type": | {+list+} | [-send-] @ config/mcp.lock.json#/servers/mail/tools/read config/mcp.lock.json#/servers/mail/tools/list config/mcp.lock.json#/servers/mail/tools/send',
    ]);
    expect(await toolsOf({ send: 'Sends.', read: 'Reads one.' })).toEqual([
      'A tools: [-read send-]{+send read+} @ config/mcp.lock.json#/servers/mail/tools/send config/mcp.lock.json#/servers/mail/tools/read',
    ]);
  });

  test('is a path of a template, in the template', async () => {
    const plain = (system_text: string) => ({ agent_name: 'A', version: 'v1', model_name: 'gpt-4.1-mini', system_text });
    expect(await changed({ 'agents/A/v1': plain('Do {{input.other}} now.') }, { 'agents/A/v1': plain('Do {{input.task}} now.') })).toEqual([
      'A system: Do[- {{input.task}}-]{+ {{input.other}}+} now. @ config/agents/A/v1.json#/system_text',
    ]);
  });

  test('cuts texts without spaces, counts what is beyond 40 hunks, and covers no space', async () => {
    const text = (word: string) =>
      Array.from({ length: 60 }, (_, index) => `line ${index} ${word} a b c d e f g h i j k l m n o p q r s t u v`).join('\n');
    const base = { ...files, 'personas/kind': { system_text: text('old') } };
    const change = await comparePrompts(...(await sidesOf(base, { 'personas/kind': { system_text: text('new') } })));
    expect(change[0]).toMatchObject({ more_hunks: 20 });
    expect(change[0]?.hunks).toHaveLength(40);
    const han = await changed(
      { 'personas/kind': { system_text: '你很友善，从不大声喊叫。' } },
      { ...files, 'personas/kind': { system_text: '你很友善，从不喊叫。' } },
    );
    expect(han[0]).toContain('从不{+大声+}喊叫');
  });

  test('is one for all tasks of an orchestration, and shows what a task makes of the context', async () => {
    const persona = {
      mode: 'Writer',
      purpose_text: 'Write.',
      output_schema: { type: 'object', properties: { text: { type: 'string' } } },
      llm_config_id: 'm',
    };
    const task = (name: string) => ({ name, agent_type: 'single_shot', persona_key: 'kind', input: { task: '{{context.topic}}' } });
    const flow = { name: 'flow', entry_team: 'one', context: { topic: 'x' }, teams: { one: { tasks: ['a', 'b', 'c'].map(task) } } };
    const base: Files = { ...files, 'personas/kind': { ...persona, system_text: 'You are kind.' }, 'orchestrations/flow': flow };
    expect(await changed({ 'personas/kind': { ...persona, system_text: 'You are very kind.' } }, base, 'flow')).toEqual([
      'one/a +one/b +one/c system: You are{+ very+} kind.\n\nWrite.\n\n @ config/personas/kind.json#/system_text',
    ]);
    const other = {
      ...flow,
      teams: { one: { tasks: [{ ...task('a'), input: { task: '{{context.topic}}', style: 'short' } }, task('b'), task('c')] } },
    };
    const [input] = await changed({ 'orchestrations/flow': other }, base, 'flow');
    expect(input).toMatch(/^one\/a user: .*"style": "short".* @ config\/orchestrations\/flow.json#\/teams\/one\/tasks\/0\/input$/s);
  });

  test('counts tokens by the tokenizer of the model, and swaps with the sides', async () => {
    const longer: Files = { ...files, 'personas/kind': { system_text: 'You are very kind.\nYou never shout.' } };
    const [change] = await comparePrompts(await sideOf('before', files), await sideOf('after', longer));
    const [back] = await comparePrompts(await sideOf('before', longer), await sideOf('after', files));
    expect((change?.tokens_after ?? 0) - (change?.tokens_before ?? 0)).toBe(1);
    expect([back?.tokens_before, back?.tokens_after]).toEqual([change?.tokens_after, change?.tokens_before]);
    const marks = (of: typeof change) => of?.hunks.flatMap((hunk) => hunk.words.filter(({ mark }) => mark !== ' '));
    expect(marks(back)).toEqual(marks(change)?.map(({ text }) => ({ mark: '-', text })));
  });
});
