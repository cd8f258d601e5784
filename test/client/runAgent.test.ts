import { beforeEach, describe, expect, test, vi } from 'vitest';
import { runAgent } from '../../client/views/run/runAgent.js';
import type { RunArgument } from '../../client/views/run/runArgument.js';

const seen = vi.hoisted(() => ({ steps: [] as string[], cancelled: '' }));
const Uri = vi.hoisted(
  () =>
    class {
      readonly path: string;
      constructor(path: string) {
        this.path = path;
      }
      toString() {
        return this.path;
      }
    },
);

vi.mock('vscode', () => ({ Uri, window: {}, workspace: { isTrusted: true }, commands: { executeCommand: async () => undefined } }));
vi.mock('../../client/views/run/chooseRun.js', () => ({
  async chooseRun(_services: unknown, { uri }: RunArgument) {
    seen.steps.push(`ask ${uri}`);
    return `${uri}` === seen.cancelled ? undefined : uri;
  },
}));
vi.mock('../../client/views/run/startRun.js', () => ({
  prepareRun: async (_services: unknown, choice: unknown) => choice,
  async follow(_services: unknown, plan: unknown) {
    seen.steps.push(`run ${plan}`);
    return { run_id: `${plan}`, success: true, metadata: { tools_used: [] } };
  },
}));

const entry = (kind: string, path: string) => ({ kind, uri: new Uri(path) });
const [first, second] = [entry('agent', 'A/v1'), entry('payload', 'B/case')];
const run = (argument: unknown, selection?: unknown) => runAgent({ projects: { of: () => undefined } } as never, argument, selection);

beforeEach(() => {
  seen.steps = [];
  seen.cancelled = '';
});

describe('Run Agent in the view Agents', () => {
  test('asks about every selected entry, then runs them all', async () => {
    expect(await run(first, [first, second])).toMatchObject({ run_id: 'A/v1' });
    expect(seen.steps).toEqual(['ask A/v1', 'ask B/case', 'run A/v1', 'run B/case']);
  });

  test('leaves out what cannot run, and runs a file once', async () => {
    await run(first, [entry('llm', 'main'), first, entry('agentVersion', 'A/v1'), second]);
    expect(seen.steps).toEqual(['ask A/v1', 'ask B/case', 'run A/v1', 'run B/case']);
  });

  test('runs nothing when one question is cancelled', async () => {
    seen.cancelled = 'B/case';
    expect(await run(first, [first, second])).toBeUndefined();
    expect(seen.steps).toEqual(['ask A/v1', 'ask B/case']);
  });

  test.each([[undefined], [[first]], [{ groupId: 0 }]])('runs the entry alone with the selection %j', async (selection) => {
    await run(first, selection);
    expect(seen.steps).toEqual(['ask A/v1', 'run A/v1']);
  });
});
