import { join } from 'node:path';
import type { DebugClient } from '@vscode/debugadapter-testsupport';
import { describe, expect, onTestFinished, test } from 'vitest';
import { agentstack, repository, temporaryProject, toneAgent, toneProject, write } from '../cli/command.js';
import { type LoopbackScript, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { debuggerIn, launch, lineOf, toTheEnd } from './debugClient.js';

const key = 'sk-test-0123456789abcdef';

/** A streamed answer that asks for a tool, as Chat Completions sends it. */
function toolCallReply(call: object) {
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4.1-mini', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const tool_calls = [{ index: 0, id: 'call_1', type: 'function', function: call }];
  return {
    body: `${chunk({ role: 'assistant', tool_calls }, null)}${chunk({}, 'tool_calls')}data: [DONE]\n\n`,
    headers: { 'content-type': 'text/event-stream' },
  };
}

/** A line of a file, with what the breakpoint has besides. */
type Mark = readonly [file: string, text: string, more?: object];

/** A log point at each line, and how often each was hit in a run; or why it cannot be. */
async function hitsIn(cwd: string, args: object, marks: readonly Mark[]) {
  const client = await debuggerIn(cwd);
  const answers = new Map<string, string>();
  const { printed } = await toTheEnd(client, async () => {
    const ready = client.waitForEvent('initialized');
    await client.launchRequest({ noDebug: false, ...args } as never);
    await ready;
    for (const file of new Set(marks.map(([each]) => each))) await setLogPoints(client, cwd, file, marks, answers);
    await client.configurationDoneRequest();
  });
  return marks.map((_, index) => answers.get(`${index}`) ?? printed.split('\n').filter((line) => line.endsWith(`hit ${index}.`)).length);
}

async function setLogPoints(client: DebugClient, cwd: string, file: string, marks: readonly Mark[], answers: Map<string, string>) {
  const path = join(cwd, file);
  const own = marks.flatMap(([each, text, more], index) => (each === file ? [{ index, text, more }] : []));
  const { body } = await client.setBreakpointsRequest({
    source: { path },
    breakpoints: own.map(({ index, text, more }) => ({ line: lineOf(path, text), logMessage: `hit ${index}.`, ...more })),
  });
  for (const [at, { verified, message = '' }] of body.breakpoints.entries()) if (!verified) answers.set(`${own[at]?.index}`, message);
}

const [reply, labels, incident] = ['IssueReply', 'IssueLabels', 'IncidentExtractor'].map((name) => `config/agents/${name}/v1.json`) as [
  string,
  string,
  string,
];
const outage = 'config/recordings/issue_intake/outage/own/1.jsonl';
const limit = 'A limit ends the run where it is reached: turn on the exception breakpoint "Errors".';
const intake = 'config/orchestrations/issue_intake.json';

describe('places of breakpoints', () => {
  test('are in every file that gives an agent something, and in the steps of a plan', async () => {
    const hits = await hitsIn(repository, { agent: 'IssueReply', case: 'login_loop' }, [
      [reply, '{'],
      [reply, '"agent_name"'],
      [reply, '"system_text"'],
      [reply, '"name": "documents"'],
      [reply, '"skill": "search_files"'],
      [reply, '"agent": "IssueLabels@v1"'],
      [reply, '"when":'],
      [reply, '"name": "reply"'],
      [reply, '"output": {'],
      [labels, '"purpose_text"'],
      ['config/prompts/issue_triage/v1.json', '"template"'],
      ['config/prompts/issue_triage/v1.json', '"Search gets slow"'],
      ['config/llms/offline.json', '"model_name"'],
      ['config/llms/openai.json', '"model_name"'],
      ['config/system.json', '"llm_config_id"'],
      ['config/system.json', '"timeout_ms"'],
      ['config/payloads/IssueReply/login_loop.json', '{'],
      ['config/payloads/IssueReply/login_loop.json', '"topic"'],
      ['config/payloads/IssueLabels/empty_body.json', '{'],
      [labels, '"input_keys"'],
      ['README.md', 'agent'],
    ]);
    expect(hits).toEqual([
      ...[1, 1, 1, 1, 1, 1, 0, 1, 'The output of a plan is made when its steps are over: set the breakpoint at a step.'],
      ...[1, 1, 1, 2, 0, 2, limit],
      ...[1, 1, 'This launch does not run the case IssueLabels/empty_body.', 'The input is checked before the run begins.'],
      'This file is no config file of the project.',
    ]);
  });

  test('are teams, tasks with their own config, routes taken and failed, personas and expectations', async () => {
    const fields = { output_field: 'root_cause', operator: 'exists' };
    const hits = await hitsIn(repository, { orchestration: 'issue_intake', case: 'outage', recording: outage }, [
      [intake, '"entry_team"'],
      [intake, '"triage": {'],
      [intake, '"name": "labels"'],
      [intake, '"name": "notice"'],
      [intake, '"text": { "type": "string", "description": "two to four'],
      [intake, '"status": "failure"'],
      [intake, '"status": "failure"', { condition: 'failed' }],
      [intake, '"status": "failure"', { condition: 'taken' }],
      [intake, '"status": "failure"', { logMessage: '{{rule}}, hit 8.' }],
      [intake, '"max_total_teams"'],
      ['config/personas/technical_editor.json', '"system_text"'],
      [labels, '"priority": {'],
      [incident, '"root_cause"', { condition: JSON.stringify(fields) }],
      ['config/orchestrations/issue_intake.json', '"context": {'],
    ]);
    expect(hits).toEqual([
      ...[1, 1, 1, 1, 1, 0, 1, 0, 1, limit, 1, 1, 1],
      'The context is shown at each route: set the breakpoint at a rule or default of "routing".',
    ]);
  });

  test('are the lines of a template in Markdown, which takes the place of a text that is not sent then', async () => {
    const cwd = toneProject({
      'config/agents/Tone/v1.json': { ...toneAgent, prompts: { system_prompt: 'judge@v1' } },
    });
    const prompt = 'config/prompts/judge/v1.md';
    write(cwd, prompt, '---\nvariables: ["input.text"]\n---\n\nYou judge.\n\n- [a] list of {{input.text}}\n');
    const agent = 'config/agents/Tone/v1.json';
    const client = await debuggerIn(cwd);
    const { printed, stops } = await toTheEnd(client, async () => {
      await launch(client, { agent: 'Tone', case: 'greeting' }, join(cwd, agent), [{ line: lineOf(join(cwd, agent), '"system_text"') }]);
    });
    expect(stops).toEqual([]);
    expect(printed).toMatch(/^v1\.json:\d+: system_text is not in what is sent: another text takes its place\.$/m);
    expect(
      await hitsIn(cwd, { agent: 'Tone', case: 'greeting' }, [
        [prompt, 'You judge'],
        [prompt, '- [a] list'],
        [prompt, '---'],
      ]),
    ).toEqual([1, 1, 1]);
  });

  test('are expectations that are not met, at which the run stops when it is over', async () => {
    const expectation = (operator: string, value: string) => ({ output_field: 'tone', operator, value });
    const cwd = toneProject({
      'config/payloads/Tone/greeting.json': {
        input: { text: 'A friendly hello to all of you' },
        expect: [
          expectation('equals', 'formal'),
          expectation('equals', 'friendly'),
          { judge: 'None@v1', output_field: 'x', operator: 'exists' },
        ],
      },
    });
    const file = join(cwd, 'config/payloads/Tone/greeting.json');
    const client = await debuggerIn(cwd);
    const printed: string[] = [];
    client.on('output', ({ body }) => printed.push(body.output));
    const [line, met, judged] = ['"formal"', '"friendly"', '"None@v1"'].map((text) => lineOf(file, text));
    const { breakpoints, stopped } = await launch(client, { agent: 'Tone', case: 'greeting' }, file, [
      { line },
      { line: met },
      { line: judged },
      { line, condition: 'x' },
    ]);
    expect(breakpoints.map(({ verified }) => verified)).toEqual([true, true, true, false]);
    expect((await stopped)?.body).toMatchObject({
      reason: 'breakpoint',
      text: expect.stringContaining('tone is "friendly"; expected: equals "formal".'),
    });
    expect((await client.evaluateRequest({ expression: 'answer.output.tone' })).body.result).toBe('friendly');
    const over = client.waitForEvent('terminated');
    await client.continueRequest({ threadId: 1 });
    await over;
    expect(printed.join('')).toMatch(new RegExp(`^greeting\\.json:${judged}: It is not known whether this is met\\.`, 'm'));
  });

  test('are servers and pinned tools, before a call or, with a condition on its answer, after it', async () => {
    const call = { name: 'echo', arguments: JSON.stringify({ message: 'hi there' }) };
    const script: LoopbackScript = ({ body }) =>
      JSON.stringify(body).includes('"role":"tool"') ? { text: ['Done.'] } : toolCallReply(call);
    const server = await startLoopbackOpenAi(script, { key });
    onTestFinished(() => server.close());
    const everything = join(repository, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
    const real = {
      llm_id: 'real',
      provider: 'openai',
      model_name: 'gpt-4.1-mini',
      base_url: server.url,
      api_key: 'secret://openai_api_key',
    };
    const helper = {
      agent_name: 'Helper',
      version: 'v1',
      agent_type: 'react',
      system_text: 'You help.',
      client_ids: ['all'],
      enabled_tools: ['echo'],
    };
    const cwd = temporaryProject({
      'config/agents/Helper/v1.json': { ...helper, llm_config_id: 'real', timeout_ms: 60_000 },
      'config/llms/real.json': real,
      'config/mcp.json': { servers: { all: { type: 'stdio', command: process.execPath, args: [everything, 'stdio'] } } },
    });
    const env = { OPENAI_API_KEY: key, NO_PROXY: '*' };
    const recorded = await agentstack(['run', 'Helper', '--message', 'x', '--allow-tools=echo', '--record', 'r.jsonl'], { cwd, env });
    expect(recorded.code).toBe(0);
    const after = { condition: JSON.stringify({ field: 'answer', operator: 'contains', value: 'Echo: hi' }) };
    const not = { condition: JSON.stringify({ field: 'arguments.message', operator: 'equals', value: 'hi' }) };
    const agent = 'config/agents/Helper/v1.json';
    const hits = await hitsIn(cwd, { agent: 'Helper', recording: 'r.jsonl' }, [
      ['config/mcp.json', '"all"'],
      ['config/mcp.json', '"command"', after],
      ['config/mcp.json', '"command"', not],
      [agent, '"client_ids"'],
      [agent, '"echo"'],
      [agent, '"echo"', after],
      [agent, '"system_text"', { condition: JSON.stringify({ field: 'answer.text', operator: 'contains', value: 'Done' }) }],
    ]);
    expect(hits).toEqual([1, 1, 0, 1, 1, 1, 1]);
  });
});
