import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import type { ApiResult } from '../api/index.js';
import { type EditorOptions, openEditor, root } from './editor.js';

export type Suite = 'trusted' | 'untrusted' | 'walk';

/** Runs one of the suites of test/e2e/api in the extension host, beside the packaged extension, and reports each of its tests as one. */
export async function testInHost(suite: Suite, options: EditorOptions = {}): Promise<void> {
  const { results, log } = await runInHost(suite, options);
  test('the suite ran to its end', () => expect(results.length, log).toBeGreaterThan(0));
  test.each(results.map((result) => [result.title, result] as const))('%s', (_title, { error }) => {
    if (error !== undefined) throw new Error(error);
  });
}

async function runInHost(suite: Suite, options: EditorOptions): Promise<{ results: readonly ApiResult[]; log: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-stack-suite-'));
  const resultsFile = join(folder, 'results.json');
  const editor = await openEditor({
    ...options,
    isTrusting: suite !== 'untrusted',
    env: { ...options.env, AGENT_STACK_E2E_SUITE: suite, AGENT_STACK_E2E_RESULTS: resultsFile },
  });
  const lines: string[] = [];
  try {
    const remote = `vscode-remote://127.0.0.1:${editor.host.port}`;
    await new Promise<void>((resolve, reject) => {
      // Against a suite that hangs: on a busy machine a whole one takes several minutes.
      const timer = setTimeout(() => reject(new Error(`The suite took too long:\n${lines.slice(-50).join('\n')}`)), 900_000);
      const payload = [
        ['extensionDevelopmentPath', `${remote}${join(root, 'test/e2e/testExtension')}`],
        ['extensionTestsPath', `${remote}${inject('suite')}`],
      ] as const;
      const expose = {
        codeAutomationLog: (type: string, args: readonly unknown[]) => void lines.push(`${type} ${JSON.stringify(args)}`),
        codeAutomationExit: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      // Nobody looks: a small window is drawn sooner.
      editor.open({ width: 640, height: 400, payload, expose }).catch(reject);
    });
    if (!existsSync(resultsFile)) throw new Error(`The suite did not begin:\n${lines.join('\n')}`);
    return { results: JSON.parse(readFileSync(resultsFile, 'utf8')), log: lines.join('\n') };
  } finally {
    await editor.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
