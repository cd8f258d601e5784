import type { SeededRandom } from './random.js';

/** One replacement in a text, in UTF-16 units. */
export interface RandomEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What is typed, pasted and mistyped in such files. */
const pieces: readonly string[] = [
  '"',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\n',
  '\r\n',
  '\r',
  ' ',
  '\t',
  '\\',
  '/',
  '0',
  '-',
  '.5',
  'e9',
  '1e999',
  'null',
  'true',
  'fals',
  '// note\n',
  '/* open',
  '🎉',
  '\u0000',
  '\ud800',
  '\u202e',
  '\u200b',
  'é',
  '\ufeff',
  '"\\u00e9"',
  '"\\ud83c"',
  '{{',
  '}}',
  '{{input.task}}',
  '{{tasks.greet.output.tone}}',
  '{{context.urgent}}',
  '${SET}',
  '${UNSET}',
  '${',
  '${A:-b}',
  'secret://x',
  '"__proto__": {}',
  '"constructor": 1',
  '"$ignore": {"schema": true}',
  '"$schema": "x"',
  '"toString"',
  '"A2@v1"',
  '"A2"',
  '"Greeter@v9"',
  '"main"',
  '"kind"',
  '"greeting@v1"',
  '"files"',
  '"intake"',
  '"greet"',
  '"warm"',
  '"score"',
  '"gpt-4.1"',
  '"Chooser"',
  ', "temperature": 9',
  ', "model_name": "gpt-4o"',
  ', "persona_key": "kind"',
  ', "enums": {"tone": ["x"]}',
  ', "matches"',
  '"(a+)+$"',
  '{"type": "string", "enum": ["a", "a"]}',
  '{"$ref": "#"}',
  '{"$ref": "#/properties/tone"}',
  '{"not": {"any": []}}',
  '{"condition": {}, "next_team": "done"}',
  '[[[[[[[[',
  '{"a":'.repeat(30),
  'x'.repeat(300),
];

const strings: readonly string[] = [
  ...pieces.filter((piece) => /^"(?:[^"\\\r\n]|\\.)*"$/.test(piece)),
  ...[
    'mode',
    'model_name',
    'temperature',
    'persona_key',
    'llm_config_id',
    'system_text',
    'enums',
    'tone',
    'required',
    'enum',
    'maximum',
  ].map(quoted),
  ...[
    'agent_class',
    'system_prompt',
    'max_tokens',
    'condition',
    'any',
    'next_team',
    'matches',
    'in',
    'Writer',
    'react',
    'done',
    'end',
    'cold',
  ].map(quoted),
  // What rules look for: a note left in a prompt, a blank, a secret, old models, paths.
  ...[
    'TODO',
    '{YOUR_NAME}',
    'sk-proj-Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZg',
    'o3-mini',
    'gpt-4',
    '{{input.who}} {{input.nobody}}',
    '${UNSET}',
  ].map(quoted),
];

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** A change as it may be typed or pasted: mostly small, now and then a large one, often to one whole token. */
export function randomEdit(text: string, random: SeededRandom): RandomEdit {
  const choice = random.below(100);
  const at = random.below(text.length + 1);
  if (choice < 20) return { start: at, end: at, text: random.pick(pieces) };
  if (choice < 35) return { start: at, end: Math.min(text.length, at + 1 + random.below(4)), text: '' };
  if (choice < 65) return likeForLike(text, at, random);
  if (choice < 75) return { ...tokenNear(text, at), text: random.below(4) === 0 ? '' : random.pick(pieces) };
  if (choice < 85) {
    // One token in the place of another.
    const { start, end } = tokenNear(text, random.below(text.length + 1));
    return { ...tokenNear(text, at), text: text.slice(start, end) };
  }
  if (choice < 92) {
    const { start, end } = lineNear(text, at);
    return { start: end, end, text: text.slice(start, end) };
  }
  if (choice < 97) return { ...lineNear(text, at), text: '' };
  return { start: at, end: Math.min(text.length, at + random.below(200)), text: random.pick(pieces) };
}

/** A text or a number in the place of another one, so that the file stays JSON and says something else. */
function likeForLike(text: string, at: number, random: SeededRandom): RandomEdit {
  const place = tokenNear(text, at);
  const token = text.slice(place.start, place.end);
  if (token.startsWith('"')) return { ...place, text: random.pick(strings) };
  if (/^[-\d]/.test(token)) return { ...place, text: random.pick(['0', '-1', '1.5', '99', '1e400', 'null', 'true']) };
  return { ...place, text: token };
}

/** The string, word or mark at or after an offset. */
function tokenNear(text: string, at: number): { start: number; end: number } {
  const token = /"(?:[^"\\\r\n]|\\.)*"|[A-Za-z0-9_.+-]+|[{}[\],:]/g;
  token.lastIndex = Math.max(0, text.lastIndexOf('\n', at - 1));
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found.index + found[0].length > at) return { start: found.index, end: found.index + found[0].length };
  }
  return { start: at, end: at };
}

function lineNear(text: string, at: number): { start: number; end: number } {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const lineBreak = text.indexOf('\n', at);
  return { start, end: lineBreak < 0 ? text.length : lineBreak + 1 };
}
