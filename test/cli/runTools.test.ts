import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type LoopbackReply, type LoopbackScript, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { agentstack, listFiles, read, repository, temporaryProject, write } from './command.js';

const key = 'sk-test-0123456789abcdef';
const env = { OPENAI_API_KEY: key, NO_PROXY: '*' };
const secret = `sk-ant-${'aB3dE5gH7jK9'.repeat(3)}`;

const helper = {
  agent_name: 'Helper',
  version: 'v1',
  agent_type: 'react',
  system_text: 'You help.',
  input_keys: ['message'],
  enabled_tools: ['search_files', 'fetch_document', 'calculator'],
  llm_config_id: 'real',
  include_history: true,
};

async function served(script: LoopbackScript, agent: object = {}) {
  const server = await startLoopbackOpenAi(script, { key });
  onTestFinished(() => server.close());
  const real = { llm_id: 'real', provider: 'openai', model_name: 'gpt-4.1-mini', base_url: server.url, api_key: 'secret://openai_api_key' };
  const cwd = temporaryProject({
    'config/agents/Helper/v1.json': { ...helper, ...agent },
    'config/llms/real.json': real,
    'docs/guide.md': `# Guide\n\nInstall it with npm ci.\nkey = ${secret}\n`,
  });
  return { cwd, server };
}

