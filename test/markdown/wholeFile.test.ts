import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyReplacements } from '../../core/jsonText/jsonEdit.js';
import { draftOfMarkdown, fromMarkdown, type MarkdownFault, toMarkdown } from '../../core/markdown/wholeFile.js';

const agent = `{
  "agent_name": "A2", "version":   "v1",
\t"temperature": 0.70,
  "system_text": "You are A2.\\r\\n\\r\\nDon\\u0027t \\/ guess.",
  "input_keys": ["a", "b"],
  "few_shot_examples": [{ "input": "One\\ntwo", "output": "x" }, { "input": "Three\\nfour", "output": "y" }],
  "purpose_text": "Choose."
}
`;

const markdown = `---
agent_name: A2
version: v1
temperature: 0.7
system_text: "# system_text"
input_keys:
  - a
  - b
few_shot_examples:
  - input: "# few_shot_examples/0/input"
    output: x
  - input: "# few_shot_examples/1/input"
    output: y
purpose_text: "# purpose_text"
---

# system_text

You are A2.

Don't / guess.

# few_shot_examples/0/input

One
two

# few_shot_examples/1/input

Three
four

# purpose_text

Choose.
`;

/** The JSON file after the Markdown has been edited. */
async function edited(json: string, edit: (text: string) => string): Promise<string> {
  const text = await toMarkdown(json);
  if (text === undefined) throw new Error('There is no Markdown');
  const made = await fromMarkdown(edit(text), json);
  if (made.type === 'fault') throw new Error(JSON.stringify(made.fault));
  return applyReplacements(json, made.edits);
}

async function faultOf(edit: (text: string) => string, json = agent): Promise<MarkdownFault | undefined> {
  const made = await fromMarkdown(edit(markdown), json);
  return made.type === 'fault' ? made.fault : undefined;
}

const replace = (from: string, to: string) => (text: string) => {
  expect(text).toContain(from);
  return text.replace(from, () => to);
};

describe('a whole file as Markdown', () => {
  test('has its settings as front matter and each text below its name', async () => {
    expect(await toMarkdown(agent)).toBe(markdown);
  });

  test.each(['', '[]', '{ "a": 1', '{ "a": 1, }', 'null'])('is none of %j', async (json) => {
    expect(await toMarkdown(json)).toBeUndefined();
  });

  test('gives back what it was made of, to the letter', async () => {
    expect(await edited(agent, (text) => text)).toBe(agent);
    expect(await edited(agent, (text) => text.replaceAll('\n', '\r\n'))).toBe(agent);
    expect(await edited(agent, (text) => `\ufeff${text}`)).toBe(agent);
  });

  test.each<[what: string, from: string, to: string, json: (before: string) => string]>([
    ['a text', 'guess.', 'guess, "ask".\n\nThen go on.', replace('guess.', 'guess, \\"ask\\".\\r\\n\\r\\nThen go on.')],
    ['a text in a list', 'Three', '3', replace('Three', '3')],
    ['a number', 'temperature: 0.7', 'temperature: 0.2', replace('0.70', '0.2')],
    ['a setting that goes', 'temperature: 0.7\n', '', replace('\n\t"temperature": 0.70,', '')],
    ['a new setting', 'version: v1\n', 'version: v1\nmode: Chooser\n', replace('"v1",', '"v1",\n\t"mode": "Chooser",')],
    ['an item of a list', '  - b\n', '  - b\n  - c\n', replace('"b"]', '"b", "c"]')],
    [
      'a short text that is written in the front matter',
      'purpose_text: "# purpose_text"',
      'purpose_text: Choose!',
      (json) => json.replace('Choose.', 'Choose!'),
    ],
  ])('changes %s and nothing else', async (_what, from, to, json) => {
    const isInlined = to.startsWith('purpose_text');
    const made = await edited(agent, (text) => {
      const after = replace(from, to)(text);
      return isInlined ? after.replace('\n# purpose_text\n\nChoose.\n', '') : after;
    });
    expect(JSON.parse(made)).toEqual(JSON.parse(json(agent)));
    if (!['a setting that goes', 'a new setting'].includes(_what)) expect(made).toBe(json(agent));
  });

  test('takes a new text, and an example that goes with its section', async () => {
    const added = await edited('{ "agent_name": "A2" }', (text) =>
      text.replace('agent_name: A2\n', 'agent_name: A2\nsystem_text: "# system_text"\n').concat('\n# system_text\n\nBe brief.\n'),
    );
    expect(JSON.parse(added)).toEqual({ agent_name: 'A2', system_text: 'Be brief.' });
    const shorter = await edited(agent, (text) =>
      text
        .replace('  - input: "# few_shot_examples/0/input"\n    output: x\n', '')
        .replace('# few_shot_examples/0/input\n\nOne\ntwo\n\n', ''),
    );
    expect(shorter).toBe(agent.replace('{ "input": "One\\ntwo", "output": "x" }, ', ''));
  });

  test('keeps texts apart that look like its own parts', async () => {
    const texts = {
      system_text: '# system_text\n\n---\n\n\\# purpose_text\n# Role\n```\n# purpose_text\n```\n  trailing  \n\n',
      purpose_text: '---\na: b\n---\n',
      template: '',
      description: '# description',
    };
    const json = JSON.stringify(texts);
    const text = await toMarkdown(json);
    expect(text).toContain('\n\\# system_text\n');
    expect(text).toContain('\n\\\\# purpose_text\n');
    expect(text).toContain('\n# Role\n');
    expect(await edited(json, (same) => same)).toBe(json);
    expect(JSON.parse(await edited(json, (same) => same.replace('# Role', '# Task')))).toEqual({
      ...texts,
      system_text: texts.system_text.replace('# Role', '# Task'),
    });
  });

  test('says where each text is, for what is found in it', async () => {
    const draft = await draftOfMarkdown(markdown, agent);
    const lines = markdown.split('\n');
    expect(draft?.json).toBe(agent);
    expect(draft?.sections.map(({ pointer, line, end }) => [pointer, lines[line], end - line])).toEqual([
      ['/system_text', 'You are A2.', 3],
      ['/few_shot_examples/0/input', 'One', 2],
      ['/few_shot_examples/1/input', 'Three', 2],
      ['/purpose_text', 'Choose.', 1],
    ]);
  });
});

