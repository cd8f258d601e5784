import fc from 'fast-check';
import type { Json, JsonObject } from '../../../core/json.js';
import type { AssistantBlock, Message, UserBlock } from '../../../core/llm/types.js';
import { somewhere } from '../../support/somewhere.js';
import type { WireAnswer, WireBlock } from './wire.js';

/** One form for conversations that mean the same: texts as blocks, none empty, none beside another; no two messages of one role in a row. */
export function normalized(messages: readonly Message[]): readonly Message[] {
  const out: { role: Message['role']; content: (AssistantBlock | UserBlock)[] }[] = [];
  for (const { role, content } of messages) {
    const blocks: readonly (AssistantBlock | UserBlock)[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    const last = out.at(-1);
    const into = last?.role === role ? last.content : [];
    if (last?.role !== role) out.push({ role, content: into });
    for (const block of blocks) {
      const before = into.at(-1);
      if (block.type !== 'text' || before?.type !== 'text') into.push(block);
      else into[into.length - 1] = { type: 'text', text: before.text + block.text };
    }
  }
  const isSaid = (block: AssistantBlock | UserBlock) => block.type !== 'text' || block.text !== '';
  const said = out.map(({ role, content }) => ({ role, content: content.filter(isSaid) })).filter(({ content }) => content.length > 0);
  return said as unknown as readonly Message[];
}

/** JSON with sorted keys: keys such as `__proto__` are compared like the rest. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([left], [right]) => (left < right ? -1 : 1)));
  });
}

/** All blocks of a conversation, in order. */
export function allBlocks(messages: readonly Message[]): readonly (AssistantBlock | UserBlock)[] {
  const all: (AssistantBlock | UserBlock)[] = [];
  for (const { content } of messages) if (typeof content !== 'string') all.push(...content);
  return all;
}

/** What a wire answer is in our form. */
export function blocksOf({ blocks }: WireAnswer): readonly AssistantBlock[] {
  return blocks.map(blockOf);
}

function blockOf(block: WireBlock): AssistantBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.pieces.join('') };
    case 'thinking':
      return { type: 'thinking', text: block.pieces.join(''), ...(block.signature !== undefined && { signature: block.signature }) };
    case 'redacted':
      return { type: 'thinking', text: '', signature: block.signature, redacted: true };
    case 'tool-use': {
      const { id, name, input, signature } = block;
      return { type: 'tool_use', id, name, input, ...(signature !== undefined && { signature }) };
    }
  }
}

const text = fc.oneof(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme', minLength: 1 })).filter((each) => each.trim() !== '');
const name = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_-]{0,20}$/);
const key = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', 'id', 'type'), fc.string({ maxLength: 8 }));
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.double({ noNaN: true, noDefaultInfinity: true })),
    fc.array(tie('value'), { maxLength: 3 }),
    objectOf(tie('value')),
  ),
}));
/** As it arrives: through JSON, where -0 is 0. */
const input = objectOf(value).map((made) => JSON.parse(JSON.stringify(made)) as JsonObject);

function objectOf(values: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  return fc.uniqueArray(fc.tuple(key, values), { selector: ([each]) => each, maxLength: 4 }).map((pairs) => Object.fromEntries(pairs));
}

interface Turn {
  readonly user: string;
  readonly thought: string | undefined;
  readonly said: string | undefined;
  readonly calls: readonly { readonly name: string; readonly input: JsonObject; readonly result: string; readonly isError: boolean }[];
  readonly aside: string | undefined;
}

const turn: fc.Arbitrary<Turn> = fc.record({
  user: text,
  thought: fc.option(text, { nil: undefined }),
  said: fc.option(text, { nil: undefined }),
  calls: fc.array(fc.record({ name, input, result: fc.oneof(text, fc.constant('')), isError: fc.boolean() }), { maxLength: 3 }),
  aside: fc.option(text, { nil: undefined }),
});

/** Any conversation that a loop may have had: each turn asks, thinks, calls tools and gets their results. It ends with the user. */
export const conversations: fc.Arbitrary<readonly Message[]> = fc
  .record({ system: fc.option(text, { nil: undefined }), turns: fc.array(turn, { maxLength: 3 }), last: text })
  .map(({ system, turns, last }) => {
    const messages: Message[] = system === undefined ? [] : [{ role: 'system', content: system }];
    let calls = 0;
    for (const { user, thought, said, calls: asked, aside } of turns) {
      messages.push({ role: 'user', content: user });
      const ids = asked.map(() => `call_${++calls}`);
      const uses = asked.map((call, index): AssistantBlock => ({ type: 'tool_use', id: ids[index]!, name: call.name, input: call.input }));
      const results = asked.map(
        (call, index): UserBlock => ({
          type: 'tool_result',
          tool_use_id: ids[index]!,
          name: call.name,
          content: call.result,
          ...(call.isError && { is_error: true }),
        }),
      );
      const before: AssistantBlock[] = thought === undefined ? [] : [{ type: 'thinking', text: thought, signature: 'c2lnbmF0dXJl' }];
      // A turn that says nothing and asks for nothing is none.
      if (said !== undefined || uses.length === 0) before.push({ type: 'text', text: said ?? 'Well.' });
      messages.push({ role: 'assistant', content: [...before, ...uses] });
      if (results.length > 0)
        messages.push({ role: 'user', content: aside === undefined ? results : [...results, { type: 'text', text: aside }] });
      if (results.length > 0) messages.push({ role: 'assistant', content: 'Done.' });
    }
    messages.push({ role: 'user', content: last });
    return messages;
  });

/** A text in pieces, cut where a stream may cut it. */
const pieces = fc
  .array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 5 })
  .filter((each) => each.join('').trim() !== '');

/** Any answer: a thought, a text, calls of tools, none of which has to be there as long as one is. */
export const answers = (can: { readonly thinks: boolean; readonly callsSeveral: boolean }): fc.Arbitrary<WireAnswer> =>
  fc
    .record({
      thought: can.thinks ? fc.option(pieces, { nil: undefined }) : fc.constant(undefined),
      said: fc.option(pieces, { nil: undefined }),
      calls: fc.array(fc.record({ name, input, cuts: fc.array(somewhere, { maxLength: 4 }) }), {
        maxLength: can.callsSeveral ? 3 : 1,
      }),
    })
    .map(({ thought, said, calls }): WireAnswer => {
      const blocks: WireBlock[] = thought === undefined ? [] : [{ type: 'thinking', pieces: thought }];
      if (said !== undefined || calls.length === 0) blocks.push({ type: 'text', pieces: said ?? ['Well.'] });
      calls.forEach(({ name: called, input: given, cuts }, index) => {
        blocks.push({ type: 'tool-use', id: `toolu_${index + 1}`, name: called, input: given, pieces: cut(JSON.stringify(given), cuts) });
      });
      return { type: 'answer', blocks };
    });

function cut(whole: string, cuts: readonly number[]): readonly string[] {
  const places = [0, ...cuts.map((each) => Math.floor(each * whole.length)).sort((left, right) => left - right), whole.length];
  return places.slice(1).map((end, index) => whole.slice(places[index], end));
}
