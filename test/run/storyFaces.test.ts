import { EventEmitter } from 'node:events';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runPage } from '../../cli/reports/runPage.js';
import { createRunRow } from '../../cli/reports/runRow.js';
import { createRunView } from '../../cli/runView.js';
import { createTeamView } from '../../cli/teamView.js';
import { createStyles } from '../../cli/terminal/styles.js';
import { createTerminal, type OutputHost } from '../../cli/terminal/terminal.js';
import { chatTotals, conversationText } from '../../client/panels/chat/conversation.js';
import { comparedLines } from '../../client/panels/compare/comparedLines.js';
import { newFacts, Transcript, toFields } from '../../client/panels/run/transcript.js';
import { describeRun } from '../../client/views/runs/describeRun.js';
import type { AgentEvent } from '../../core/agent/events.js';
import { observeWithTracer } from '../../core/node/observeWithTracer.js';
import { compareRuns } from '../../core/run/compareRuns.js';
import { createStory } from '../../core/run/story/createStory.js';
import { pathOf } from '../../core/run/story/pathOf.js';
import { progressWords } from '../../core/serve/toolAnswer.js';
import { sampleProject } from '../agent/sampleProject.js';
import { openPage } from '../support/pageDom.js';
import { type SampleRun, sampleRuns } from '../support/sampleRuns.js';
import { freezeTeams } from '../support/teams.js';
import { standingClock } from '../support/testPorts.js';

// What every face prints of the same runs, as files: a change of one is seen in all of them, or in none.

const samples = await sampleRuns();
const all = [...samples].map(([name, sample]) => ({ name, ...sample }));
const plain = createStyles('plain');
const faceFile = (face: string, name: string) => `../fixtures/story/${face}/${name}.txt`;

/** What a run prints while it goes on, each stream with its mark. */
function printed(sample: SampleRun, isTTY: boolean): string {
  let text = '';
  const stream = (mark: string) => {
    const write = (piece: string) => {
      text += `${mark}${JSON.stringify(piece)}\n`;
    };
    return Object.assign(new EventEmitter(), { isTTY, columns: 72, write });
  };
  const host = { stdout: stream('out '), stderr: stream('err '), env: {} } as unknown as OutputHost;
  const terminal = createTerminal(host, ['--no-color'], { cover: (piece) => piece });
  const view = sample.kind === 'orchestration' ? createTeamView(terminal) : createRunView(terminal);
  for (const event of sample.events) view.event(event as unknown as AgentEvent);
  return text;
}

/** What is printed while a run goes on is never read back: its events are what their types say, and all of one process. */
const live = all.filter(({ name }) => name !== 'torn' && name !== 'teamResumed');

describe('on the command line', () => {
  test.each(live)('$name is printed while it goes on', async ({ name, ...sample }) => {
    await expect(`${printed(sample, false)}\n${printed(sample, true)}`).toMatchFileSnapshot(faceFile('terminal', name));
  });

  test.each(all)('$name is shown when it is read back', async ({ name, stored }) => {
    const row = createRunRow([stored.summary.run_id], { out: plain, columns: 100, stdoutIsTerminal: true })(stored.summary);
    await expect(`${row}\n\n${runPage(stored, plain, 80)}\n`).toMatchFileSnapshot(faceFile('page', name));
  });
});

const baseFacts = (kind: SampleRun['kind']) =>
  newFacts({
    kind,
    agent: 'Labels',
    version: kind === 'agent' ? 'v1' : '',
    project: 'sample',
    root: '/sample',
    status: 'running',
    provider: 'openai',
    isDurable: true,
    session: 'session-1',
    canContinue: true,
    input: toFields({ title: 'It crashes', n: 5 }, 'unchecked'),
  });

function transcriptOf({ kind }: SampleRun): Transcript {
  return new Transcript(baseFacts(kind), {
    check: (name) => name !== 'reason',
    priceOf: (instance) => (instance === '' || instance === 'a/x' ? { input: 0.4, output: 1.6, cached_input: 0.1 } : undefined),
    originOf: (tool) => (tool === 'find' ? 'skill' : tool === 'count' ? 'built-in' : ''),
  });
}

