/**
 * Makes core/llm/modelFacts/table.ts from well-kept packages and the hand-written supplement. Run it after an update of one of the
 * packages: `node scripts/modelFacts.mjs`. `--check` writes nothing and fails when the table is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { calcPrice, findProvider } from '@pydantic/genai-prices';
import * as tokenizerModels from 'gpt-tokenizer/models';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'core/llm/modelFacts/table.ts');

/** The packages do not carry their date of publication; the registry gave it. A version that is not the one named here stops the script. */
const packages = {
  g: { name: 'gpt-tokenizer', version: '4.0.0', published: '2026-08-16' },
  o: { name: 'openai', version: '7.57.0', published: '2026-11-13' },
  a: { name: '@anthropic-ai/sdk', version: '1.12.0', published: '2026-11-20' },
  p: { name: '@pydantic/genai-prices', version: '0.1.8', published: '2026-09-23' },
};
const supplement = readFacts('supplement.json');
const ends = readFacts('ends.json');

/** Models that do not answer a chat in text, and names other than the provider's own. */
const otherModels =
  /image|computer-use|instruct|transcribe|realtime|embedding|moderation|whisper|tts|live|omni|audio|robotics|deep-research|\.ft-|^gpt-3\.5(-0301)?$|^gemini-(flash|pro)-1|:/;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const made = modelFactsTable();
  if (!process.argv.includes('--check')) writeFileSync(target, made);
  else if (readFileSync(target, 'utf8') !== made) {
    console.error('core/llm/modelFacts/table.ts is stale: run node scripts/modelFacts.mjs.');
    process.exitCode = 1;
  }
}

/** The text of table.ts. The same packages and the same supplement give the same bytes. */
export function modelFactsTable() {
  for (const { name, version } of Object.values(packages)) {
    const installed = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;
    if (installed !== version) throw new Error(`${name} ${installed} is installed; set its version and date in scripts/modelFacts.mjs`);
  }
  const models = [
    ...openAiModels(),
    ...fineTuningPrices(),
    ...withAnthropicNames(otherProviderModels('anthropic', 'anthropic')),
    ...otherProviderModels('google', 'gemini'),
  ];
  applySupplement(models);
  applyEnds(models);
  const endSources = endSourcesOf(models);
  const rows = withoutPlainSnapshots(models)
    .map((model) => rowOf(model, endSources))
    .sort();
  const sources = [
    ...Object.entries(packages).map(([letter, { name, version, published }]) => `  ${letter}: '${name} ${version}, ${published}',`),
    `  s: 'provider documentation, ${supplement.read}',`,
  ];
  return `// Made by scripts/modelFacts.mjs from packages and supplement.json; do not edit. docs/models.md says where each fact is from.

/** Where facts come from, by the letters in a row's last column. */
export const sources: Readonly<Record<string, string>> = {
${sources.join('\n')}
};

/** What gave the day on which a model ends and its successor, with the day on which it was read, by the number in a row. */
export const endSources: readonly (readonly [source: string, read: string])[] = [
${endSources.map((source) => `  ['${source.replace(' ', "', '")}'],`).join('\n')}
];

/**
 * provider | model | context window | most output tokens | USD per million tokens in | out | cached in | parameters it refuses |
 * reasoning effort with which it takes them all the same | deprecation without a day | day on which it ends | successor | r: from that day on the
 * successor answers | number of the source of its end | sources. An empty column is an unknown fact.
 */
export const modelRows = \`
${rows.join('\n')}
\`;
`;
}

function openAiModels() {
  const { names, shutdown } = readOpenAiTypes();
  const known = new Map();
  for (const [name, model] of Object.entries(tokenizerModels)) {
    const answersChats = model.supported_endpoints?.some((endpoint) => endpoint === 'chat_completions' || endpoint === 'responses');
    if (answersChats) known.set(name, model);
  }
  const priced = findProvider({ providerId: 'openai' })
    .models.map(({ id }) => id)
    .filter((id) => /^(gpt-[3-9]|o[1-9])/.test(id));
  const all = new Set([...known.keys(), ...names, ...priced].filter((name) => !otherModels.test(name)));
  return [...all].map((name) => {
    const model = newModel('openai', name, names.has(name) ? 'o' : known.has(name) ? 'g' : 'p');
    const { context_window, max_output_tokens, deprecated } = known.get(name) ?? {};
    set(model, 'g', { context_window, max_output_tokens });
    if (shutdown.has(name)) set(model, 'o', endOf(shutdown.get(name), 'o'));
    else if (deprecated === true && !names.has(name)) set(model, 'g', { deprecated: 'deprecated' });
    addPrice(model, 'openai');
    return model;
  });
}