/** A streamed answer that says something and asks for tools, as Chat Completions sends it. */
function calls(...list: readonly [name: string, input: object][]): LoopbackReply {
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4.1-mini', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const tool_calls = list.map(([name, input], index) => ({
    index,
    id: `call_${name}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const body = [
    chunk({ role: 'assistant', content: 'I look.' }, null),
    chunk({ tool_calls }, null),
    chunk({}, 'tool_calls'),
    'data: [DONE]\n\n',
  ].join('');
  return { body, headers: { 'content-type': 'text/event-stream' } };
}

describe('an agent with tools', () => {
  test('shows what it thinks, calls and is told, and prints its answer', async () => {
    const { cwd } = await served([calls(['search_files', { query: 'install' }]), { text: ['Run npm ci.'] }]);
    const { code, stdout, stderr } = await agentstack(['run', 'Helper', '--message', 'How?'], { cwd, env });
    expect(stdout).toBe('Run npm ci.\n');
    expect(stderr.split('\n').slice(0, 4)).toEqual([
      'I look.',
      '-> search_files {"query":"install"}',
      '<- docs/guide.md:3: Install it with npm ci.',
      'Run npm ci.',
    ]);
    expect(stderr).toContain('2 turns, search_files');
    expect(code).toBe(0);
  });

  test('writes what is logged on lines of their own, in the middle of an answer too', async () => {
    const { cwd } = await served([calls(['search_files', { query: 'install' }]), { text: ['Run ', 'npm ci.'], slice: 200, pause_ms: 5 }]);
    const { stderr, stdout } = await agentstack(['run', 'Helper', '--message', 'How?'], { cwd, env: { ...env, AGENTSTACK_LOG: 'debug' } });
    expect(stdout).toBe('Run npm ci.\n');
    const logged = stderr.split('\n').filter((line) => line.includes('"level":'));
    expect(logged.map((line) => JSON.parse(line).message)).toContain('run completed');
    expect(stderr).not.toMatch(/\n\n/);
  });

  test('keeps to the width of the terminal for any answer of a tool', async () => {
    const { cwd } = await served([calls(['search_files', { query: 'wide' }]), { text: ['ok'] }]);
    write(cwd, 'a.txt', Array.from({ length: 30 }, (_, index) => `wide ${index} ${'\u001b[31m試'.repeat(100)}`).join('\n'));
    const { stderr } = await agentstack(['run', 'Helper', '--message', 'x'], { cwd, env });
    expect(stderr).not.toContain('\u001b[31m');
    expect(stderr).toMatch(/\(\d+ more lines\)/);
    for (const line of stderr.split('\n').filter((one) => one.startsWith('<-') || one.startsWith('   ')))
      expect(line.length).toBeLessThanOrEqual(100);
  });

  test('the system text and the message of the command line are what the model gets', async () => {
    const { cwd, server } = await served([{ text: ['ok'] }], { prompts: { system_prompt: 'greet@v1' } });
    write(cwd, 'config/prompts/greet/v1.json', { name: 'greet', version: 'v1', template: 'A template.' });
    await agentstack(['run', 'Helper', '--message', 'He said "hi"', '--system-prompt', 'You are terse.'], { cwd, env });
    const { messages } = server.requests[0]!.body as { messages: { content: string }[] };
    expect(messages[0]!.content).toMatch(/^You are terse\./);
    expect(messages[0]!.content).not.toContain('template');
    expect(messages[1]!.content).toBe('He said "hi"');
  });

  test('goes on with a session', async () => {
    const { cwd, server } = await served([{ text: ['I am Helper.'] }, { text: ['As I said.'] }]);
    await agentstack(['run', 'Helper', '--message', 'Who?', '--session', 'mine'], { cwd, env });
    await agentstack(['run', 'Helper', '--message', 'Again?', '--session', 'mine'], { cwd, env });
    expect(JSON.stringify(server.requests[1]!.body)).toContain('I am Helper.');
    expect(listFiles(cwd)).toContain('.agentstack/sessions/mine.jsonl');
    const { code, stderr } = await agentstack(['run', 'Helper', '--message', 'x', '--session', '../x'], { cwd, env });
    expect(stderr).toContain('session id "../x" is not a legal name');
    expect(code).toBe(2);
  });

  test('says when an agent remembers nothing', async () => {
    const { cwd } = await served([{ text: ['ok'] }], { include_history: false });
    const { stderr } = await agentstack(['run', 'Helper', '--message', 'x', '--session', 's'], { cwd, env });
    expect(stderr).toContain('Helper@v1 remembers no session');
  });

  test('ends before it costs more than it may', async () => {
    const { cwd, server } = await served([{ text: ['ok'] }]);
    const { code, stderr } = await agentstack(['run', 'Helper', '--message', 'x', '--max-cost', '0.000001'], { cwd, env });
    expect(stderr).toContain('budget-exceeded');
    expect(server.requests).toHaveLength(0);
    expect(code).toBe(1);
    expect((await agentstack(['run', 'Helper', '--max-cost', 'much'], { cwd, env })).code).toBe(2);
  });
});

describe('a tool of an MCP server', () => {
  const everything = join(repository, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
  const project = async () => {
    const echo = calls(['echo', { message: 'hi there' }]);
    const { cwd } = await served(({ body }) => (JSON.stringify(body).includes('"role":"tool"') ? { text: ['Done.'] } : echo), {
      client_ids: ['all'],
      enabled_tools: ['echo'],
      timeout_ms: 60_000,
    });
    write(cwd, 'config/mcp.json', { servers: { all: { type: 'stdio', command: process.execPath, args: [everything, 'stdio'] } } });
    return cwd;
  };

  test('is called when the command line allows it, and the record needs no server', async () => {
    const cwd = await project();
    const run = (...args: string[]) => agentstack(['run', 'Helper', '--message', 'x', ...args], { cwd, env });
    expect(await run('--allow-tools=echo', '--record', 'r.jsonl')).toMatchObject({
      code: 0,
      stdout: 'Done.\n',
      stderr: expect.stringContaining('hi there'),
    });
    write(cwd, 'config/mcp.json', { servers: { all: { type: 'stdio', command: 'no-such-program' } } });
    expect(await run('--replay', 'r.jsonl')).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect((await run('--allow-tools')).code).toBe(1);
  });

  test('ends the run with what to type when it does not', async () => {
    const cwd = await project();
    for (const allowed of [[], ['--allow-tools=other']]) {
      const { code, stderr } = await agentstack(['run', 'Helper', '--message', 'x', ...allowed], { cwd, env });
      expect(stderr).toContain(
        `Not allowed (denied): The tool "echo" of the MCP server "all" needs your permission: add --allow-tools=${allowed.length > 0 ? 'other,' : ''}all/echo`,
      );
      expect(code).toBe(1);
    }
  });

  test('that is misspelt is told before anything is paid for, once its server has been listed', async () => {
    const cwd = await project();
    const echo = { description: 'Says it again.', parameters: { type: 'object' }, hash: '0'.repeat(64) };
    write(cwd, 'config/mcp.lock.json', { format: 1, servers: { all: { tools: { echo } } } });
    const { code, stderr } = await agentstack(['run', 'Helper', '--message', 'x', '--allow-tools=ecko'], { cwd, env });
    expect(stderr).toContain('--allow-tools: the agent has no tool "ecko". Did you mean "echo"? Its tools: echo.');
    expect(code).toBe(2);
  });

  test('that several servers have is named with its server', async () => {
    const cwd = await project();
    const everything = JSON.parse(read(cwd, 'config/mcp.json')).servers.all;
    const agent = JSON.parse(read(cwd, 'config/agents/Helper/v1.json'));
    write(cwd, 'config/agents/Helper/v1.json', { ...agent, client_ids: ['all', 'more'] });
    write(cwd, 'config/mcp.json', { servers: { all: everything, more: everything } });
    const tools = { echo: { description: 'Says it again.', parameters: { type: 'object' }, hash: '0'.repeat(64) } };
    write(cwd, 'config/mcp.lock.json', { format: 1, servers: { all: { tools }, more: { tools } } });
    const run = (names: string) => agentstack(['run', 'Helper', '--message', 'x', `--allow-tools=${names}`], { cwd, env });
    const { code, stderr } = await run('echo');
    expect(stderr).toContain('--allow-tools: "echo" may be any of all/echo, more/echo. Name one of these.');
    expect(code).toBe(2);
    expect((await run('all/*,more/ecko')).stderr).toContain('the agent has no tool "more/ecko". Did you mean "more/echo"');
  });
});

describe('a record', () => {
  test('is not found by the run it is of, nor by a later one, unless it is named', async () => {
    const search = (path?: string) => calls(['search_files', { query: 'install', ...(path && { path }) }]);
    const { cwd } = await served([search(), { text: ['a'] }, search(), { text: ['b'] }, search('run.jsonl'), { text: ['c'] }]);
    const run = (...more: string[]) => agentstack(['run', 'Helper', '--message', 'How?', ...more], { cwd, env });
    const found = '<- docs/guide.md:3: Install it with npm ci.\na';
    expect((await run('--record', 'run.jsonl')).stderr).toContain(found);
    expect((await run()).stderr).toContain(found.replace(/a$/, 'b'));
    expect((await run()).stderr).toContain('<- run.jsonl:1: ');
  });

  test('answers again without key, server and network, with the same result', async () => {
    const { cwd, server } = await served([
      calls(['fetch_document', { id: 'docs/guide.md' }], ['calculator', { expression: '2 ^ 10' }]),
      { text: ['Run npm ci.'] },
    ]);
    const args = ['run', 'Helper', '--message', 'How?', '--json'];
    const first = await agentstack([...args, '--record', 'run.jsonl'], { cwd, env });
    await server.close();
    expect(first.code).toBe(0);
    const record = read(cwd, 'run.jsonl');
    for (const hidden of [key, secret, server.url]) expect(record).not.toContain(hidden);
    const again = await agentstack([...args, '--replay', 'run.jsonl'], { cwd });
    expect(again.stderr).toBe('');
    expect(again.code).toBe(0);
    const plain = (text: string) => {
      const { run_id: _, reasoning, metadata, ...result } = JSON.parse(text);
      const { execution_time_ms: _a, snapshot_path: _b, trace_id: _c, correlation_id: _d, recorded_cost_usd, ...rest } = metadata;
      if (recorded_cost_usd !== undefined) rest.estimated_cost_usd = recorded_cost_usd;
      return {
        ...result,
        metadata: rest,
        reasoning: { ...reasoning, steps: reasoning.steps.map((step: object) => ({ ...step, timestamp: '' })) },
      };
    };
    expect(plain(again.stdout)).toEqual(plain(first.stdout));
    expect(JSON.parse(again.stdout).source_documents).toMatchObject([{ id: 'docs/guide.md', title: 'Guide' }]);
  });

  test('takes input, profile and session from the record where the command gives none', async () => {
    const { cwd } = await served([{ text: ['first'] }, { text: ['second'] }]);
    const profile = JSON.parse(read(cwd, 'config/llms/real.json'));
    write(cwd, 'config/llms/other.json', { ...profile, llm_id: 'other', model_name: 'gpt-4.1' });
    const run = (...args: string[]) => agentstack(['run', 'Helper', '--llm', 'other', '--session', 'mine', ...args], { cwd, env });
    await run('--message', 'Who?');
    const recorded = await run('--message', 'How?', '--record', 'run.jsonl');
    expect(recorded).toMatchObject({ code: 0, stdout: 'second\n' });
    expect(await agentstack(['run', 'Helper', '--replay', 'run.jsonl'], { cwd })).toMatchObject({ code: 0, stdout: 'second\n' });
  });

  test('says exactly what differs when the run is another one', async () => {
    const { cwd } = await served([{ text: ['ok'] }]);
    await agentstack(['run', 'Helper', '--message', 'How?', '--record', 'run.jsonl'], { cwd, env });
    const { code, stderr } = await agentstack(['run', 'Helper', '--message', 'Why?', '--replay', 'run.jsonl'], { cwd });
    expect(stderr).toContain(
      'The run differs from its recording (replay-mismatch): Model call 1 is not the one that was recorded: /messages/1/content: "How?" was recorded, now "Why?"',
    );
    expect(code).toBe(1);
  });

  test('that is none, or cannot be written, is refused before anything runs', async () => {
    const { cwd, server } = await served([{ text: ['ok'] }]);
    const run = (...args: string[]) => agentstack(['run', 'Helper', '--message', 'x', ...args], { cwd, env });
    expect(await run('--replay', 'nowhere.jsonl')).toMatchObject({ code: 2, stderr: expect.stringContaining('does not exist') });
    expect(await run('--replay', 'docs/guide.md')).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a record of a run') });
    expect(await run('--record', 'docs')).toMatchObject({ code: 1, stderr: expect.stringContaining('(storage):') });
    expect(await run('--record', 'a', '--replay', 'b')).toMatchObject({ code: 2, stderr: expect.stringContaining('not both') });
    expect(server.requests).toHaveLength(0);
  });
});

describe('runs', () => {
  test('are listed, newest first, and shown with their steps', async () => {
    const { cwd } = await served([
      calls(['calculator', { expression: '6 * 7' }], ['fetch_document', { id: 'docs/guide.md' }], ['search_files', { query: 'npm' }]),
      { text: ['It is 42.'] },
      { status: 400, error: { message: 'no such thing' } },
    ]);
    const none = await agentstack(['runs', 'list'], { cwd });
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'There are no runs yet.\n' });
    expect((await agentstack(['runs', 'show', 'last'], { cwd })).code).toBe(2);
    await agentstack(['run', 'Helper', '--message', 'What?'], { cwd, env });
    await agentstack(['run', 'Helper', '--message', 'What now?'], { cwd, env });
    const list = await agentstack(['runs', 'list'], { cwd });
    expect(
      list.stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/\s+/)[3]),
    ).toEqual(['failed', 'completed']);
    const { runs } = JSON.parse((await agentstack(['runs', 'list', '--json', '--limit', '1'], { cwd })).stdout);
    expect(runs).toMatchObject([{ state: 'failed', name: 'Helper', error: { code: 'llm' } }]);
    expect((await agentstack(['runs', 'list', '--agent', 'Nobody'], { cwd })).stderr).toContain('None of 2 runs fits.');
    const listed = async (...filter: string[]) => {
      const { stdout } = await agentstack(['runs', 'list', ...filter], { cwd });
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split(/\s+/)[3]);
    };
    expect(await listed('--status', 'failed')).toEqual(['failed']);
    expect(await listed('--search', 'WHAT NOW')).toEqual(['failed']);
    expect(await listed('--search', 'it is 42')).toEqual(['completed']);
    expect(await listed('--llm', 'none')).toEqual([]);
    expect(await listed('--since', '1h', '--agent', 'Helper')).toEqual(['failed', 'completed']);

    const [, older] = list.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(0, 32));
    const shown = await agentstack(['runs', 'show', older!], { cwd });
    expect(shown.stdout).toContain('input       {"message":"What?"}');
    expect(shown.stdout).toContain('-> calculator {"expression":"6 * 7"}');
    expect(shown.stdout.match(/^step \d+$/gm)).toEqual(['step 1', 'step 2']);
    expect(shown.stdout).toMatch(/^took .*tools calculator, fetch_document, search_files \| .* USD$/m);
    expect(shown.stdout).toMatch(/\n {5}42\n/);
    expect(shown.stdout).toMatch(/^summary {5}Called calculator \(1 call\), [^;]*; answered in turn 2\.$/m);
    expect(shown.stdout).toContain('It is 42.');
    expect((await agentstack(['runs', 'show', 'last'], { cwd })).stdout).toContain('no such thing');
    const json = JSON.parse((await agentstack(['runs', 'show', older!.slice(0, 31), '--json'], { cwd })).stdout);
    expect(json).toMatchObject({ summary: { state: 'completed' }, result: { text: 'It is 42.' } });
    const compared = await agentstack(['runs', 'compare', older!, 'last'], { cwd });
    expect(compared.stdout).toMatch(/^\* status +completed +failed$/m);
    expect(compared.stdout).toMatch(/^\* message +What\? +What now\?$/m);
    expect(compared.stdout).toMatch(/^. time +\d/m);
    const rows = JSON.parse((await agentstack(['runs', 'compare', older!, 'last', '--json'], { cwd })).stdout).rows;
    expect(rows).toContainEqual(
      expect.objectContaining({ part: 'run', field: 'agent', kind: 'text', values: ['Helper@v1', 'Helper@v1'], differs: false }),
    );
    expect(await agentstack(['runs', 'compare', 'last', 'last'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('two or more'),
    });
    expect(await agentstack(['runs', 'show', 'zzz'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no run "zzz"'),
    });
  });
});

test('the sample helper answers from the documents of this repository without any key', async () => {
  const { cwd } = await served([]);
  const sample = join(repository, 'config');
  write(cwd, 'config/agents/DocsHelper/v1.json', readFileSync(join(sample, 'agents/DocsHelper/v1.json'), 'utf8'));
  write(cwd, 'config/llms/offline.json', readFileSync(join(sample, 'llms/offline.json'), 'utf8'));
  const { code, stderr, stdout } = await agentstack(['run', 'DocsHelper', '--message', 'install', '--llm', 'offline', '--json'], { cwd });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', metadata: { simulated: true, tools_used: ['search_files'] } });
  expect(code).toBe(0);
});
