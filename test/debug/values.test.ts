import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryProject, toneAgent, toneProject } from '../cli/command.js';
import { startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { debuggerIn, launchPaused } from './debugClient.js';

const long = `${'A line of the text. '.repeat(20)}\nSecond line\nThird line`;

type Client = Awaited<ReturnType<typeof debuggerIn>>;

async function scope(client: Client, name: string) {
  const { scopes } = (await client.scopesRequest({ frameId: 1 })).body;
  return scopes.find((each) => each.name === name)!;
}

async function members(client: Client, variablesReference: number, page = {}) {
  return (await client.variablesRequest({ variablesReference, ...page })).body.variables;
}

/** The members on the way down. */
async function below(client: Client, [root = '', ...names]: readonly string[]) {
  let variables = await members(client, (await scope(client, root)).variablesReference);
  for (const name of names) variables = await members(client, variables.find((each) => each.name === name)!.variablesReference);
  return variables;
}

async function stopped(input: object, cwd = toneProject()) {
  const client = await debuggerIn(cwd);
  const run = await launchPaused(client, { agent: 'Tone', input });
  await run.stop();
  return { client, run };
}

describe('variables', () => {
  test('are one short line each, with the lines of a long text below it', async () => {
    const { client, run } = await stopped({ text: long });
    const [text] = await members(client, (await scope(client, 'input')).variablesReference);
    expect(text?.value).toMatch(/^"A line of the text\..{120,170}… \(423 characters\)$/);
    expect(text).toMatchObject({ type: 'string', indexedVariables: 3, evaluateName: 'input.text' });
    const lines = await members(client, text!.variablesReference, { filter: 'indexed', start: 1, count: 2 });
    expect(lines.map(({ name, value }) => `${name} ${value}`)).toEqual(['2 Second line', '3 Third line']);
    const whole = await client.evaluateRequest({ expression: 'input.text', context: 'clipboard' });
    expect(whole.body.result).toBe(long);
    expect(await run.value('input.text')).toBe(long);
  });

  test('of a list come in pages', async () => {
    const { client } = await stopped({ text: 'x', many: Array.from({ length: 1000 }, (_, index) => index) });
    const many = (await below(client, ['input'])).find(({ name }) => name === 'many')!;
    expect(many.indexedVariables).toBe(1000);
    expect(many.value).toMatch(/^\[0,1,.*…$/);
    const page = await members(client, many.variablesReference, { filter: 'indexed', start: 990, count: 100 });
    expect(page.map(({ name, value, evaluateName }) => [name, value, evaluateName])[0]).toEqual(['990', '990', 'input.many.990']);
    expect(page).toHaveLength(10);
  });

  test('say where each part of a message comes from, and what the run and its budget are', async () => {
    const { client, run } = await stopped({ text: 'A friendly hello' });
    const parts = await below(client, ['sources', '0', 'parts']);
    expect(parts.length).toBeGreaterThan(1);
    const sources = (await client.evaluateRequest({ expression: 'sources.0.parts', context: 'clipboard' })).body.result;
    const found = (JSON.parse(sources) as { text: string; file: string | null; pointer: string; layer: string }[]).find(({ text }) =>
      text.includes('You judge how a text sounds.'),
    );
    expect(found).toMatchObject({ file: 'config/agents/Tone/v1.json', pointer: '/system_text', layer: 'agent' });
    expect(await run.value('sources.1.parts.0.layer')).toMatch(/input|fixed/);
    expect((await below(client, ['budget'])).map(({ name }) => name)).toEqual([
      'total_tokens',
      'cost',
      'cost_left',
      'request_tokens',
      'cached_tokens',
    ]);
    expect(await run.value('run.run_id')).toMatch(/\w{8}/);
    expect(await run.value('run.snapshot_hash')).toMatch(/^[0-9a-f]{64}$/);
    expect(await run.value('story.run_id')).toBe(await run.value('run.run_id'));
  });

  test('are set with line breaks, line by line, and by expression', async () => {
    const { client, run } = await stopped({ text: 'A friendly hello' });
    const [, user] = await below(client, ['messages']);
    const set = { variablesReference: user!.variablesReference, name: 'content' };
    expect((await client.setVariableRequest({ ...set, value: '"one\\ntwo"' })).body.value).toBe('"one\\ntwo"');
    expect(await run.value('messages.1.content')).toBe('one\ntwo');
    const content = (await below(client, ['messages', '1'])).find(({ name }) => name === 'content')!;
    await client.setVariableRequest({ variablesReference: content.variablesReference, name: '2', value: 'TWO' });
    expect(await run.value('messages.1.content')).toBe('one\nTWO');
    await client.send('setExpression', { expression: 'messages.1.content', value: long });
    expect(await run.value('messages.1.content')).toBe(long);
    const shown = (await below(client, ['messages', '1'])).find(({ name }) => name === 'content')!;
    await expect(client.setVariableRequest({ ...set, value: shown.value })).rejects.toThrow('only the beginning of the text');
    await expect(client.send('setExpression', { expression: 'input.text', value: 'x' })).rejects.toThrow('input cannot be changed here.');
    await expect(client.send('setExpression', { expression: 'messages.7', value: 'x' })).rejects.toThrow('messages has 2 items');
  });

  test('and everything else that is sent to the editor have no secrets', async () => {
    const key = 'local-key-Zq81mNc02Lxv';
    const server = await startLoopbackOpenAi({ text: `{"tone": "friendly", "note": "${key}"}` }, { lenient: true });
    onTestFinished(() => server.close());
    const llm = { llm_id: 'local', provider: 'openai_compatible', model_name: 'm', base_url: server.url, api_key_env: 'LOCAL_KEY' };
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const cwd = temporaryProject({ 'config/agents/Tone/v1.json': { ...toneAgent, llm_config_id: 'local' }, 'config/llms/local.json': llm });
    const client = await debuggerIn(cwd, { LOCAL_KEY: key });
    const run = await launchPaused(client, {
      agent: 'Tone',
      input: { text: `The key ${key}\nand ${token}` },
      // A run that is kept works with what was masked, which can be changed.
      keep: false,
    });
    await run.stop();
    for (const name of ['messages', 'input', 'sources', 'request', 'story', 'run'])
      await members(client, (await scope(client, name)).variablesReference);
    await below(client, ['input', 'text']);
    for (const expression of [
      'input',
      'input.text',
      '{{input.text}}!',
      '{"context_field": "text", "operator": "contains", "value": "key"}',
    ])
      await client.evaluateRequest({ expression, context: 'clipboard' });
    await client.completionsRequest({ text: 'input.', column: 7 });
    await expect(
      client.send('setExpression', { expression: 'messages.1.content', value: await run.value('messages.1.content') }),
    ).rejects.toThrow('The value has a secret');
    await run.go('stepIn');
    for (const expression of ['answer', 'answer.text', 'answer.output.note']) await client.evaluateRequest({ expression });
    expect(await run.go('continue')).toBe('ended');
    for (const secret of [key, token]) expect(client.sent()).not.toContain(secret);
    expect(JSON.stringify(server.requests[0]?.body)).toContain(key);
  });
});