describe.each(['run', 'chat'] as const)('in the panel "%s"', (panel) => {
  const chat = { agent: 'Labels', version: 'v1', root: '/sample', session: 'session-1', profile: null, fields: [], isPreparing: false };
  const whole = (transcript: Transcript) => (message: object) =>
    'part' in message && typeof message.part === 'number'
      ? { type: 'whole', turn: 1, part: message.part, ...transcript.whole(message.part) }
      : undefined;

  test.each(all)('$name is shown event by event, and as a whole', async ({ name, ...sample }) => {
    const transcript = transcriptOf(sample);
    const message = (type: 'show' | 'more', events: readonly object[]) => {
      const { facts } = transcript;
      if (panel === 'run') return { type, facts, events };
      const turn = { id: 1, facts, events };
      const now = { ...chat, totals: chatTotals([facts]) };
      return type === 'show' ? { type, chat: now, turns: [turn] } : { type, chat: now, turn };
    };
    // With a query the module runs anew.
    const main = `../../client/panels/${panel}/page/main.ts?${name}`;
    const page = await openPage(() => import(/* @vite-ignore */ main));
    onTestFinished(() => page.close());
    await page.show([message('show', [])]);
    let middle = '';
    for (const [at, event] of sample.events.entries()) {
      const shown = await page.show([message('more', transcript.add(event))]);
      if (at === Math.floor(sample.events.length / 2)) middle = shown;
    }
    const grown = await page.unfold(whole(transcript));
    await page.show([message('show', transcript.events)]);
    const again = await page.unfold(whole(transcript));
    await expect(`${middle}\n${grown}${grown === again ? '' : `\n${again}`}`).toMatchFileSnapshot(faceFile(panel, name));
  });
});

describe('in the history', () => {
  test.each(all)('$name is a text to read and to compare', async ({ name, stored, ...sample }) => {
    const words = { input: 'Input', output: 'Answer', error: 'Error', messages: 'Messages', metadata: 'Facts', none: '(none)' };
    const transcript = transcriptOf({ stored, ...sample });
    for (const event of sample.events) transcript.add(event);
    const { facts } = transcript;
    const texts = [describeRun(stored, words), conversationText([transcript]), JSON.stringify(facts, null, 2)];
    await expect(texts.join('\n\n')).toMatchFileSnapshot(faceFile('history', name));
  });

  test('runs stand side by side', async () => {
    const runs = all.map(({ stored }) => stored);
    const words = {
      language: 'en',
      fields: new Proxy({}, { get: (_, name) => String(name) }) as never,
      stateWord: (state: string) => state,
      errors: new Proxy({}, { get: (_, name) => `error ${String(name)}` }) as never,
      simulated: 'simulated',
      atLeast: (text: string) => `at least ${text}`,
    };
    const lines = [...comparedLines(runs, words), ...compareRuns(runs).rows].map((line) => JSON.stringify(line));
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(faceFile('compare', 'all'));
  });
});

describe('as telemetry', async () => {
  const { factory } = sampleProject();
  const agent = await factory.load('Labels', 'v1');
  const { snapshot, agents } = freezeTeams({ teams: { a: { tasks: [{ name: 'x' }], routing: { default: null } } } });

  test.each(live)('$name is spans and counts', async ({ name, kind, events }) => {
    const exporter = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const lines: string[] = [];
    const instrument = (of: string) => {
      const take = (value: number, attributes: object) => void lines.push(JSON.stringify({ of, value, attributes }));
      return { add: take, record: take };
    };
    const observer = observeWithTracer({
      tracer: provider.getTracer('test'),
      meter: { createCounter: instrument, createHistogram: instrument },
      clock: standingClock(),
      captureContent: true,
    });
    const watch =
      kind === 'agent'
        ? await observer.begin({ agent, payload: { title: 'x' }, context: {}, delivery: 'stream' })
        : await observer.beginOrchestration?.({ snapshot, agents, context: {} });
    for (const event of events) watch?.event(event as unknown as AgentEvent);
    if (events.at(-1)?.type !== 'final') watch?.abandoned();
    const spans = exporter
      .getFinishedSpans()
      .map(({ name: span, status, attributes, events: told }) =>
        JSON.stringify({ span, status, attributes, events: told.map(({ name: of, attributes: with_ }) => [of, with_]) }),
      );
    const steady = [...spans, ...lines].join('\n').replaceAll(snapshot.hash, 'HASH').replaceAll(agent.snapshot.hash, 'HASH');
    await expect(`${steady}\n`).toMatchFileSnapshot(faceFile('telemetry', name));
  });
});

describe('elsewhere', () => {
  test.each(all)('$name is a path through a graph, and progress for another program', async ({ name, events }) => {
    const { story, add } = createStory();
    let before = '';
    const lines = events.map((event) => {
      add(event);
      const path = JSON.stringify(pathOf(story));
      const changed = path !== before;
      before = path;
      const told = name === 'torn' ? undefined : progressWords(event as unknown as AgentEvent);
      return `${String(event.type)} ${told ?? '-'} ${changed ? path : ''}`;
    });
    await expect(`${[...lines, JSON.stringify(pathOf(story, true))].join('\n')}\n`).toMatchFileSnapshot(faceFile('path', name));
  });
});
