import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readCases } from '../../core/eval/readCases.js';
import { parseObject } from '../../core/json.js';
import { repository } from '../cli/command.js';
import { debuggerIn, launchPaused } from './debugClient.js';

const cases = readdirSync(join(repository, 'config/payloads')).flatMap((owner) => {
  const folder = join(repository, 'config/payloads', owner);
  const names = readdirSync(folder)
    .sort()
    .flatMap((file) => readCases(file.replace(/\.json$/, ''), parseObject(readFileSync(join(folder, file), 'utf8')) ?? {}));
  const name = names.find(({ turns }) => turns.length === 1)?.name;
  if (name === undefined) return [];
  const isOrchestration = existsSync(join(repository, 'config/orchestrations', `${owner}.json`));
  return [{ owner, args: { [isOrchestration ? 'orchestration' : 'agent']: owner, case: name, llm: 'offline' } }];
});

/** The examples of this repository, which nobody wrote for the debugger. */
function examples(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent-stack-examples-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of ['config', 'docs', 'agentstack.json', 'README.md'])
    cpSync(join(repository, path), join(folder, path), { recursive: true });
  return folder;
}

test.each(cases)('$owner is stepped through, and everything that is shown leads somewhere', async ({ args }) => {
  const client = await debuggerIn(examples());
  const run = await launchPaused(client, args);
  let stops = 0;
  for (let stop = await run.stop(); stop !== 'ended'; stop = await run.go('stepIn')) {
    stops += 1;
    const frames = await run.frames();
    expect(frames.length).toBeGreaterThan(1);
    for (const { name, source, line } of frames) {
      expect(source?.path, `${stop}: ${name}`).toBeTypeOf('string');
      expect(line).toBeLessThanOrEqual(readFileSync(source!.path!, 'utf8').split('\n').length);
      if (!name.includes(':')) continue;
      // A call is at a text, a tool or an answer, never at the beginning of its file.
      if (!source!.path!.endsWith('.md')) expect(line, `${stop}: ${name}`).toBeGreaterThan(1);
    }
    const { scopes } = (await client.scopesRequest({ frameId: frames[0]!.id })).body;
    for (const { name, variablesReference } of scopes) {
      const { variables } = (await client.variablesRequest({ variablesReference })).body;
      expect(variables.length, `${stop}: ${name}`).toBeGreaterThanOrEqual(name === 'steps' || name === 'tools' ? 0 : 1);
      for (const { evaluateName, value } of variables) {
        expect(value).not.toMatch(/[\n\r]/);
        expect(value.length).toBeLessThan(400);
        if (evaluateName === undefined) continue;
        const { body } = await client.evaluateRequest({ expression: evaluateName, context: 'hover' });
        expect(body.result, evaluateName).toBe(value);
      }
    }
  }
  expect(stops).toBeGreaterThan(1);
  await expect(client.stackTraceRequest({ threadId: 1 })).rejects.toThrow('The run is not stopped.');
});
