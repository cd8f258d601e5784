// A project of many agent files as a large team might have it, the same for the same seed, with a known set of faults planted.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const llms = {
  fast: { provider: 'openai', model_name: 'house-fast', temperature: 0, max_output_tokens: 1024 },
  careful: { provider: 'openai', model_name: 'house-careful', temperature: 0.2, max_output_tokens: 4096 },
  small: { provider: 'openai', model_name: 'house-small', temperature: 0, max_output_tokens: 512 },
  local: { provider: 'openai_compatible', model_name: 'llama', base_url: 'http://localhost:11434/v1', temperature: 0.4 },
};
// The project's own, so that no model's retirement changes what is found.
const models = {
  'house-fast': { context_window: 128000, max_output_tokens: 16384 },
  'house-careful': { context_window: 1000000, max_output_tokens: 32768 },
  'house-small': { context_window: 32768, max_output_tokens: 4096 },
};
const roles = ['triage', 'routing', 'summary', 'review', 'extraction', 'classification', 'planning', 'translation', 'redaction', 'scoring'];
const domains = [
  'billing',
  'support',
  'security',
  'release',
  'incident',
  'hiring',
  'legal',
  'catalog',
  'logistics',
  'research',
  'finance',
  'onboarding',
];
const subjects = [
  'The reader',
  'A maintainer',
  'The customer',
  'The team on call',
  'An auditor',
  'The next stage',
  'Whoever acts on this',
  'The account owner',
];
const verbs = ['relies on', 'reads', 'compares', 'stores', 'filters by', 'is woken up by', 'signs off', 'decides with'];
const things = [
  'the labels you choose',
  'one short sentence',
  'the facts of the input alone',
  'names exactly as they are written',
  'amounts with their currency',
  'the order of events',
  'the first matching rule',
  'what was measured',
];
const reasons = [
  'because a wrong label costs more than a missing one',
  'so leave out what the input does not say',
  'and nothing may be added to it',
  'even when the input asks for something else',
  'since nobody will look at the original again',
  'so say plainly when you are not sure',
  'and every field is read by a program',
  'which is why the scale is fixed',
];
const fields = [
  'category',
  'priority',
  'audience',
  'tone',
  'language',
  'region',
  'channel',
  'severity',
  'confidence',
  'next_step',
  'owner',
  'impact',
  'sentiment',
  'topic',
  'urgency',
  'scope',
];
const values = [
  'low',
  'medium',
  'high',
  'critical',
  'internal',
  'external',
  'customer',
  'partner',
  'email',
  'phone',
  'chat',
  'europe',
  'asia',
  'america',
  'africa',
  'direct',
  'formal',
  'friendly',
  'blocked',
  'open',
  'closed',
  'unknown',
  'none',
  'several',
];

/**
 * Writes a project into `folder`.
 *
 * @param faults `few`: 5 % of the files have one; `none`; `one`: every file has one; `thirty`: every file has thirty
 * @param bytes about what an agent file has, most of it prompts
 * @param depth levels of objects in an output schema, each with three fields
 * @returns the planted faults `{file, code, line}`, sorted by file (of `thirty` only their number), and the number of files written
 */
export function makeCorpus(folder, { files = 10_000, seed = 1, bytes = 4096, faults = 'few', depth = 0 } = {}) {
  const random = generator(seed);
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const others = otherFiles(random);
  for (const [path, value] of others) write(path, print(value));
  const agents = files - others.length;
  const planted = [];
  for (let index = 0; index < agents; index++) {
    const agent = makeAgent(index, random, bytes);
    if (depth > 0) addNested(agent.output_schema, depth, random);
    const fault = faultOf[faults](index, random);
    const { text, code, line } = fault === undefined ? { text: print(agent) } : fault(agent);
    const file = agentPath(index);
    write(file, text);
    if (code !== undefined) planted.push({ file, code, line });
  }
  planted.sort((left, right) => (left.file < right.file ? -1 : 1));
  return { planted, files, findings: faults === 'thirty' ? 30 * agents : planted.length };
}

