import { describe, expect, test } from 'vitest';
import { DeniedError, ReplayMismatchError } from '../../../core/errors.js';
import { collectRun } from '../collectRun.js';
import { asks, good, prepareReact, type ReactCase, reactRun, says } from './reactRun.js';

/** What the model was told of the calls of its first turn. */
async function observed(given: Pick<ReactCase, 'tools' | 'options'>, ...calls: { name: string; input?: object; input_text?: string }[]) {
  const run = await reactRun({ answers: [{ chunks: [], calls: calls as never }, says(good)], ...given });
  const message = run.model.requests[1]?.messages[3];
  if (typeof message?.content !== 'object') throw new Error(`No results: ${JSON.stringify(run.result.error)}`);
  const told = message.content.map((block) => (block.type === 'tool_result' ? `${block.is_error ? '! ' : ''}${block.content}` : ''));
  return { ...run, told };
}

describe('a call that goes wrong is told to the model', () => {
  test('a tool that is not there, with names that look alike', async () => {
    const { told, result } = await observed({ tools: [{ name: 'search_files' }, { name: 'other' }] }, { name: 'search_file' });
    expect(told).toEqual(['! Error: There is no tool "search_file". Did you mean "search_files"? Tools: search_files, other.']);
    expect(result).toMatchObject({ success: true, metadata: { tools_used: [] } });
  });

  test('input that does not fit, without calling', async () => {
    const { told, seen } = await observed({ tools: [{ name: 'a' }] }, { name: 'a', input: { q: 1, z: 2 } });
    expect(told[0]).toMatch(/^! Error: The input does not fit a, which was not called:\n- .*\n- .*\nIts parameters: \{/);
    expect(seen.calls).toEqual([]);
  });

  test('input that is not an object', async () => {
    const { told, seen } = await observed({ tools: [{ name: 'a' }] }, { name: 'a', input_text: '{"q": "unfinished' });
    expect(told[0]).toContain('must be a JSON object');
    expect(seen.calls).toEqual([]);
  });

  test('input that no file could hold', async () => {
    const deep = JSON.parse(`{"q": ${'['.repeat(6000)}${']'.repeat(6000)}}`);
    const { told, seen, model } = await observed(
      { tools: [{ name: 'a' }] },
      { name: 'a', input: deep },
      { name: 'a', input: { q: Number.POSITIVE_INFINITY } },
    );
    expect(told.every((text) => text.includes('must be a JSON object'))).toBe(true);
    expect(seen.calls).toEqual([]);
    expect(JSON.stringify(model.requests[1])).toContain('levels deep');
  });

  test('a tool that throws, at once or later, its keys covered', async () => {
    const { told, result } = await observed(
      {
        tools: [
          {
            name: 'a',
            idempotent: false,
            call: () => {
              throw new Error('no access with sk-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH');
            },
          },
          { name: 'b', idempotent: false, call: async () => Promise.reject('text') },
        ],
      },
      { name: 'a', input: { q: '' } },
      { name: 'b', input: { q: '' } },
    );
    expect(told[0]).toMatch(/^! Error: no access with /);
    expect(told[0]).not.toContain('abcdefghijklmnop');
    expect(told[1]).toBe('! Error: text');
    expect(result.reasoning.confidence).toBeLessThan(0.7);
  });

  test('a tool that returns nothing of use', async () => {
    const { told } = await observed({ tools: [{ name: 'a', call: () => 7 as never }] }, { name: 'a', input: { q: '' } });
    expect(told).toEqual(['! Error: The tool returned no result that can be read.']);
  });

  test('more calls than one turn may have', async () => {
    const calls = Array.from({ length: 40 }, (_, index) => ({ name: 'a', input: { q: `${index}` } }));
    const { told, seen } = await observed({ tools: [{ name: 'a' }] }, ...calls);
    expect(told).toHaveLength(40);
    expect(told[32]).toContain('At most 32 calls');
    expect(seen.calls).toHaveLength(32);
  });

  test('fields that only look special reach the tool', async () => {
    const inputs: string[] = [];
    const parameters = { type: 'object' };
    await observed(
      {
        tools: [
          {
            name: 'a',
            parameters,
            call: (input) => {
              inputs.push(JSON.stringify(input));
              return 'ok';
            },
          },
        ],
      },
      { name: 'a', input: JSON.parse('{"__proto__": 1, "constructor": 2}') },
    );
    expect(inputs).toEqual(['{"__proto__":1,"constructor":2}']);
  });
});

describe('a tool that is tried again', () => {
  const flaky = (idempotent: boolean) => {
    let count = 0;
    return {
      name: 'a',
      idempotent,
      call: () => {
        count += 1;
        if (count < 3) throw new Error(`try ${count}`);
        return `try ${count}`;
      },
    };
  };

  test('is idempotent, waits in between and gives the last result', async () => {
    const { run, ports, seen } = await prepareReact({ answers: [asks('a'), says(good)], tools: [flaky(true)] });
    const collected = collectRun(run);
    for (let turn = 0; turn < 4; turn += 1) await ports.clock.pass(1000);
    const { result } = await collected;
    expect(seen.calls).toHaveLength(3);
    expect(result.reasoning.steps[0]?.observation).toBe('try 3');
    expect(ports.clock.sleeping).toBe(0);
  });

  test('is never one that is not', async () => {
    const { told, seen } = await observed({ tools: [flaky(false)] }, { name: 'a', input: { q: '' } });
    expect(told).toEqual(['! Error: try 1']);
    expect(seen.calls).toHaveLength(1);
  });

  test('is not tried again for an error that would stay', async () => {
    const { told, seen } = await observed(
      { tools: [{ name: 'a', call: () => ({ content: 'no such file', is_error: true }) }] },
      { name: 'a', input: { q: '' } },
    );
    expect(told).toEqual(['! Error: no such file']);
    expect(seen.calls).toHaveLength(1);
  });
});

describe('a tool that takes its time', () => {
  test('is given up after timeout_ms, its signal aborted, even when it does not listen', async () => {
    let signal: AbortSignal | undefined;
    const { run, ports } = await prepareReact({
      answers: [asks('slow'), says(good)],
      tools: [
        {
          name: 'slow',
          idempotent: false,
          timeout_ms: 500,
          call: (_input, context) => {
            signal = context.signal;
            return new Promise<never>(() => undefined);
          },
        },
      ],
    });
    const collected = collectRun(run);
    for (let turn = 0; turn < 4; turn += 1) await ports.clock.pass(250);
    const { result } = await collected;
    expect(signal?.aborted).toBe(true);
    expect(result.success).toBe(true);
    expect(result.reasoning.steps[0]?.observation).toBe('Error: The tool did not answer within 500 ms.');
  });

  test('ends with the run, which keeps what it had', async () => {
    const { run, ports, seen } = await prepareReact({
      answers: [asks('slow')],
      tools: [{ name: 'slow', call: () => new Promise<never>(() => undefined) }],
      agent: { timeout_ms: 1000 },
    });
    const collected = collectRun(run);
    await ports.clock.pass(0);
    await ports.clock.pass(1000);
    await ports.clock.pass(0);
    const { result } = await collected;
    expect(result.error?.code).toBe('timeout');
    expect(result.reasoning.steps).toMatchObject([{ step: 1, action: { tool: 'slow', input: { q: 'x' }, output: null } }]);
    expect(seen.closed).toBe(1);
    expect(ports.clock.sleeping).toBe(0);
  });
});

describe('a result', () => {
  test('of 20 MB is cut for the model and bounded in the trace', async () => {
    const { told, result } = await observed(
      { tools: [{ name: 'a', call: () => 'x'.repeat(20_000_000) }] },
      { name: 'a', input: { q: '' } },
    );
    expect(told[0]!.length).toBeLessThan(33_000);
    expect(told[0]).toContain('[... cut: characters 24001 to 19992000 of 20000000 are not shown ...]');
    const output = result.reasoning.steps[0]?.action?.output as string;
    expect(output.length).toBeLessThan(1_001_000);
    expect(output).toContain('are not shown');
  });

  test('that is short leaves its share to the others of its turn', async () => {
    const { told } = await observed(
      {
        tools: [
          { name: 'a', call: () => 'x'.repeat(31_000) },
          { name: 'b', call: () => 'short' },
        ],
      },
      { name: 'a', input: { q: '' } },
      { name: 'b', input: { q: '' } },
    );
    expect(told.map((text) => text.length)).toEqual([31_000, 5]);
  });

  test('shows impact and risks first, then how good its source is', async () => {
    const { told, result } = await observed(
      {
        tools: [
          {
            name: 'a',
            call: () => ({
              content: 'delete it',
              hints: { estimated_impact: 0.8, risk_factors: ['cannot be undone', 'others use it'], source_quality: 'low' },
            }),
          },
          { name: 'b', call: () => ({ content: 'fine', hints: { source_quality: 'high' } }) },
        ],
      },
      { name: 'a', input: { q: '' } },
      { name: 'b', input: { q: '' } },
    );
    expect(told[0]).toBe('Estimated impact: 0.8 (0 to 1)\nRisks: cannot be undone; others use it\nSource quality: low\ndelete it');
    expect(result.reasoning.source_quality).toBe('low');
  });

  test('with nonsense for hints and documents is read all the same', async () => {
    const hints = {
      estimated_impact: 'high',
      risk_factors: [1, 'real'],
      source_quality: 'best',
      validity_period_ms: -1,
      dependencies: 'all',
    };
    const { told } = await observed(
      {
        tools: [
          { name: 'a', call: () => ({ content: 'ok', hints, documents: [null, { id: 7 }, { id: 'x', metadata: { n: 1n } }] }) as never },
        ],
      },
      { name: 'a', input: { q: '' } },
    );
    expect(told).toEqual(['Risks: real\nok']);
  });

  test('brings its documents into the result of the run, each once', async () => {
    const documents = [{ id: 'docs/a.md', title: 'A', text: 'a' }];
    const { result } = await observed(
      { tools: [{ name: 'a', call: () => ({ content: 'ok', documents }) }] },
      { name: 'a', input: { q: '1' } },
      { name: 'a', input: { q: '2' } },
    );
    expect(result.source_documents).toEqual(documents);
  });

  test('that holds for a while is used again for the same call', async () => {
    let count = 0;
    const { run, ports, seen, model } = await prepareReact({
      answers: [asks('a'), asks('a'), asks('a', { q: 'other' }), says(good)],
      tools: [
        {
          name: 'a',
          call: () => {
            count += 1;
            return { content: `number ${count}`, hints: { validity_period_ms: 60_000 } };
          },
        },
      ],
    });
    const { result } = await collectRun(run);
    expect(seen.calls).toHaveLength(2);
    expect(JSON.stringify(model.requests[2]?.messages.at(-1))).toContain('its result still holds:\\nnumber 1');
    expect(result.metadata.tools_used).toEqual(['a']);
    expect(ports.clock.sleeping).toBe(0);
  });
});

describe('the calls of one turn', () => {
  test('run at the same time', async () => {
    let running = 0;
    let most = 0;
    const call = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return 'ok';
    };
    await observed(
      {
        tools: [
          { name: 'a', call },
          { name: 'b', call },
        ],
      },
      { name: 'a', input: { q: '' } },
      { name: 'b', input: { q: '' } },
      { name: 'a', input: { q: '2' } },
    );
    expect(most).toBe(3);
  });

  test('wait for those they depend on, by their definition or by a hint', async () => {
    const order: string[] = [];
    const tool = (name: string, rest = {}) => ({
      name,
      call: async () => {
        order.push(`${name}+`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`${name}-`);
        return { content: 'ok', hints: { dependencies: name === 'b' ? ['c'] : [] } };
      },
      ...rest,
    });
    await observed(
      { tools: [tool('a', { dependencies: ['b'] }), tool('b'), tool('c')] },
      ...['a', 'b'].map((name) => ({ name, input: { q: '' } })),
    );
    expect(order).toEqual(['b+', 'b-', 'a+', 'a-']);
    order.length = 0;
    await reactRun({
      answers: [asks('b'), { chunks: [], calls: ['a', 'b', 'c'].map((name) => ({ name, input: { q: '2' } })) }, says(good)],
      tools: [tool('a', { dependencies: ['b'] }), tool('b'), tool('c')],
    });
    expect(order.slice(2)).toEqual(['c+', 'c-', 'b+', 'b-', 'a+', 'a-']);
  });

  test('that depend on each other in a circle all run', async () => {
    const { told } = await observed(
      {
        tools: [
          { name: 'a', dependencies: ['b'] },
          { name: 'b', dependencies: ['a'] },
        ],
      },
      { name: 'b', input: { q: '' } },
      { name: 'a', input: { q: '' } },
    );
    expect(told).toEqual(['b of {"q":""}', 'a of {"q":""}']);
  });
});

