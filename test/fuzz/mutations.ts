import { type Node, parseTree } from 'jsonc-parser';

/** A slip in a config file. `at` is from 0 to 1, a share of the text; `pick` chooses among what it may put there. */
export type Mutation = (text: string, at: number, pick: number) => string;

/** Slips that leave JSON, so that the rules see them. They do nothing to a text that is none. */
export const contentSlips: Readonly<Record<string, Mutation>> = {
  misspellKey: (text, at, pick) => replaceNode(text, nodeNear(text, at, isKey), (word) => misspelt(word, pick)),
  misspellText: (text, at, pick) => replaceNode(text, nodeNear(text, at, isText), (word) => misspelt(word, pick)),
  wrongType: (text, at, pick) => replaceNode(text, nodeNear(text, at, isScalar), () => pickOf(values, pick)),
  quoteNumber: (text, at) => replaceNode(text, nodeNear(text, at, isNumber), (number) => `"${number}"`),
  dropMember: (text, at) => withoutPart(text, nodeNear(text, at, isPart)),
  repeatMember: (text, at, pick) =>
    replaceNode(text, nodeNear(text, at, isMember), (member) => `${member}, ${pick % 2 === 0 ? member : changedValue(member, pick)}`),
  repeatItem: (text, at) => replaceNode(text, nodeNear(text, at, isItem), (item) => `${item}, ${item}`),
  addMember: (text, at, pick) => replaceNode(text, nodeNear(text, at, isMember), (member) => `${member}, ${pickOf(members, pick)}`),
  addToText: (text, at, pick) =>
    replaceNode(text, nodeNear(text, at, isText), (word) => {
      const place = 1 + (pick % (word.length - 1));
      return word[place - 1] === '\\' ? word : word.slice(0, place) + pickOf(debris, pick) + word.slice(place);
    }),
  replaceText: (text, at, pick) => replaceNode(text, nodeNear(text, at, isText), () => JSON.stringify(pickOf(names, pick))),
};

/** Slips of syntax that leave no doubt what was meant, so that a repair can be held against the text before. */
export const syntaxSlips: Readonly<Record<string, Mutation>> = {
  singleQuotes: (text, at) => replaceNode(text, nodeNear(text, at, isString), (word) => `'${word.slice(1, -1).replaceAll("'", "\\'")}'`),
  bareSingleQuotes: (text, at) =>
    replaceNode(text, nodeNear(text, at, isString), (word) => `'${word.slice(1, -1).replaceAll('\\"', '"')}'`),
  typographicQuotes: (text, at) => replaceNode(text, nodeNear(text, at, isString), (word) => `\u201c${word.slice(1, -1)}\u201d`),
  bareWord: (text, at) => replaceNode(text, nodeNear(text, at, isString), (word) => word.slice(1, -1)),
  dropClosingQuote: (text, at) => replaceNode(text, nodeNear(text, at, isString), (word) => word.slice(0, -1)),
  dropOpeningQuote: (text, at) => replaceNode(text, nodeNear(text, at, isString), (word) => word.slice(1)),
  innerQuote: (text, at, pick) =>
    replaceNode(
      text,
      nodeNear(text, at, isString),
      (word) => `${word.slice(0, 1 + (pick % (word.length - 1)))}"x" ${word.slice(1 + (pick % (word.length - 1)))}`,
    ),
  dropComma: (text, at) => dropMark(text, at, ','),
  dropColon: (text, at) => dropMark(text, at, ':'),
  dropBracket: (text, at, pick) => dropMark(text, at, pickOf(['}', ']', '{', '['], pick)),
  trailingComma: (text, at) => replaceNode(text, nodeNear(text, at, isLast), (part) => `${part},`),
  comment: (text, at, pick) =>
    replaceNode(text, nodeNear(text, at, isPart), (part) => pickOf([`/* why */ ${part}`, `// why\n${part}`, `# why\n${part}`], pick)),
  lineBreak: (text, at, pick) =>
    replaceNode(text, nodeNear(text, at, isText), (word) => {
      const place = 1 + (pick % (word.length - 1));
      return word[place - 1] === '\\' ? word : `${word.slice(0, place)}\n${word.slice(place)}`;
    }),
  otherLiteral: (text, at, pick) =>
    replaceNode(text, nodeNear(text, at, isLiteral), (word) =>
      pickOf([word.toUpperCase(), `${word[0]?.toUpperCase()}${word.slice(1)}`], pick),
    ),
  fence: (text) => `\`\`\`json\n${text}\n\`\`\`\n`,
};

const values = ['null', 'true', '0', '-1', '1.5', '1e9', '""', '"text"', '[]', '{}', '["text"]', '{"a": 1}', '"12"', '"true"', '[1, "a"]'];

const names = [
  'A2',
  'A2@v9',
  'greter',
  'main',
  'gpt-4',
  'gpt-5.4',
  'claude-3-opus',
  'string',
  'warm',
  'WARM',
  '',
  ' ',
  'done',
  'react',
  'openai',
  'secret://key',
  'v2',
  'a b',
  '__proto__',
  'equals',
  'less_than',
];