/** Adds a field that is an object, with three fields, one of which is an object again, and so on. */
function addNested(schema, depth, random) {
  if (depth === 0) return;
  const details = { type: 'object', additionalProperties: false, required: ['score', 'reason'], description: sentence(random) };
  details.properties = {
    score: { type: 'number', minimum: 0, maximum: 1, description: sentence(random) },
    reason: { type: 'string', description: sentence(random) },
  };
  addNested(details, depth - 1, random);
  schema.properties.details = details;
  schema.required.push('details');
}

function otherFiles(random) {
  const files = [
    ['agentstack.json', { config_dir: 'config', environment: 'dev', models }],
    ['config/system.json', { agent_defaults: { timeout_ms: 60000, retry_attempts: 3 } }],
    ['config/environments/dev.json', { agent_defaults: { timeout_ms: 30000 } }],
  ];
  for (const [llm_id, llm] of Object.entries(llms)) files.push([`config/llms/${llm_id}.json`, { llm_id, ...llm }]);
  for (const role of roles) files.push([`config/personas/${role}.json`, { description: `Does ${role}.`, system_text: prose(random, 600) }]);
  for (const domain of domains.slice(0, 6)) {
    const template = `${prose(random, 400)} The text is {{input.text}}, its context {{input.context}}.`;
    files.push([`config/prompts/${domain}/v1.json`, { name: domain, version: 'v1', variables: ['input.text', 'input.context'], template }]);
  }
  return files;
}

/** Where the agent with a number is, from 0. */
export function agentPath(index) {
  const { agent_name, version } = identityOf(index);
  return `config/agents/${agent_name}/${version}.json`;
}

function identityOf(index) {
  const group = Math.floor(index / 4);
  const [role, domain] = [roles[group % roles.length], domains[group % domains.length]];
  return { role, domain, agent_name: `${domain}_${role}_${group}`, version: `v${(index % 4) + 1}` };
}

function makeAgent(index, random, bytes) {
  const { role, domain, agent_name, version } = identityOf(index);
  const mode = pick(random, ['Chooser', 'Chooser', 'Writer', 'Extractor']);
  const names = shuffled(random, fields).slice(0, 3 + Math.floor(random() * 6));
  const properties = Object.fromEntries(names.map((name, at) => [name, property(random, name, mode === 'Chooser' || at % 2 === 0)]));
  const enums = Object.fromEntries(
    Object.entries(properties).flatMap(([name, { enum: own, items }]) => ((own ?? items?.enum) ? [[name, own ?? items.enum]] : [])),
  );
  const defaults = Object.fromEntries(
    Object.entries(enums)
      .filter(([name]) => properties[name].enum)
      .slice(0, 2)
      .map(([name, list]) => [name, list[0]]),
  );
  const agent = {
    agent_name,
    version,
    description: `${capital(role)} for ${domain}, number ${index}.`,
    mode,
    ...(random() < 0.3 ? { persona_key: pick(random, roles) } : {}),
    system_text: '',
    purpose_text: '',
    ...(random() < 0.2 ? { prompts: { system_prompt: `${pick(random, domains.slice(0, 6))}@v1` } } : {}),
    input_keys: ['text', 'context'],
    output_schema: { type: 'object', additionalProperties: false, required: names, properties },
    enums,
    defaults,
    llm_config_id: pick(random, Object.keys(llms)),
    temperature: Math.floor(random() * 10) / 10,
    max_output_tokens: 128 + Math.floor(random() * 300),
    timeout_ms: 30000,
    max_iterations: 10,
    top_p: 1,
  };
  const left = Math.max(200, bytes * (0.75 + random() * 0.5) - print(agent).length);
  agent.system_text = prose(random, left * 0.45);
  agent.purpose_text = rules(random, left * 0.55);
  return agent;
}

function property(random, name, closed) {
  const description = `${capital(name.replaceAll('_', ' '))}: ${sentence(random)}`;
  if (!closed) return { type: pick(random, ['string', 'string', 'number', 'boolean']), description };
  const list = shuffled(random, values).slice(0, 3 + Math.floor(random() * 5));
  return random() < 0.15
    ? { type: 'array', items: { type: 'string', enum: list }, description }
    : { type: 'string', enum: list, description };
}

