import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { checkLaunch, completeLaunch } from '../../client/views/debug/launches.js';
import { offlineProfile, toneAgent, toneProject } from '../cli/command.js';

const seen = vi.hoisted(() => ({ open: undefined as unknown, isTrusted: true, refusals: [] as string[] }));

vi.mock('vscode', () => {
  const file = (fsPath: string) => ({ scheme: 'file', fsPath, path: fsPath });
  const t = (text: string, ...values: readonly unknown[]) => text.replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)]));
  return {
    Uri: { file },
    l10n: { t },
    EventEmitter: class {},
    CancellationError: class extends Error {},
    window: {
      get activeTextEditor() {
        return seen.open === undefined ? undefined : { document: { uri: file(seen.open as string) } };
      },
      async showWarningMessage(message: string) {
        seen.refusals.push(message);
      },
      async showErrorMessage(message: string) {
        seen.refusals.push(message);
      },
    },
    workspace: {
      get isTrusted() {
        return seen.isTrusted;
      },
      textDocuments: [],
      getConfiguration: () => ({ get: (_: string, fallback: unknown) => fallback, inspect: () => undefined }),
      findFiles: async () => [],
    },
    commands: { executeCommand: async () => undefined },
  };
});

const { Projects } = await import('../../client/projects.js');
const { WindowCover } = await import('../../client/ports/windowCover.js');
const services = {
  projects: new Projects(),
  cover: new WindowCover(),
  log: { error: () => undefined },
  extension: { secrets: { get: async () => undefined }, globalState: { get: () => undefined } },
  memory: { get: () => undefined },
} as never;
let root: string;
const f5 = (path: string) => {
  seen.open = join(root, path);
  return completeLaunch(services, {} as never);
};

beforeEach(() => {
  Object.assign(seen, { open: undefined, isTrusted: true, refusals: [] });
  root = toneProject({
    'config/agents/Tone/v1.json': { ...toneAgent, llm_config_id: 'offline' },
    'config/llms/offline.json': offlineProfile,
    'config/payloads/Tone/a_set.json': { cases: [] },
    'config/orchestrations/judge.json': { name: 'judge', entry_team: 'a', teams: {} },
    'config/payloads/judge/calm.json': { input: { text: 'Calm' } },
  });
});

test.each([
  ['config/agents/Tone/v1.json', { agent: 'Tone@v1', case: 'greeting', name: 'Tone@v1 / greeting' }],
  ['config/payloads/Tone/greeting.json', { agent: 'Tone', case: 'greeting' }],
  ['config/orchestrations/judge.json', { orchestration: 'judge', case: 'calm' }],
  ['config/payloads/judge/calm.json', { orchestration: 'judge', case: 'calm' }],
])('F5 on %s debugs it', async (path, launch) => {
  expect(await f5(path)).toMatchObject({ type: 'agent-stack', request: 'launch', project: root, stopBefore: ['model'], ...launch });
});

test.each([['config/llms/offline.json'], ['../elsewhere.json']])('F5 on %s is refused', async (path) => {
  expect(await f5(path)).toBeUndefined();
  expect(seen.refusals).toEqual([expect.stringContaining('Nothing to debug: open an agent')]);
});

test.each([
  ['config/recordings/Tone/one.jsonl', { recording: 'config/recordings/Tone/one.jsonl', name: 'Recording: one.jsonl' }],
  ['.agentstack/runs/20261127-1/events.jsonl', { run: '20261127-1', name: 'Run: 20261127-1' }],
])('F5 on %s debugs what was kept', async (path, launch) => {
  expect(await f5(path)).toMatchObject({ type: 'agent-stack', project: root, stopBefore: ['model'], ...launch });
});

test.each([{ recording: 'tone.jsonl' }, { run: 'last' }])('a launch with %o is left as it is, whichever file is open', async (launch) => {
  seen.open = join(root, 'config/agents/Tone/v1.json');
  expect(await completeLaunch(services, launch as never)).toEqual(launch);
});

test('a launch of launch.json keeps what it says', async () => {
  const launch = { type: 'agent-stack', request: 'launch', name: 'Mine', agent: 'Tone', stopBefore: [] };
  expect(await completeLaunch(services, launch)).toEqual(launch);
});

const greeting = () => ({ type: 'agent-stack', request: 'launch', name: 'Tone', agent: 'Tone', case: 'greeting', project: root });

test('a launch is checked as a run is, and gets its input', async () => {
  const launch = greeting();
  const checked = await checkLaunch(services, undefined, launch);
  expect(seen.refusals).toEqual([]);
  expect(checked).toEqual({ ...launch, input: { text: 'A friendly hello to all of you' } });
  expect(await checkLaunch(services, undefined, { ...launch, case: 'a_set' })).toBeUndefined();
  expect(seen.refusals).toEqual([expect.stringContaining('is a data set')]);
});

test('without trust only recordings are debugged', async () => {
  const launch = greeting();
  seen.isTrusted = false;
  expect(await checkLaunch(services, undefined, launch)).toBeUndefined();
  expect(seen.refusals).toEqual([expect.stringContaining('only recordings are debugged')]);
  expect(await checkLaunch(services, undefined, { ...launch, recording: 'tone.jsonl' })).toMatchObject({
    recording: join(root, 'tone.jsonl'),
  });
});