/** A fine-tuned model costs more than its base. These rows hold nothing but that price. */
function fineTuningPrices() {
  return findProvider({ providerId: 'openai' })
    .models.filter(({ id }) => id.startsWith('ft:'))
    .map(({ id, prices }) => {
      const model = newModel('openai', id.replace(/-$/, ''), 'p');
      set(model, 'p', { price: { input: prices.input_mtok, output: prices.output_mtok } });
      return model;
    });
}

function newModel(provider, name, source) {
  return { provider, name, sources: new Set([source]), unsupported: [] };
}

/** The SDK's types list every chat model and, in a comment, the shutdown dates OpenAI has announced. */
function readOpenAiTypes() {
  const text = readFileSync(join(root, 'node_modules/openai/resources/shared.d.ts'), 'utf8');
  const responses = readFileSync(join(root, 'node_modules/openai/resources/beta/responses/responses.d.ts'), 'utf8');
  const names = new Set();
  for (const type of ['AllModels', 'ChatModel']) {
    const [, union] = new RegExp(`export type ${type} = ([^;]+);`).exec(text);
    for (const [, name] of union.matchAll(/'([^']+)'/g)) names.add(name);
  }
  const shutdown = new Map();
  const comment = (text + responses).replace(/\n\s*\* {1,3}/g, ' ');
  for (const [, list, date] of comment.matchAll(/- ((?:"[^"]+",? )*"[^"]+"): Announced shutdown date: (\d{4}-\d{2}-\d{2})/g)) {
    for (const [, name] of list.matchAll(/"([^"]+)"/g)) shutdown.set(name, date);
  }
  for (const [, list] of comment.matchAll(/- ((?:"[^"]+",? )*"[^"]+"): Not a supported model ID/g)) {
    for (const [, name] of list.matchAll(/"([^"]+)"/g)) names.delete(name);
  }
  if (names.size < 50 || shutdown.size < 20) throw new Error('The types of openai have another form now; readOpenAiTypes must follow.');
  return { names, shutdown };
}

function otherProviderModels(providerId, provider) {
  const own = provider === 'anthropic' ? /^claude-/ : /^(gemini|gemma)-/;
  const models = new Map();
  for (const { id, match, context_window, deprecated } of findProvider({ providerId }).models) {
    for (const name of [id, ...namesIn(match)]) {
      const plain = name.replace(/-latest$/, '');
      if (!own.test(plain) || otherModels.test(plain) || models.has(plain)) continue;
      const model = newModel(provider, plain, 'p');
      set(model, 'p', { context_window, deprecated: deprecated === true ? 'deprecated' : undefined });
      addPrice(model, providerId);
      models.set(plain, model);
    }
  }
  return [...models.values()];
}

/** The SDK names models that the prices do not know yet, and the day on which those it warns of go. */
function withAnthropicNames(models) {
  const folder = join(root, 'node_modules/@anthropic-ai/sdk/resources/messages');
  const [, union] = /export type Model = ([^;]+);/.exec(readFileSync(join(folder, 'messages.d.ts'), 'utf8'));
  const [, going] = /const DEPRECATED_MODELS = \{([^}]*)\}/.exec(readFileSync(join(folder, 'messages.mjs'), 'utf8'));
  const names = [...union.matchAll(/'(claude-[^']+)'/g)].map(([, name]) => name).filter((name) => withoutDate(name) === name);
  if (names.length < 15) throw new Error('The types of @anthropic-ai/sdk have another form now; withAnthropicNames must follow.');
  const known = new Set(models.map(({ name }) => name));
  const all = [...models, ...names.filter((name) => !known.has(name)).map((name) => newModel('anthropic', name, 'a'))];
  for (const [, name, day] of going.matchAll(/'([^']+)': '([^']+)'/g)) {
    const date = new Date(`${day.replace(/(\d)(st|nd|rd|th)\b/, '$1')} UTC`).toISOString().slice(0, 10);
    for (const model of all) if (model.name === name) set(model, 'a', endOf(date, 'a'));
  }
  return all;
}

/** The names a matcher takes as they are; prefixes and parts of names are no names. */
function namesIn(match) {
  if (match.or !== undefined) return match.or.flatMap(namesIn);
  return match.equals === undefined ? [] : [match.equals];
}

/** The price without long-context steps, as it was on the day the package was published. */
function addPrice(model, providerId) {
  const timestamp = new Date(`${packages.p.published}T00:00:00Z`);
  const found = calcPrice({ input_tokens: 1 }, model.name, { providerId, timestamp });
  // Its windows are rounded down for older models, of which gpt-tokenizer knows the exact ones.
  if (model.context_window === undefined && /^gpt-[5-9]/.test(model.name)) set(model, 'p', { context_window: found?.model.context_window });
  const { input_mtok: input, output_mtok: output, cache_read_mtok: cached } = found?.model_price ?? {};
  if (input === undefined || output === undefined) return;
  const base = (value) => (typeof value === 'object' ? value.base : value);
  set(model, 'p', { price: { input: base(input), output: base(output), ...(cached === undefined ? {} : { cached_input: base(cached) }) } });
}

function applySupplement(models) {
  for (const { source, provider, models: names, ...facts } of supplement.entries) {
    for (const name of names) {
      const fits = models.filter((model) => model.provider === provider && isNamed(withoutDate(model.name), name));
      if (fits.length === 0) throw new Error(`supplement.json: no ${provider} model is called ${name} (${source})`);
      for (const model of fits) set(model, 's', facts);
    }
  }
}

/** The end that the types of a package give. Their list has no successors. */
function endOf(day, letter) {
  const { name, version, published } = packages[letter];
  return { ends: day, end_source: `${name}@${version} ${published}` };
}

/** A dated model that is named has its own end, otherwise that of the name without date. */
function applyEnds(models) {
  const exact = new Set(ends.entries.flatMap(({ provider, models: names }) => Object.keys(names).map((name) => `${provider} ${name}`)));
  for (const { page, read, provider, ends: day, rerouted, models: names } of ends.entries) {
    for (const [name, successor] of Object.entries(names)) {
      const isMeant = (model) => model.name === name || (withoutDate(model.name) === name && !exact.has(`${provider} ${model.name}`));
      const fits = models.filter((model) => model.provider === provider && isMeant(model));
      if (fits.length === 0) throw new Error(`ends.json: no ${provider} model is called ${name}`);
      for (const model of fits) {
        if (model.ends !== undefined && model.ends !== day)
          throw new Error(`ends.json: ${name} ends on ${day}, but ${model.end_source} says ${model.ends}`);
        Object.assign(model, { ends: day, successor: successor ?? undefined, rerouted, end_source: `${page} ${read}` });
      }
    }
  }
  for (const model of models) if (model.ends !== undefined) delete model.deprecated;
}

function endSourcesOf(models) {
  return [...new Set(models.flatMap(({ end_source }) => end_source ?? []))].sort();
}

function readFacts(name) {
  return JSON.parse(readFileSync(join(root, 'core/llm/modelFacts', name), 'utf8'));
}

function isNamed(name, pattern) {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function set(model, source, facts) {
  for (const [fact, value] of Object.entries(facts)) {
    if (value === undefined) continue;
    model[fact] = value;
    model.sources.add(source);
  }
}

/** Leaves out dated names that say the same as the name without the date: they are found through it. */
function withoutPlainSnapshots(models) {
  const facts = new Map(models.map((model) => [`${model.provider} ${model.name}`, factsOf(model)]));
  return models.filter((model) => {
    const base = withoutDate(model.name);
    return base === model.name || facts.get(`${model.provider} ${base}`) !== factsOf(model);
  });
}

function withoutDate(name) {
  return name.replace(/-(\d{4}-\d{2}-\d{2}|20\d{6})$/, '');
}

function factsOf({ context_window, max_output_tokens, price, unsupported, supported_with_effort, deprecated, ends, successor, rerouted }) {
  const columns = [context_window, max_output_tokens, price?.input, price?.output, price?.cached_input, unsupported.join(',')];
  return [...columns, supported_with_effort, deprecated, ends, successor, rerouted && 'r'].map((value) => value ?? '').join('|');
}

function rowOf(model, endSources) {
  const number = model.end_source === undefined ? '' : endSources.indexOf(model.end_source);
  return `${model.provider}|${model.name}|${factsOf(model)}|${number}|${[...model.sources].sort().join('')}`;
}
