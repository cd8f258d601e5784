import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { read, toneAgent, toneProject, write } from '../cli/command.js';
import { debuggerIn, launch, lineOf } from './debugClient.js';

const agent = 'config/agents/Tone/v1.json';
const call = { agent: 'Tone', case: 'greeting', stopBefore: ['model', 'answer'] };

/** What became of breakpoints while the run was at its first stop, as it is told at the second one. */
async function changesAfter(change: (cwd: string) => void, texts: readonly string[] = ['"purpose_text"']) {
  const cwd = toneProject();
  const file = join(cwd, agent);
  const client = await debuggerIn(cwd);
  const lines = texts.map((text) => lineOf(file, text));
  const { stopped } = await launch(
    client,
    call,
    file,
    lines.map((line) => ({ line })),
  );
  await stopped;
  change(cwd);
  const changed: object[] = [];
  const over = client.waitForEvent('terminated');
  const next = client.waitForEvent('stopped');
  const isTold = new Promise<void>((resolve) =>
    client.on('breakpoint', ({ body }) => {
      changed.push({ reason: body.reason, ...body.breakpoint });
      if (changed.length === texts.length) resolve();
    }),
  );
  await client.continueRequest({ threadId: 1 });
  await next;
  await isTold;
  await client.continueRequest({ threadId: 1 });
  await over;
  return { changed, lines };
}

describe('breakpoints in files that change while the run goes on', () => {
  test('move with the value that they are at', async () => {
    const { changed, lines } = await changesAfter(
      (cwd) => {
        const { system_text, ...others } = toneAgent;
        write(cwd, agent, { description: 'New.', expose: true, ...others, system_text });
      },
      ['"purpose_text"'],
    );
    expect(changed).toEqual([expect.objectContaining({ reason: 'changed', verified: true, line: lines[0]! + 1 })]);
  });

  test('are unverified, with the reason, where it is gone', async () => {
    const { changed } = await changesAfter((cwd) => write(cwd, agent, { ...toneAgent, purpose_text: undefined }));
    expect(changed).toEqual([expect.objectContaining({ verified: false, message: expect.stringContaining('no longer in the file') })]);
    const { changed: broken } = await changesAfter((cwd) => writeFileSync(join(cwd, agent), '{"purpose'));
    expect(broken).toEqual([expect.objectContaining({ verified: false })]);
    const { changed: vanished } = await changesAfter((cwd) => rmSync(join(cwd, agent)));
    expect(vanished).toEqual([expect.objectContaining({ verified: false, message: expect.stringContaining('The file is gone') })]);
  });

  test('say so where the run began with another value, and keep their hits when they are set again', async () => {
    const cwd = toneProject();
    const file = join(cwd, agent);
    const client = await debuggerIn(cwd);
    const printed: string[] = [];
    client.on('output', ({ body }) => printed.push(body.output));
    const { stopped } = await launch(client, { ...call, stopBefore: ['model'] }, file, [
      { line: lineOf(file, '"tone": {'), logMessage: 'first', hitCondition: '2' },
    ]);
    await stopped;
    writeFileSync(file, read(cwd, agent).replace('Choose the tone.', 'Choose it.'));
    const line = lineOf(file, '"enums"') + 1;
    await client.setBreakpointsRequest({
      source: { path: file },
      breakpoints: [
        { line: lineOf(file, '"purpose_text"'), condition: JSON.stringify({ output_field: 'tone', operator: 'exists' }) },
        { line },
      ],
    });
    const changed = client.waitForEvent('breakpoint');
    const next = client.waitForEvent('stopped');
    await client.continueRequest({ threadId: 1 });
    expect((await changed).body.breakpoint).toMatchObject({
      verified: true,
      message: 'The run began with another value here: Choose the tone.',
    });
    await next;
    expect(printed.join('')).toMatch(/v1\.json:\d+: The run began with another value here: Choose the tone\.$/m);
    const over = client.waitForEvent('terminated');
    await client.continueRequest({ threadId: 1 });
    await over;
  });
});