describe('a tool that needs to be allowed', () => {
  const guarded = { name: 'send', needs_approval: true };

  test('ends the run as denied where there is no one to ask', async () => {
    const { result, seen } = await reactRun({ answers: [asks('send')], tools: [guarded] });
    expect(result.error).toMatchObject({ code: 'denied' });
    expect(result.error?.message).toContain('"send"');
    expect(seen).toMatchObject({ calls: [], closed: 1 });
  });

  test('is called once allowed; a refusal is told to the model', async () => {
    const asked: string[] = [];
    const approve: NonNullable<ReactCase['options']>['approve'] = async ({ tool, input }) => {
      asked.push(`${tool.name} ${JSON.stringify(input)}`);
      return input.q === 'yes' ? 'allow' : 'deny';
    };
    const { told, seen } = await observed(
      { tools: [guarded], options: { approve } },
      { name: 'send', input: { q: 'yes' } },
      { name: 'send', input: { q: 'no' } },
    );
    expect(asked).toEqual(['send {"q":"yes"}', 'send {"q":"no"}']);
    expect(told[0]).toBe('send of {"q":"yes"}');
    expect(told[1]).toContain('did not allow');
    expect(seen.calls).toHaveLength(1);
  });

  test('ends the run when the person asked says so, before any call of the turn began', async () => {
    const approve = async () => Promise.reject(new DeniedError('Add --allow-tools send.'));
    const { result, seen } = await reactRun({
      answers: [
        {
          chunks: [],
          calls: [
            { name: 'free', input: { q: '' } },
            { name: 'send', input: { q: '' } },
          ],
        },
      ],
      tools: [guarded, { name: 'free' }],
      options: { approve },
    });
    expect(result.error).toMatchObject({ code: 'denied', message: 'Add --allow-tools send.' });
    expect(seen.calls).toEqual([]);
  });

  test('does not use up the time of the run while a person thinks about it', async () => {
    let decide: (answer: 'allow') => void = () => undefined;
    const approve = () =>
      new Promise<'allow' | 'deny'>((resolve) => {
        decide = resolve;
      });
    const { run, ports } = await prepareReact({
      answers: [asks('send'), says(good)],
      tools: [guarded],
      options: { approve },
      agent: { timeout_ms: 1000 },
    });
    const collected = collectRun(run);
    await ports.clock.pass(400);
    for (let turn = 0; turn < 5; turn += 1) await ports.clock.pass(10_000);
    decide('allow');
    const { result } = await collected;
    expect(result.success).toBe(true);
    expect(ports.clock.sleeping).toBe(0);
  });
});

