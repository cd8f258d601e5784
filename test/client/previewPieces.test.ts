import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMessage } from '../../client/panels/messages.js';
import { fromPage } from '../../client/panels/preview/messages.js';
import { type MessageView, patchMessages, viewMessages } from '../../client/panels/preview/pieces.js';
import type { Stretch } from '../../core/prompt/sourcePlaces.js';
import { singleFlight } from '../../core/singleFlight.js';

function stretch(start: number, end: number, pointer: string, message = 0): Stretch {
  return { message, start, end, file: 'config/agents/A/v1.json', pointer, layer: 'agent', offset: 0 };
}

describe('what is shown of a prompt', () => {
  test('is all of it, as long as it can be read', () => {
    const content = 'one\ntwo';
    const [view] = viewMessages(
      { messages: [{ role: 'system', content }] },
      [stretch(0, 4, '/a'), stretch(4, 7, '/b')],
      ({ pointer }) => pointer === '/b',
    );
    expect(view?.pieces.map(({ text }) => text).join('')).toBe(content);
    expect(view?.pieces.map(({ isDefault }) => isDefault)).toEqual([undefined, true]);
    expect(view?.more).toBe(0);
  });

  test('is the beginning and the end of a stretch of megabytes', () => {
    const content = `<${'x'.repeat(5_000_000)}>`;
    const [view] = viewMessages({ messages: [{ role: 'user', content }] }, [stretch(0, content.length, '/task')], () => false);
    const [piece] = view!.pieces;
    expect(piece!.text.length).toBeLessThan(20_000);
    expect(piece!.text.length + piece!.cut!.units).toBe(content.length);
    expect([piece!.text[0], piece!.text.at(-1)]).toEqual(['<', '>']);
    expect(view!.more).toBe(0);
  });

  test('ends after as many lines as can be redrawn on each keystroke', () => {
    const content = 'line\n'.repeat(200_000);
    const stretches = Array.from({ length: 200_000 }, (_, line) => stretch(line * 5, line * 5 + 5, '/system_text'));
    const [view] = viewMessages({ messages: [{ role: 'system', content }] }, stretches, () => false);
    expect(view!.pieces.length).toBeLessThan(5_000);
    expect(view!.pieces.reduce((sum, { text }) => sum + text.length, 0) + view!.more).toBe(content.length);
  });
});

describe('a patch', () => {
  const pieces = fc.array(fc.record({ text: fc.constantFrom('a', 'b', 'c'), pointer: fc.constantFrom('/x', '/y') }), { maxLength: 12 });
  const toView = (list: readonly { text: string; pointer: string }[]): MessageView => ({
    role: 'system',
    more: 0,
    pieces: list.map((piece) => ({ ...piece, source: 'agent', file: null })),
  });

  test('turns what is shown into what is wanted', () => {
    fc.assert(
      fc.property(pieces, pieces, (left, right) => {
        const before = toView(left);
        const after = toView(right);
        const [patch] = patchMessages([before], [after]);
        const kept = before.pieces.slice(0, patch!.keepStart);
        const end = before.pieces.slice(before.pieces.length - patch!.keepEnd);
        expect([...kept, ...patch!.pieces, ...end]).toEqual(after.pieces);
      }),
    );
  });

  test('of one changed line carries that line alone', () => {
    const lines = Array.from({ length: 1000 }, (_, line) => ({ text: `line ${line}`, pointer: '/system_text' }));
    const changed = lines.map((line, index) => (index === 500 ? { ...line, text: 'typed' } : line));
    const [patch] = patchMessages([toView(lines)], [toView(changed)]);
    expect(patch).toMatchObject({ keepStart: 500, keepEnd: 499, pieces: [{ text: 'typed' }] });
  });
});

describe('work that is asked for while it runs', () => {
  test('runs once more, with the last state', async () => {
    let state = 0;
    const seen: number[] = [];
    let release: () => void = () => undefined;
    const request = singleFlight(
      async () => {
        seen.push(state);
        await new Promise<void>((resolve) => {
          release = () => resolve();
        });
      },
      (error) => expect.unreachable(String(error)),
    );
    for (state = 1; state <= 5; state++) request();
    state = 9;
    release();
    await new Promise((resolve) => setImmediate(resolve));
    release();
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual([1, 9]);
  });

  test('goes on after a failure', async () => {
    const errors: unknown[] = [];
    let runs = 0;
    const request = singleFlight(
      async () => {
        runs += 1;
        if (runs === 1) throw new Error('once');
      },
      (error) => errors.push(error),
    );
    request();
    await new Promise((resolve) => setImmediate(resolve));
    request();
    await new Promise((resolve) => setImmediate(resolve));
    expect(runs).toBe(2);
    expect(errors).toHaveLength(1);
  });
});

test('a message of the page counts only in the shape it claims to have', () => {
  expect(isMessage(fromPage, { type: 'open', version: 1, message: 0, piece: 2 })).toBe(true);
  expect(isMessage(fromPage, { type: 'field', key: '__proto__', kind: 'json', text: '{}' })).toBe(true);
  for (const wrong of [
    undefined,
    'ready',
    { type: 'open', version: 1, message: -1, piece: 2 },
    { type: 'open', version: 1.5, message: 0, piece: 2 },
    { type: 'field', key: 1, kind: 'text', text: '' },
    { type: 'field', key: 'a', kind: 'html', text: '' },
    { type: 'do', action: 'delete' },
    { type: 'constructor' },
  ])
    expect(isMessage(fromPage, wrong), JSON.stringify(wrong)).toBe(false);
});
