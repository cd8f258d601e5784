import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseReply } from '../../../core/agent/react/parseReply.js';
import { ReplyReader } from '../../../core/agent/react/replyReader.js';

describe('a reply with an action', () => {
  const one = { actions: [{ tool: 'search', input: { q: 'x' } }], answer: undefined };
  test.each([
    ['as asked for', 'Thought: I look.\nAction: search\nAction Input: {"q": "x"}', 'I look.'],
    ['without a thought', 'Action: search\nAction Input: {"q": "x"}', ''],
    ['with a thought without its label', 'I look.\nAction: search\nAction Input: {"q": "x"}', 'I look.'],
    ['in lower case', 'thought: I look.\naction: search\naction input: {"q": "x"}', 'I look.'],
    ['with labels in bold', '**Thought:** I look.\n**Action:** `search`\n**Action Input:** {"q": "x"}', 'I look.'],
    ['with labels as headings', '### Thought\nI look.\n### Action\nsearch\n### Action Input\n{"q": "x"}', 'I look.'],
    ['with numbered labels', 'Thought 1: I look.\nAction 1: search\nAction Input 1: {"q": "x"}', 'I look.'],
    ['with fenced input', 'Thought: I look.\nAction: search\nAction Input:\n```json\n{"q": "x"}\n```', 'I look.'],
    ['with input in a fence that begins behind the label', 'Action: search\nAction Input: ```json\n{"q": "x"}\n```\nThought: more', 'more'],
    ['with input over several lines', 'Action: search\nAction Input: {\n  "q":\n    "x"\n}', ''],
    ['with input on the line of the action', 'Action: search {"q": "x"}', ''],
    ['with input in brackets', 'Action: search({"q": "x"})', ''],
    ['with input below, without a label', 'Action: search\n{"q": "x"}', ''],
    ['as one object', 'Action: {"tool": "search", "input": {"q": "x"}}', ''],
    ['as one object in a fence', 'Action:\n```json\n{"name": "search", "arguments": {"q": "x"}}\n```', ''],
    ['with a comma too many', 'Action: search\nAction Input: {"q": "x",}', ''],
    ['with line ends of Windows', 'Thought: I look.\r\nAction: search\r\nAction Input: {"q": "x"}\r\n', 'I look.'],
    ['with a Japanese colon', 'Action\uff1a search\nAction Input\uff1a {"q": "x"}', ''],
    ['before an answer that cannot know its result', 'Action: search\nAction Input: {"q": "x"}\nFinal Answer: 42', ''],
  ])('%s', (_name, text, thought) => expect(parseReply(text)).toMatchObject({ ...one, thought }));

  test('without input has an empty one', () => {
    expect(parseReply('Action: list').actions).toEqual([{ tool: 'list', input: {} }]);
    expect(parseReply('Action: list\nAction Input: none').actions).toEqual([{ tool: 'list', input: {} }]);
  });

  test('whose input is not an object keeps what was written', () => {
    expect(parseReply('Action: search\nAction Input: weather in Paris').actions).toEqual([
      { tool: 'search', input: {}, input_text: 'weather in Paris' },
    ]);
    expect(parseReply('Action: search\nAction Input: {"q": 1, "q": 2}').actions[0]).toMatchObject({
      input: {},
      input_text: '{"q": 1, "q": 2}',
    });
  });

  test('and others has them all, each with its own input', () => {
    expect(parseReply('Action: a\nAction Input: {"n": 1}\nAction: b\nAction: c\nAction Input: {"n": 3}').actions).toEqual([
      { tool: 'a', input: { n: 1 } },
      { tool: 'b', input: {} },
      { tool: 'c', input: { n: 3 } },
    ]);
  });

  test('ends where the model makes up what it observes', () => {
    const real = 'Action: search\nAction Input: {"q": "x"}\n';
    expect(parseReply(`${real}Observation: 7\nThought: so 7\nFinal Answer: 7`)).toMatchObject({
      actions: [{ tool: 'search' }],
      thought: '',
      end: real.length,
    });
    expect(parseReply(`${real}Observation 1 (search): 7\nAction: b`).actions).toHaveLength(1);
  });

  test('whose name is a sentence is a tool that is not there', () => {
    expect(parseReply('Action: search the web for x').actions).toEqual([{ tool: 'search the web for x', input: {} }]);
  });

  test('has fields that only look special', () => {
    const [action] = parseReply('Action: a\nAction Input: {"__proto__": {"x": 1}, "constructor": 2}').actions;
    expect(JSON.stringify(action?.input)).toBe('{"__proto__":{"x":1},"constructor":2}');
  });
});

