import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { testWith } from '../support/needs.js';
import {
  agentstack,
  cleanEnvironment,
  offlineProfile,
  outcomeOf,
  repository,
  temporaryProject,
  toneAgent,
  toneProject,
} from './command.js';

const hash = /^[0-9a-f]{64}$/;

describe('text', () => {
  test('shows the messages, the response format, the tokens and the hash', async () => {
    const { code, stdout, stderr } = await agentstack(['compose', 'Tone@v1', '--set', 'text=Good morning'], { cwd: toneProject() });
    expect(stdout.replace(/[0-9a-f]{64}/, 'HASH').replace(/\d+/g, 'N')).toBe(`[system]
You judge how a text sounds.

Choose the tone.

Agent: Tone, version vN

Return only JSON that matches the output schema.

[user]
text = "Good morning"

Choose tone from [friendly, formal].

Reply with a single JSON object only, no extra text, matching the schema.

[response format] json_schema Tone_vN, strict: true
{
  "type": "object",
  "additionalProperties": false,
  "required": ["tone"],
  "properties": {
    "tone": {
      "type": "string",
      "enum": ["friendly", "formal"]
    }
  }
}

tokens   N (estimated): system N, user N, and what frames them
cost     at most N call, N USD
model    offline (offline)
snapshot HASH
`);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test('shows A2 of the sample project, its tokens counted with its own tokenizer', async () => {
    const { stdout } = await agentstack(['compose', 'A2', '--case', 'parser'], { cwd: repository });
    expect(stdout).toContain('\nAgent: A2, version v1\n');
    expect(stdout).toContain('\nChoose system from [Python_Programmer, AWS_Architect, Friend].\n');
    expect(stdout).toMatch(/\ntokens {3}\d+: system \d+, user \d+,/);
  });
});

describe('json', () => {
  test('has exactly the documented shape', async () => {
    const { code, stdout } = await agentstack(['compose', 'A2', '--case', 'parser', '--json'], { cwd: repository });
    const composed = JSON.parse(stdout);
    expect(composed).toEqual({
      messages: [
        { role: 'system', content: expect.any(String) },
        { role: 'user', content: expect.any(String) },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'A2_v1', strict: true, schema: expect.any(Object) } },
      source_map: expect.any(Array),
      model_name: 'gpt-5.4-mini',
      tokens: { messages: [expect.any(Number), expect.any(Number)], total: expect.any(Number), estimated: false },
      tools: [],
      unlisted_servers: [],
      worst_case: {
        calls: 1,
        prompt_tokens: expect.any(Number),
        completion_tokens: expect.any(Number),
        cost: expect.any(Number),
        limit: expect.any(Number),
        unknown: null,
      },
      typical_cost: null,
      snapshot_hash: expect.stringMatching(hash),
    });
    expect(composed.worst_case.prompt_tokens).toBeGreaterThan(composed.tokens.total);
    const [system, user] = composed.tokens.messages;
    expect(composed.tokens.total).toBeGreaterThan(system + user);
    expect(composed.tokens.total).toBeLessThan(system + user + 20);
    expect(code).toBe(0);
    expect((await agentstack(['compose', 'A2@v1', '--case', 'parser', '--format', 'json'], { cwd: repository })).stdout).toBe(stdout);
  });

  test('the same files, environment and overrides have the same hash, others another', async () => {
    const cwd = toneProject({
      'config/llms/other.json': { ...offlineProfile, llm_id: 'other', model_name: 'another' },
      'config/environments/prod.json': { agent_defaults: { temperature: 1 } },
      'config/system.json': { agent_defaults: { llm_config_id: 'offline' } },
    });
    const hashOf = async (...args: string[]) => {
      const { stdout } = await agentstack(['compose', 'Tone', '--json', '--set', 'text=x', ...args], { cwd });
      return (JSON.parse(stdout) as { snapshot_hash: string }).snapshot_hash;
    };
    const plain = await hashOf();
    expect(await hashOf()).toBe(plain);
    expect(await hashOf('--set', 'text=y')).toBe(plain);
    expect(await hashOf('--environment', 'dev')).toBe(plain);
    expect(await hashOf('--environment', 'prod')).not.toBe(plain);
    expect(await hashOf('--llm', 'other')).not.toBe(plain);
  });
});

describe('input', () => {
  const lineOf = async (args: string[], input?: string | Uint8Array, files = {}) => {
    const { stdout, stderr } = await agentstack(['compose', 'Tone', '--json', ...args], {
      cwd: toneProject(files),
      ...(input !== undefined && { input }),
    });
    if (stderr !== '') return stderr;
    return (JSON.parse(stdout).messages[1].content as string).split('\n\n')[0];
  };

  test('comes from a file, from stdin, from a sample, bare or as a payload file', async () => {
    const files = { 'my input.json': { text: 'bare' }, 'payload.json': { $schema: 'x', input: { text: 'wrapped' } } };
    expect(await lineOf(['--input', 'my input.json'], undefined, files)).toBe('text = "bare"');
    expect(await lineOf(['--input=payload.json'], undefined, files)).toBe('text = "wrapped"');
    expect(await lineOf(['--input', '-'], '\ufeff{"text": "piped"}\r\n')).toBe('text = "piped"');
    expect(await lineOf(['--case', 'greeting'])).toBe('text = "A friendly hello to all of you"');
  });

  test('is set key by key: JSON where it is JSON, text otherwise, dots reach inside', async () => {
    expect(await lineOf(['--set', 'text=a=b'])).toBe('text = "a=b"');
    expect(await lineOf(['--set', 'text=5'])).toBe('text = 5');
    expect(await lineOf(['--set', 'text="5"'])).toBe('text = "5"');
    expect(await lineOf(['--set', 'text=[1,'])).toBe('text = "[1,"');
    expect(await lineOf(['--set', 'text='])).toBe('text = ""');
    expect(await lineOf(['--set', 'text=x', '--set', 'more.depth.of=2', '--set', 'more.kind=long'])).toBe(
      'text = "x"\nmore = {"depth":{"of":2},"kind":"long"}',
    );
    expect(await lineOf(['--case', 'greeting', '--set', 'text=mine'])).toBe('text = "mine"');
    expect(await lineOf(['--set', 'text=x', '--set', 'a\\.b=1'])).toBe('text = "x"\na.b = 1');
    expect(await lineOf(['--set', 'text=x', '--set', '__proto__=1', '--set', 'constructor.prototype=2'])).toBe(
      'text = "x"\n__proto__ = 1\nconstructor = {"prototype":2}',
    );
  });

  test.each([
    ['nothing', '', /^error: The input from stdin is empty\. Give a JSON object/],
    ['half an object', '{"text": "x"\n', /not valid JSON, line 1, column 10: /],
    ['two objects', '{"text": 1}{"text": 2}', /not valid JSON, line 1, column 12: /],
    ['a key given twice', '{"text": 1, "text": 2}', /not valid JSON, line 1, column 13: /],
    ['an array', '[1]', /must be a JSON object like .*, but it is an array\./],
    ['null', 'null', /but it is null\./],
    ['text', '"x"', /but it is a string\./],
    ['deep nesting', `{"text": ${'['.repeat(100_000)}`, /not valid JSON/],
    ['no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), /is not UTF-8 text/],
    ['more than any model takes', `{"text": "${'x'.repeat(65 * 1024 * 1024)}"}`, /is larger than 64 MB/],
  ])('%s on stdin is refused in one line, exit code 2', async (_name, input, words) => {
    const { code, stdout, stderr } = await agentstack(['compose', 'Tone', '--input', '-'], { cwd: toneProject(), input });
    expect(stderr).toMatch(words);
    expect(stderr).toMatch(/^error: The input from stdin .*\n$/);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test('5 MB of text pass', async () => {
    const text = 'words and "quotes" \n\u2028'.repeat(240_000);
    expect(await lineOf(['--input', '-'], JSON.stringify({ text }))).toHaveLength(
      `text = ${JSON.stringify(text)}`.replaceAll('\u2028', '\\u2028').length,
    );
  });

  test.each([
    [['--input', 'nope.json'], 'error: --input nope.json: there is no such file.'],
    [['--input', 'config'], 'error: --input config: this is a folder; name a JSON file in it.'],
    [['--case', 'greting'], 'error: Tone has no case "greting". Did you mean "greeting"? There are: greeting.'],
    [['--case', '../../llms/offline'], 'error: Tone has no case "../../llms/offline". There are: greeting.'],
    [['--case', 'greeting', '--input', '-'], 'error: Give --input or --case, not both.'],
    [['--set', 'text'], 'error: --set text: expected KEY=VALUE'],
    [['--set', `${'a.'.repeat(300)}b=1`], 'deeper than 200 levels.'],
    [['--input', '/dev/zero'], 'error: The input from /dev/zero is larger than 64 MB.'],
    [['--set', '=x'], 'error: --set =x: expected KEY=VALUE'],
    [['--set', 'a..b=x'], 'error: --set a..b=x: expected KEY=VALUE'],
    [['--environment', 'prdo'], 'error: There is no environment "prdo"'],
  ])('%j says what is wrong', async (args, words) => {
    const { code, stderr } = await agentstack(['compose', 'Tone', ...args], { cwd: toneProject() });
    expect(stderr).toContain(words);
    expect(code).toBe(2);
  });

  test('that lacks a key is refused, with the samples there are', async () => {
    const { code, stderr } = await agentstack(['compose', 'Tone'], { cwd: toneProject() });
    expect(stderr).toMatch(/^error: The input of Tone@v1 is not valid: .*text.*\nCases of Tone: --case greeting\n$/);
    expect(code).toBe(2);
  });
});

describe('what cannot be composed', () => {
  test.each([
    ['Tonne', 'There is no agent "Tonne"', 'Did you mean "Tone"?'],
    ['Tone@v3', 'Agent "Tone" has no version "v3"', 'Versions: v1.'],
    ['../Tone', '"../Tone" is not a legal name', ''],
  ])('%s: says what there is', async (spec, first, second) => {
    const { code, stdout, stderr } = await agentstack(['compose', spec, '--json', '--set', 'text=x'], { cwd: toneProject() });
    expect(stderr).toContain(first);
    expect(stderr).toContain(second);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'unknown-agent-config', recoverable: false } });
    expect(code).toBe(2);
  });

  test('a config with errors is shown as check shows it', async () => {
    const cwd = toneProject({ 'config/agents/Tone/v1.json': { ...toneAgent, enums: { tone: ['friendly', 'frmal'] } } });
    const { code, stdout, stderr } = await agentstack(['compose', 'Tone', '--set', 'text=x'], { cwd });
    expect(stderr).toContain('config/agents/Tone/v1.json:29:7 error enums-match-schema ');
    expect(stderr).toContain('\n  > 29 |       "frmal"\n');
    expect(stderr).toMatch(/\n1 error in 1 file\.\n$/);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

describe('curl', () => {
  const openai = { llm_id: 'openai', provider: 'openai', model_name: 'gpt-4.1-mini', api_key: 'secret://openai_api_key' };

  test('masks the key as the environment variable a run takes it from', async () => {
    const cwd = toneProject({
      'config/llms/openai.json': openai,
      'config/llms/own.json': {
        llm_id: 'own',
        provider: 'openai_compatible',
        base_url: 'http://127.0.0.1:9/v1',
        model_name: 'm',
        api_key_env: 'MY_KEY',
      },
      'config/llms/free.json': { llm_id: 'free', provider: 'openai_compatible', base_url: 'http://127.0.0.1:9/v1', model_name: 'm' },
      'config/llms/responses.json': { ...openai, llm_id: 'responses', options: { api: 'responses' } },
      'config/llms/claude.json': { llm_id: 'claude', provider: 'anthropic', model_name: 'claude-sonnet-5-5' },
      'config/llms/gemini.json': { llm_id: 'gemini', provider: 'gemini', model_name: 'gemini-3.8-flash', api_key: 'secret://google' },
    });
    const env = { OPENAI_API_KEY: 'sk-secret-1234567890', MY_KEY: 'sk-secret-1234567890', ANTHROPIC_API_KEY: 'sk-secret-1234567890' };
    const curl = async (llm: string) =>
      (await agentstack(['compose', 'Tone', '--set', 'text=x', '--format', 'curl', '--llm', llm], { cwd, env })).stdout;
    expect(await curl('openai')).toMatch(
      /^curl https:\/\/api\.openai\.com\/v1\/chat\/completions \\\n {2}--header "Authorization: Bearer \$OPENAI_API_KEY" \\\n {2}--header 'Content-Type: application\/json' \\\n {2}--data-binary @- <<'END_OF_REQUEST'\n\{\n[\s\S]*\n\}\nEND_OF_REQUEST\n$/,
    );
    expect(await curl('responses')).toMatch(
      /^curl https:\/\/api\.openai\.com\/v1\/responses \\\n(?:.*\n)*\{\n(?:.*\n)* {2}"input": \[\n(?:.*\n)* {2}"store": false,\n/,
    );
    expect(await curl('responses')).not.toContain('"api"');
    expect(await curl('own')).toContain('--header "Authorization: Bearer $MY_KEY"');
    expect(await curl('free')).not.toContain('Authorization');
    expect(await curl('claude')).toMatch(
      /^curl https:\/\/api\.anthropic\.com\/v1\/messages \\\n {2}--header 'Anthropic-Version: 2023-06-01' \\\n {2}--header 'Content-Type: application\/json' \\\n {2}--header "X-Api-Key: \$ANTHROPIC_API_KEY" \\\n/,
    );
    expect(await curl('gemini')).toMatch(
      /^curl https:\/\/generativelanguage\.googleapis\.com\/v1beta\/models\/gemini-3\.8-flash:generateContent \\\n {2}--header 'Content-Type: application\/json' \\\n {2}--header "X-Goog-Api-Key: \$GOOGLE" \\\n/,
    );
    for (const llm of ['openai', 'own', 'free', 'claude', 'gemini']) expect(await curl(llm)).not.toContain('sk-secret');
  });

  test('says when there is no request to show', async () => {
    const { code, stdout, stderr } = await agentstack(['compose', 'Tone', '--set', 'text=x', '--format', 'curl'], { cwd: toneProject() });
    expect(stderr).toBe('error: The provider "offline" sends no HTTP request. Name a profile that does with --llm.\n');
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  testWith('curl', 'really runs, and sends what a run sends', async () => {
    const server = await startLoopbackOpenAi({ text: '{"tone": "formal"}' }, { key: 'sk-key with $(touch x)'.replaceAll(' ', '_') });
    onTestFinished(() => server.close());
    const cwd = temporaryProject({
      'config/agents/Tone/v1.json': { ...toneAgent, temperature: 0.5, max_output_tokens: 50 },
      'config/llms/real.json': { ...openai, llm_id: 'real', base_url: server.url },
    });
    const text = `it's "quoted" $HOME \`id\` $(id) \\ \u2028\n END_OF_REQUEST\nEND_OF_REQUEST\n'; exit 3; '`;
    const env = { OPENAI_API_KEY: 'sk-key_with_$(touch_x)' };
    const input = JSON.stringify({ text });
    const { stdout: script } = await agentstack(['compose', 'Tone', '--input', '-', '--format', 'curl'], { cwd, env, input });
    const shell = spawn('sh', ['-e'], { cwd, env: cleanEnvironment({ ...env, no_proxy: '*' }) });
    shell.stdin.end(script);
    const { code, stdout } = await outcomeOf(shell);
    expect(JSON.parse(stdout).choices[0].message.content).toBe('{"tone": "formal"}');
    expect(code).toBe(0);

    const ran = await agentstack(['run', 'Tone', '--input', '-'], { cwd, env: { ...env, no_proxy: '*' }, input });
    expect(ran.code).toBe(0);
    const [byCurl, byRun] = server.requests.map(({ body }) => body);
    const { stream: _stream, stream_options: _options, ...sameAsCurl } = byRun ?? {};
    expect(byCurl).toEqual(sameAsCurl);
    expect(JSON.stringify(byCurl)).toContain('END_OF_REQUEST');
  });
});

test('composes from anywhere', async () => {
  const cwd = toneProject();
  const { code, stdout } = await agentstack(['compose', 'Tone', '--set', 'text=x', '--project', '../..'], {
    cwd: join(cwd, 'config', 'llms'),
  });
  expect(stdout).toContain('text = "x"');
  expect(code).toBe(0);
});

test('a key that was typed is in no error', async () => {
  const key = 'sk-proj-Ab3dE5fGh7Jk9LmN1pQr3StU5vWx7Yz9';
  for (const args of [
    ['run', 'Tone', '--set', key],
    ['run', key],
    [key],
    ['check', `--${key}`],
    ['new', 'agent', `${key}/x`],
    ['explain', key],
  ]) {
    const { code, stdout, stderr } = await agentstack(args, { cwd: toneProject() });
    expect([code, stdout + stderr]).toEqual([2, expect.not.stringContaining('Ab3dE5fGh7')]);
  }
});

test('a key that was typed is shown in no format', async () => {
  const cwd = toneProject({ 'config/llms/real.json': { llm_id: 'real', provider: 'openai', model_name: 'gpt-4.1-mini' } });
  const keys = ['sk-proj-Ab3dE5fGh7Jk9LmN1pQr3StU5vWx7Yz9', 'Zb3dE5fGh7Jk9LmN1p', 'Qb3dE5fGh7Jk9LmN1pQr3'];
  const text = `my key is ${keys[0]}, see https://example.com/?api_key=${keys[1]} {"access_token": "${keys[2]}"}`;
  for (const format of ['text', 'json', 'curl']) {
    const { code, stdout, stderr } = await agentstack(['compose', 'Tone', '--set', `text=${text}`, '--llm', 'real', '--format', format], {
      cwd,
    });
    expect(code).toBe(0);
    expect(stdout).toContain('my key is ****');
    expect(stderr).toContain('it is shown as "*"');
    for (const key of keys) expect(stdout + stderr, format).not.toContain(key);
  }
});