test('a replay that differs ends the run', async () => {
  const { result } = await reactRun({
    answers: [asks('a')],
    tools: [
      {
        name: 'a',
        call: () => {
          throw new ReplayMismatchError('Something else was recorded.', ['q: "x" was recorded']);
        },
      },
    ],
  });
  expect(result.error).toMatchObject({ code: 'replay-mismatch' });
});

describe('the tools of a run', () => {
  test('that cannot be had end it before the first call', async () => {
    const { result, model } = await reactRun({
      answers: [],
      options: { openTools: async () => Promise.reject(new DeniedError('The server changed.')) },
    });
    expect(result.error).toMatchObject({ code: 'denied' });
    expect(model.requests).toEqual([]);
  });

  test('that come too late are closed', async () => {
    let closed = 0;
    let open: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { run, ports } = await prepareReact({
      answers: [],
      agent: { timeout_ms: 1000 },
      options: {
        openTools: async () => {
          await late;
          return {
            tools: [],
            close: async () => {
              closed += 1;
            },
          };
        },
      },
    });
    const collected = collectRun(run);
    await ports.clock.pass(0);
    await ports.clock.pass(1000);
    expect((await collected).result.error?.code).toBe('timeout');
    open();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    expect(closed).toBe(1);
  });

  test('that do not close hold the run up for five seconds at most', async () => {
    const { run, ports } = await prepareReact({
      answers: [says(good)],
      options: { openTools: async () => ({ tools: [], close: () => new Promise<never>(() => undefined) }) },
    });
    const collected = collectRun(run);
    for (let turn = 0; turn < 7; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      await ports.clock.pass(1000);
    }
    expect((await collected).result.success).toBe(true);
    expect(ports.lines.some(({ message }) => message.includes('could not be closed'))).toBe(true);
  });
});