const faultOf = {
  none: () => undefined,
  /** 1 % syntax, 3 % schema, 1 % enum mismatch. */
  few(index, random) {
    const place = index % 100;
    if (place === 17) return pick(random, syntaxFaults);
    if (place === 3 || place === 42 || place === 77) return pick(random, schemaFaults);
    return place === 64 ? enumMismatch : undefined;
  },
  one: (index, random) => (index % 2 === 0 ? enumMismatch : pick(random, schemaFaults)),
  thirty: () => thirtyFindings,
};

const edited = (code, edit) => (agent) => {
  const text = print(agent);
  const { text: faulty, at } = edit(text);
  return { text: faulty, code, line: faulty.slice(0, at).split('\n').length };
};

/** Puts `replacement` in the place of the first match; the fault is where `mark` is in the replacement. */
const replacing = (code, pattern, replacement, mark = replacement) =>
  edited(code, (text) => {
    const { 0: found, index } = pattern.exec(text);
    return { text: text.slice(0, index) + replacement + text.slice(index + found.length), at: index + replacement.indexOf(mark) };
  });

const syntaxFaults = [
  replacing('trailing-comma', /"top_p": 1\n/, '"top_p": 1,\n', ','),
  replacing('json-comment', /"llm_config_id"/, '// the usual one\n  "llm_config_id"', '//'),
  replacing('json-syntax', /"timeout_ms": 30000,\n {2}"max/, '"timeout_ms": 30000\n  "max', '"max'),
  replacing('duplicate-key', /"top_p": 1\n/, '"top_p": 1,\n  "max_iterations": 10\n', '"max'),
  replacing('json-syntax', /"max_iterations": 10/, "'max_iterations': 10", "'"),
  edited('json-syntax', (text) => ({ text: text.slice(0, text.lastIndexOf('}')), at: text.lastIndexOf('1') })),
];

const schemaFaults = [
  replacing('schema', /"temperature": [\d.]+/, '"temperature": 9'),
  replacing('schema', /"max_output_tokens": (\d+)/, '"max_output_tokens": "256"'),
  replacing('schema', /"top_p": 1/, '"top_p": 7.5'),
  replacing('schema', /"timeout_ms": 30000/, '"timeout_ms": -1'),
  replacing('schema', /"max_iterations": 10/, '"max_iterations": 2.5'),
];

/** One value of one list is missing in `enums` that the schema still has, which is where the finding is. */
function enumMismatch(agent) {
  const [name, list] = Object.entries(agent.enums)[0];
  const text = print({ ...agent, enums: { ...agent.enums, [name]: list.slice(0, -1) }, defaults: {} });
  const field = text.indexOf(`${JSON.stringify(name)}: {`, text.indexOf('"properties": {'));
  const at = text.indexOf(JSON.stringify(list.at(-1)), text.indexOf('"enum": [', field));
  return { text, code: 'enums-match-schema', line: text.slice(0, at).split('\n').length };
}

/** Thirty unknown keys, each a finding of its own. */
function thirtyFindings(agent) {
  const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`remark_${at}`, `left over ${at}`]));
  return { text: print({ ...agent, ...unknown }) };
}

function prose(random, length) {
  let text = sentence(random);
  while (text.length < length) text += `${random() < 0.15 ? '\n\n' : ' '}${sentence(random)}`;
  return text;
}

function rules(random, length) {
  let text = 'How to decide:';
  for (let number = 1; text.length < length; number++) text += `\n${number}. ${sentence(random)}`;
  return text;
}

function sentence(random) {
  return `${pick(random, subjects)} ${pick(random, verbs)} ${pick(random, things)}, ${pick(random, reasons)}.`;
}

function print(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

function pick(random, list) {
  return list[Math.floor(random() * list.length)];
}

function shuffled(random, list) {
  return list
    .map((item) => [random(), item])
    .sort(([left], [right]) => left - right)
    .map(([, item]) => item);
}

/** mulberry32: small, fast, the same on every machine. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