describe('Markdown that makes no file is refused at its place', () => {
  const lineOf = (text: string) => markdown.split('\n').indexOf(text);
  test.each<[what: string, edit: (text: string) => string, fault: MarkdownFault]>([
    ['no front matter', (text) => text.replace('---\n', ''), { type: 'noFrontMatter', line: 0 }],
    ['an open front matter', (text) => text.replace('\n---\n', '\n'), { type: 'noFrontMatter', line: 0 }],
    [
      'a section that is gone',
      replace('# purpose_text\n\nChoose.\n', ''),
      { type: 'noSection', line: lineOf('purpose_text: "# purpose_text"'), name: 'purpose_text' },
    ],
    ['a list', (text) => text.replace(/---\n[\s\S]*?---/, '---\n- a\n---'), { type: 'notJson', line: 1, detail: '' }],
    ['a value that JSON has not', replace('0.7', '.nan'), { type: 'notJson', line: 1, detail: '/temperature' }],
    ['a section that is there twice', (text) => `${text}\n# purpose_text\n`, { type: 'repeatedSection', line: 36, name: 'purpose_text' }],
    [
      'a text that is before all sections',
      replace('\n# system_text\n', '\nHello\n\n# system_text\n'),
      { type: 'strayText', line: lineOf('# system_text') },
    ],
  ])('%s', async (_what, edit, fault) => {
    expect(await faultOf(edit)).toEqual(fault);
  });

  test('YAML that is broken, with the line', async () => {
    expect(await faultOf(replace('version: v1', 'version: "v1'))).toMatchObject({ type: 'yaml', line: expect.any(Number) });
    expect(await faultOf(replace('version: v1', 'version: v1\nversion: v2'))).toMatchObject({ type: 'yaml', line: 3 });
    expect(await faultOf(replace('version: v1', 'version: !!js/function x'))).toMatchObject({ type: 'yaml', line: 2 });
  });

  test('aliases that stand for too much', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[at]}`).join(',')}]`),
    ];
    expect(await faultOf(replace('agent_name: A2', bomb.join('\n')))).toMatchObject({ type: 'yaml' });
  });

  test('a section whose setting is gone, which would become part of the text before it', async () => {
    expect(await faultOf(replace('purpose_text: "# purpose_text"\n', ''))).toEqual({
      type: 'unnamedSection',
      line: lineOf('# purpose_text') - 1,
      name: 'purpose_text',
    });
  });

  test('a JSON file that is broken meanwhile', async () => {
    expect(await faultOf((text) => text, '{')).toEqual({ type: 'json', line: 0 });
  });
});