test('what a tool throws is in the log with its stack, and its keys covered', async () => {
  const call = function countShelves() {
    throw new RangeError('no access with sk-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH');
  };
  const { ports } = await observed({ tools: [{ name: 'a', idempotent: false, call }] }, { name: 'a', input: { q: '' } });
  const fields = ports.lines.find(({ message }) => message === 'tool threw')?.fields;
  expect(fields).toMatchObject({
    tool: 'a',
    step: 1,
    error: 'RangeError',
    problem: expect.stringContaining('no access'),
    stack: expect.stringContaining('countShelves'),
  });
  expect(JSON.stringify(ports.lines)).not.toContain('abcdefghijklmnop');
});

test('every line of the log says which agent, run and step it is about', async () => {
  const { ports, result } = await observed(
    { tools: [{ name: 'a' }], options: { context: { trace_id: 'trace', correlation_id: 'order-7' } } },
    { name: 'a', input: { q: '' } },
  );
  const line = ports.lines.find(({ message }) => message === 'tool call completed');
  expect(line?.fields).toMatchObject({
    agent: 'Labels@v1',
    run_id: result.run_id,
    trace_id: 'trace',
    correlation_id: 'order-7',
    step: 1,
    tool: 'a',
  });
  expect(ports.lines.find(({ message }) => message === 'model answered')?.fields).toMatchObject({
    agent: 'Labels@v1',
    step: 1,
    finish_reason: 'tool_use',
  });
});
