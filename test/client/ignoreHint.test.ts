import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { ownGitOnly } from '../../core/node/git.js';

const started = vi.hoisted(() => ({ calls: [] as unknown[][] }));

vi.mock('vscode', () => ({ l10n: { t: (text: string) => text }, window: { showInformationMessage: async () => undefined } }));
vi.mock('node:child_process', async (original) => ({
  ...(await original<typeof import('node:child_process')>()),
  spawn: (...call: unknown[]) => {
    started.calls.push(call);
    const git = new EventEmitter();
    setImmediate(() => git.emit('exit', 1));
    return git;
  },
}));

const { hintAtIgnoring } = await import('../../client/views/runs/ignoreHint.js');

test('git is asked as everywhere: it takes no folder of the project for a repository and starts nothing that its config names', async () => {
  const kept = new Map<string, unknown>();
  const memory = { get: (key: string) => kept.get(key), update: async (key: string, value: unknown) => void kept.set(key, value) };
  await hintAtIgnoring({ memory, log: { debug: () => undefined } } as never, { root: '/tmp', name: 'x' } as never);
  const [[program, args, options]] = started.calls as [[string, string[], { env: Record<string, string> }]];
  expect([program, args.slice(0, ownGitOnly.length)]).toEqual(['git', [...ownGitOnly]]);
  expect(Object.keys(options.env)).not.toContain('GIT_DIR');
  expect([...kept.values()]).toEqual([true]);
});