const word = fc.constantFrom(
  ...'ab \n\n"\\\t#-:{}[]&*!|>%@`ä😀',
  '# ',
  '# a',
  '---',
  '\r\n',
  '\r',
  '\\# ',
  '```',
  '\u2028',
  '\ud83d',
  '\0',
  'null',
  '0x1',
  '~',
  '<<',
);
const text = fc.array(word, { maxLength: 12 }).map((parts) => parts.join(''));
const key = fc.oneof(fc.constantFrom('a', 'b', 'system_text', 'purpose_text', 'template', '__proto__', '<<', '# a', 'a/b', '1'), text);
const { file } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.constantFrom(null, true, 0, -0, 1.5, 1e21, 12345678901234567000, 'yes', '2024-01-01'),
    tie('list'),
    tie('file'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  file: fc
    .uniqueArray(fc.tuple(key, tie('value')), { maxLength: 6, selector: ([name]) => name })
    .map((members) => Object.fromEntries(members)),
}));
const layout = fc.constantFrom<[number | string | undefined, string]>([undefined, '\n'], [2, '\n'], ['\t', '\r\n']);
const jsonFile = fc.tuple(file, layout).map(([value, [indent, eol]]) => JSON.stringify(value, null, indent).replaceAll('\n', eol));

test('of any file: Markdown that was not edited changes nothing', async () => {
  let shown = 0;
  await fc.assert(
    fc.asyncProperty(jsonFile, async (json) => {
      const made = await toMarkdown(json);
      if (made === undefined) return;
      shown += 1;
      for (const variant of [made, made.replaceAll('\n', '\r\n')]) {
        const back = await fromMarkdown(variant, json);
        expect(back).toMatchObject({ type: 'edits', edits: [] });
      }
    }),
    { numRuns: 500 },
  );
  // Refusing is allowed, but hardly ever needed.
  expect(shown).toBeGreaterThan(450);
});

test('of any file: a text that is edited changes, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(file, text, fc.stringMatching(/^[a-z#\- \\]{0,20}$/), async (rest, before, line) => {
      const value: Record<string, unknown> = { ...(rest as object), system_text: `x${before}\nEDIT HERE\ny` };
      const json = JSON.stringify(value, null, 2);
      const made = await toMarkdown(json);
      if (made === undefined) return;
      fc.pre(made.split('\nEDIT HERE\n').length === 2);
      const back = await fromMarkdown(
        made.replace('\nEDIT HERE\n', () => `\n. ${line}\n`),
        json,
      );
      if (back.type === 'fault') throw new Error(JSON.stringify(back.fault));
      const after = applyReplacements(json, back.edits);
      const meant = JSON.parse(json) as Record<string, string>;
      meant.system_text = (meant.system_text as string).replace(/EDIT HERE/, () => `. ${line}`);
      expect(JSON.parse(after)).toEqual(meant);
      const at = json.indexOf('EDIT HERE');
      expect(after.startsWith(json.slice(0, at)) && after.endsWith(json.slice(at + 'EDIT HERE'.length))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('of any file: a setting that is added changes nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(jsonFile, async (json) => {
      const made = await toMarkdown(json);
      if (made === undefined || !made.startsWith('---\n') || made.startsWith('---\n{')) return;
      const back = await fromMarkdown(made.replace('---\n', '---\nadded_here: 1\n'), json);
      if (back.type === 'fault') throw new Error(JSON.stringify(back.fault));
      expect(JSON.parse(applyReplacements(json, back.edits))).toEqual({ ...JSON.parse(json), added_here: 1 });
    }),
    { numRuns: 200 },
  );
});