describe('a reply with an answer', () => {
  test.each([
    ['as asked for', 'Thought: I know.\nFinal Answer: 42', '42'],
    ['in lower case and bold', '**final answer**: 42', '42'],
    ['below a heading', '## Final Answer\n42', '42'],
    ['over several lines', 'Final Answer: one\n\ntwo\n', 'one\n\ntwo'],
    ['with text behind it', 'Final Answer: {"a": 1}\nI hope this helps.', '{"a": 1}\nI hope this helps.'],
    ['with a thought behind it', 'Final Answer: 42\nThought: done', '42'],
    ['before an action', 'Final Answer: 42\nAction: search\nAction Input: {}', '42'],
    ['after no action', 'Action: None\nFinal Answer: 42', '42'],
    ['as an action', 'Action: Final Answer\nAction Input: 42', '42'],
    ['with labels in a fence', 'Final Answer: see\n```\nThought: x\nAction: y\n```\nend', 'see\n```\nThought: x\nAction: y\n```\nend'],
    ['in a fence as a whole', '```\nThought: a\nFinal Answer: 42\n```', '42'],
    ['that speaks of actions', 'Final Answer: The actions: none. Its action was right.', 'The actions: none. Its action was right.'],
  ])('%s', (_name, text, answer) => expect(parseReply(text)).toMatchObject({ actions: [], answer }));
});

test.each(['', 'Hello there.', 'Action:', 'Action Input: {"q": "x"}', 'Final Answer:', 'Observation: 3', '```'])(
  '%j is neither',
  (text) => {
    expect(parseReply(text)).toMatchObject({ actions: [], answer: undefined });
  },
);

describe('any reply of a model', () => {
  const pieces = fc.oneof(
    fc.constantFrom(
      'Thought:',
      'Action:',
      'Action Input:',
      'Final Answer:',
      'Observation:',
      '\n',
      '```',
      '**',
      '{"a": ',
      '}',
      '"',
      '# ',
      '\r\n',
      ' ',
    ),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  const replies = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));

  test('is read without a throw, into an answer or actions but never both', () => {
    fc.assert(
      fc.property(replies, (text) => {
        const { actions, answer, end } = parseReply(text);
        expect(actions.length > 0 && answer !== undefined).toBe(false);
        expect(end).toBeLessThanOrEqual(text.length);
        expect(answer).not.toBe('');
      }),
    );
  });

  test('reads the same in any pieces', () => {
    fc.assert(
      fc.property(replies, fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 20 }), (text, sizes) => {
        const whole = new ReplyReader();
        const shown = [...whole.push(text), ...whole.end()];
        const reader = new ReplyReader();
        const streamed = [];
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
          streamed.push(...reader.push(text.slice(at, at + size)));
          at += size;
        }
        streamed.push(...reader.end());
        expect(reader.sections).toEqual(whole.sections);
        const joined = (list: typeof shown, label: string) => list.flatMap((piece) => (piece.label === label ? [piece.text] : [])).join('');
        for (const label of ['thought', 'answer', 'input']) expect(joined(streamed, label)).toBe(joined(shown, label));
      }),
    );
  });

  const words = fc.stringMatching(/^[a-z][a-z ,.]{0,40}[a-z.]$/).filter((text) => !/action|thought|final|observation|none|null/.test(text));
  const label = (name: string) => fc.constantFrom(name, name.toLowerCase(), name.toUpperCase(), `**${name}**`).map((text) => `${text}: `);
  const inputs = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4, noNullPrototype: true });
  const layouts = fc.constantFrom(
    (input: object) => JSON.stringify(input),
    (input: object) => `\n${JSON.stringify(input, null, 2)}`,
    (input: object) => `\n\`\`\`json\n${JSON.stringify(input, null, 2)}\n\`\`\``,
  );
  const actions = fc.array(
    fc.record({
      tool: fc.stringMatching(/^[a-z][a-z_0-9-]{0,20}$/).filter((name) => name !== 'none' && name !== 'nothing'),
      input: inputs,
    }),
    {
      minLength: 1,
      maxLength: 4,
    },
  );

  test('what a formatter wrote is found again', () => {
    fc.assert(
      fc.property(
        words,
        actions,
        label('Thought'),
        label('Action'),
        label('Action Input'),
        layouts,
        (thought, wanted, first, second, third, layout) => {
          const text = wanted.map(({ tool, input }) => `${second}${tool}\n${third}${layout(input)}`).join('\n');
          const found = parseReply(`${first}${thought}\n${text}`);
          expect(found.thought).toBe(thought);
          expect(JSON.stringify(found.actions)).toBe(JSON.stringify(wanted));
        },
      ),
    );
    fc.assert(
      fc.property(words, words, label('Thought'), label('Final Answer'), (thought, answer, first, second) => {
        expect(parseReply(`${first}${thought}\n${second}${answer}`)).toMatchObject({ thought, answer, actions: [] });
      }),
    );
  });

  test('takes time linear in its length', () => {
    const time = (text: string) => {
      const started = performance.now();
      parseReply(text);
      return performance.now() - started;
    };
    for (const piece of ['Thought: a\n', '```\n', '* ', 'Action: a\nAction Input: {"a": ', '\n', ' ', '#', 'Final Answer: ```', '(']) {
      expect(time(piece.repeat(Math.ceil(500_000 / piece.length)))).toBeLessThan(15_000);
    }
  });
});