const members = [
  '"name": "T"',
  '"id": "x"',
  '"timeout": 30',
  '"max_tokens": 12',
  '"system_prompt": "You are."',
  '"temperature": "0.3"',
  '"model": "gpt-4"',
  '"persona": "kind"',
  '"tools": ["a"]',
  '"enums": {"tone": ["a"]}',
  '"required": ["nothing"]',
  '"x": 1',
  '"prompt": "a"',
  '"llm": {"model": "x"}',
  '"max_retries": 2',
  '"agentName": "A"',
  '"systemText": "b"',
  '"persona_key": "nobody"',
  '"defaults": {"score": "a", "nothing": 2}',
  '"mode": "chooser"',
  '"description": "Tr\\u00e9s \\"bien\\""',
  '"next_team": "nowhere"',
  '"depends_on": ["gret"]',
  '"api_key": "sk-proj-Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZg"',
  '"$ignore": {"schema": ["/x"]}',
  '"client_ids": ["fils"]',
  '"enabled_tools": ["lookup"]',
  '"budget": {"max_cost": -1}',
  '"maximum": 3',
  '"minimum": 5',
  '"enum": ["a", "A", "a"]',
  '"default": 7',
  '"until": null',
  '"untill": null',
  '"agent_class": "agents.design.SolutionDesignerAgent"',
  '"minimun": 1',
];

const debris = [
  '{{input.task',
  '{{input.task}',
  '{{ input.tsk }}',
  '${MODEL:-gpt-5.4',
  '${MODEL',
  '${MODEL:gpt}',
  '${A:-${B}}',
  '${UNSET}',
  '{input.x}',
  '{{tasks.gret.output.tone}}',
  '{{steps.frist.output.tone}}',
  '{{context.nothing}}',
  '\u200b',
  '\u202e',
  '\ufeff',
  '<think>',
  'TODO',
  '{YOUR_NAME}',
  'As an AI language model',
  '${input:key}',
  '${env:}',
  '{{}}',
  '{{input.}}',
  'it\'s \\"fine\\"',
  '\\n',
  '\\u00e9',
  'sk-proj-Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZg',
  '[insert here]',
  '{{{input.task}}}',
  '${{A}}',
];

function pickOf(list: readonly string[], pick: number): string {
  return list[pick % list.length] ?? '';
}

function misspelt(quoted: string, pick: number): string {
  const word = quoted.slice(1, -1);
  if (word.length < 2 || word.includes('\\')) return quoted;
  const at = pick % (word.length - 1);
  const [before, one, other, behind] = [word.slice(0, at), word[at], word[at + 1], word.slice(at + 2)];
  const ways = [
    `${before}${other}${one}${behind}`,
    `${before}${other}${behind}`,
    `${before}${one}${one}${other}${behind}`,
    `${before}x${other}${behind}`,
    word.toUpperCase(),
    `${before}${one}_${other}${behind}`,
  ];
  return `"${ways[Math.floor(pick / 7) % ways.length]}"`;
}

function changedValue(member: string, pick: number): string {
  return `${member.slice(0, member.indexOf(':') + 1)} ${pickOf(values, pick)}`;
}

const isString = ({ type }: Node) => type === 'string';
const isKey = (node: Node) => isString(node) && node.parent?.type === 'property' && node.parent.children?.[0] === node;
const isText = (node: Node) => isString(node) && !isKey(node) && node.length > 2;
const isScalar = (node: Node) => node.children === undefined && !isKey(node);
const isNumber = ({ type }: Node) => type === 'number';
const isLiteral = ({ type }: Node) => type === 'boolean' || type === 'null';
const isMember = ({ type }: Node) => type === 'property';
const isItem = ({ parent }: Node) => parent?.type === 'array';
const isPart = (node: Node) => isMember(node) || isItem(node);
const isLast = (node: Node) => isPart(node) && node.parent?.children?.at(-1) === node;

/** The node of a kind that begins next to a place; undefined in a text that is not JSON. */
function nodeNear(text: string, at: number, isWanted: (node: Node) => boolean): Node | undefined {
  const root = parseTree(text, [], { disallowComments: true });
  const found: Node[] = [];
  const visit = (node: Node) => {
    if (isWanted(node)) found.push(node);
    node.children?.forEach(visit);
  };
  if (root !== undefined) visit(root);
  return found[Math.floor(at * found.length)];
}

function replaceNode(text: string, node: Node | undefined, change: (written: string) => string): string {
  if (node === undefined) return text;
  const end = node.offset + node.length;
  return text.slice(0, node.offset) + change(text.slice(node.offset, end)) + text.slice(end);
}

function withoutPart(text: string, node: Node | undefined): string {
  const siblings = node?.parent?.children ?? [];
  const index = node === undefined ? -1 : siblings.indexOf(node);
  const [before, behind] = [siblings[index - 1], siblings[index + 1]];
  if (node === undefined || index < 0) return text;
  const start = before === undefined || behind !== undefined ? node.offset : before.offset + before.length;
  const end = behind === undefined ? node.offset + node.length : behind.offset;
  return text.slice(0, start) + text.slice(end);
}

/** Takes out a mark that is outside strings. */
function dropMark(text: string, at: number, mark: string): string {
  const places: number[] = [];
  for (const { index, 0: token } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) if (token === mark) places.push(index);
  const place = places[Math.floor(at * places.length)];
  return place === undefined ? text : text.slice(0, place) + text.slice(place + 1);
}
