import { isObject, type Json, type JsonObject, listOf } from '../../json.js';
import { quoted } from '../../words.js';
import type { ImportSource } from '../importSource.js';
import { allOf, isList } from '../marks.js';
import type { At, Draft, OtherTool } from '../types.js';
import { freeName, textField, within } from '../values.js';
import { type AssertionContext, expectationsOf } from './assertions.js';
import { inputKeysOf, messagesOf, type ProviderEntry, promptsIn, providerText } from './prompts.js';

/** Most cases that one test of promptfoo makes: each combination of the values of its vars is one. */
const mostCombinations = 100;

const kept = new Set([
  'prompts',
  'providers',
  'targets',
  'tests',
  'defaultTest',
  'assertionTemplates',
  'description',
  '$schema',
  'outputPath',
  'env',
]);
const advice = {
  scenarios: 'Write their tests as cases (docs/evals.md).',
  evaluateOptions: '--repeats and --concurrency of "agent-stack eval" are its options.',
  redteam: 'There is no red teaming here.',
  derivedMetrics: 'Reports have the measures that docs/evals.md names.',
  extensions: 'Cases run no code of their own.',
  transformVars: 'Inputs are written as they are sent.',
};

function read(source: ImportSource, draft: Draft): void {
  const value = isObject(source.value) ? source.value : {};
  const root: At = { source, pointer: '' };
  draft.noteLost(value, root, { kept, advice, of: 'a promptfoo config' });
  const name = textField(value, 'description') ?? folderOf(source) ?? 'Prompt';
  const model = modelFields(value, root, draft);
  const keys = new Set<string>();
  // Without prompts, promptfoo sends the variable of this name. Red teaming makes its own, and an endpoint has them.
  const isPlain = value.tests !== undefined && value.redteam === undefined && Object.keys(model).length > 0;
  const prompts = value.prompts ?? (isPlain ? '{{prompt}}' : undefined);
  const agents = promptTexts(prompts, root, draft).flatMap(({ text, at }, index) => {
    const messages = messagesOf(text, at, draft);
    if (messages === undefined) return [];
    const input_keys = inputKeysOf(messages);
    for (const key of input_keys) keys.add(key);
    return [
      draft.agent(name, { ...messages, ...(input_keys.length > 0 && { input_keys: [...input_keys] }), ...model }, at, {}, `v${index + 1}`),
    ];
  });
  const [first] = agents;
  if (first === undefined) {
    draft.note(root, 'It has no prompt that can be read, so nothing is made of its tests.');
    return;
  }
  const agent = first.slice(0, first.lastIndexOf('@'));
  // A variable without a value is empty there.
  const empty = Object.fromEntries([...keys].map((key) => [key, '']));
  const cases = casesOf(value, root, draft, judgesOf(agent, model, draft)).map(({ input, ...each }) => ({
    ...each,
    input: { ...empty, ...objectOf(input) },
  }));
  if (cases.length > 0) draft.cases(agent, 'tests', { cases: [...cases] }, within(root, 'tests'));
}

function folderOf({ path }: ImportSource): string | undefined {
  return path.split('/').at(-2);
}

function promptTexts(prompts: Json | undefined, root: At, draft: Draft): readonly { readonly text: string; readonly at: At }[] {
  const at = within(root, 'prompts');
  const list = Array.isArray(prompts) ? prompts : prompts === undefined ? [] : [prompts];
  return list.flatMap((prompt: Json, index) => {
    const place = Array.isArray(prompts) ? within(at, index) : at;
    const text = typeof prompt === 'string' ? prompt : (textField(prompt, 'raw') ?? textField(prompt, 'id'));
    if (text === undefined) {
      draft.note(place, 'It is neither a text nor a file, and left out.');
      return [];
    }
    const path = filePath(text);
    if (path === undefined) return [{ text, at: place }];
    const file = /\.(?:txt|md|json|ya?ml|j2)$/i.test(path) ? draft.file(root.source, path) : undefined;
    if (file !== undefined) return promptsIn(file).map((part) => ({ text: part, at: { source: file, pointer: '' } }));
    draft.note(
      place,
      `${quoted(path)} is not read: prompts are texts, chat messages as JSON, or files with them inside of the folder. Code makes no prompt here.`,
    );
    return [];
  });
}

/** The path of a file that a text names. */
function filePath(text: string): string | undefined {
  if (text.startsWith('file://')) return text.slice('file://'.length).replace(/(?<=\.\w+):\w+$/, '');
  return /^[\w./-]+\.(?:txt|md|json|j2|py|js|ts)$/.test(text) ? text : undefined;
}

function providersOf(value: JsonObject, root: At): readonly ProviderEntry[] {
  const key = value.providers === undefined ? 'targets' : 'providers';
  const given = value[key];
  const at = within(root, key);
  const list = Array.isArray(given) ? given : given === undefined ? [] : [given];
  return list.map((entry: Json, index) => {
    const place = Array.isArray(given) ? within(at, index) : at;
    if (typeof entry === 'string') return { id: entry, config: {}, at: place };
    const [[onlyKey, only] = []] = isObject(entry) && Object.keys(entry).length === 1 ? Object.entries(entry) : [];
    // `openai:gpt-5: { config: {} }`
    if (onlyKey !== undefined && onlyKey !== 'id' && isObject(only))
      return { id: onlyKey, config: isObject(only.config) ? only.config : {}, at: within(place, onlyKey) };
    const label = textField(entry, 'label');
    const config = isObject(entry) && isObject(entry.config) ? entry.config : {};
    return { id: textField(entry, 'id') ?? '', config, ...(label !== undefined && { label }), at: place };
  });
}

/** The fields with which the agents reach their model. Several providers become profiles, of which the agents have the first. */
function modelFields(value: JsonObject, root: At, draft: Draft): JsonObject {
  const found = providersOf(value, root).flatMap(({ id, config, label, at }) => {
    const model = providerText(id);
    if (model === undefined) {
      draft.note(
        at,
        `The provider ${quoted(id)} is left out: it is no model that can be reached by name. Write an llm profile (docs/providers.md).`,
      );
      return [];
    }
    const taken = draft.fields(config, 'llm', within(at, 'config'));
    return [{ name: label ?? id, fields: { ...draft.modelFields(model, at), ...taken.fields }, at }];
  });
  const [first, ...others] = found;
  if (first === undefined || others.length === 0) return first?.fields ?? {};
  const ids = found.map(({ name, fields, at }) =>
    typeof fields.llm_config_id === 'string' ? fields.llm_config_id : draft.profile(name, fields, at),
  );
  draft.note(first.at, `The agents use ${quoted(ids[0] ?? '')}. To compare all: agent-stack eval --llm ${[...new Set(ids)].join(',')}`);
  return { llm_config_id: ids[0] ?? '' };
}

/** Each rubric becomes a judge: an agent that says whether an answer meets it. */
function judgesOf(agent: string, model: JsonObject, draft: Draft): AssertionContext['judge'] {
  const judges = new Map<string, string>();
  return (rubric, at) => {
    const known = judges.get(rubric);
    if (known !== undefined) return known;
    const fields = {
      system_text: `You judge what another agent wrote. Does it meet this?\n\n${rubric}`,
      user_text: 'Input: {{input.input}}\n\nAnswer: {{input.text}}',
      input_keys: ['input', 'text'],
      output_schema: {
        type: 'object',
        additionalProperties: false,
        required: ['reason', 'verdict'],
        properties: { reason: { type: 'string' }, verdict: { type: 'string', enum: ['met', 'not met'] } },
      },
      ...model,
    };
    const id = draft.agent(`${agent}_judge${judges.size === 0 ? '' : `_${judges.size + 1}`}`, fields, at);
    judges.set(rubric, id);
    return id;
  };
}

const keptOptions = new Set(['disableVarExpansion']);
const adviceOfTests = {
  metadata: 'A conversation (conversationId) is a case with "turns" (docs/evals.md).',
  threshold: 'Here, all expectations of a case have to hold: put those of which one is enough into "any".',
};

/** Tests, with what `defaultTest` has for all of them. */
function casesOf(value: JsonObject, root: At, draft: Draft, judge: AssertionContext['judge']): readonly JsonObject[] {
  const defaults = isObject(value.defaultTest) ? value.defaultTest : {};
  const defaultsAt = within(root, 'defaultTest');
  draft.noteLost(defaults, defaultsAt, { kept: new Set(['vars', 'assert', 'options']), advice: adviceOfTests, of: 'a test' });
  draft.noteLost(objectOf(defaults.options), within(defaultsAt, 'options'), { kept: keptOptions, of: 'the options of a test' });
  const names: string[] = [];
  return testsOf(value.tests, within(root, 'tests'), draft).flatMap(({ test, at }) => {
    draft.noteLost(test, at, { kept: new Set(['vars', 'assert', 'description', 'options']), advice: adviceOfTests, of: 'a test' });
    const options = objectOf(test.options);
    draft.noteLost(options, within(at, 'options'), { kept: keptOptions, of: 'the options of a test' });
    const isWhole = (options.disableVarExpansion ?? objectOf(defaults.options).disableVarExpansion) === true;
    const vars = varsOf({ ...objectOf(defaults.vars), ...objectOf(test.vars) }, isWhole, within(at, 'vars'), draft);
    return vars.map((input) => {
      const context = { note: draft.note.bind(draft), vars: input, config: value, judge };
      const expect = [
        ...expectationsOf(defaults.assert, within(defaultsAt, 'assert'), context),
        ...expectationsOf(test.assert, within(at, 'assert'), context),
      ];
      const wanted = draft.caseName(textField(test, 'description') ?? `test_${names.length + 1}`);
      const name = freeName(wanted, (other) => names.includes(other));
      names.push(name);
      return { name, input, ...(expect.length > 0 && { expect }) };
    });
  });
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function testsOf(tests: Json | undefined, at: At, draft: Draft): readonly { readonly test: JsonObject; readonly at: At }[] {
  const list = Array.isArray(tests) ? tests : tests === undefined ? [] : [tests];
  return list.flatMap((test: Json, index) => {
    const place = Array.isArray(tests) ? within(at, index) : at;
    if (isObject(test)) return [{ test, at: place }];
    const path = typeof test === 'string' ? filePath(test.startsWith('file://') ? test : `file://${test}`) : undefined;
    const file = path !== undefined && /\.(?:ya?ml|json)$/.test(path) ? draft.file(at.source, path) : undefined;
    if (file !== undefined)
      return listOf(Array.isArray(file.value) ? file.value : [file.value]).flatMap((item, number) =>
        isObject(item) ? [{ test: item, at: { source: file, pointer: Array.isArray(file.value) ? `/${number}` : '' } }] : [],
      );
    draft.note(place, `${quoted(String(path ?? test))} is not read. Tables become cases with "agent-stack new cases" (docs/cli.md).`);
    return [];
  });
}

/** The inputs of a test: promptfoo runs it with each combination of the values of vars that are lists, unless they are whole. */
function varsOf(vars: JsonObject, isWhole: boolean, at: At, draft: Draft): readonly JsonObject[] {
  let inputs: JsonObject[] = [{}];
  for (const [key, value] of Object.entries(vars)) {
    const values: readonly Json[] = Array.isArray(value) && !isWhole ? value : [value ?? null];
    if (values.length === 0) continue;
    const texts = values.map((item) => {
      const path = typeof item === 'string' && item.startsWith('file://') ? filePath(item) : undefined;
      const file = path === undefined ? undefined : draft.file(at.source, path);
      if (path !== undefined && file === undefined)
        draft.note(within(at, key), `${quoted(path)} is not read, and its name is kept in its place.`);
      return file === undefined ? item : file.format === 'text' ? file.body : file.text;
    });
    inputs = inputs.flatMap((input) => texts.map((text) => ({ ...input, [key]: text })));
    if (inputs.length > mostCombinations) {
      draft.note(at, `Of its combinations only the first ${mostCombinations} become cases.`);
      inputs = inputs.slice(0, mostCombinations);
    }
  }
  return inputs;
}

/** The files that a config names: its prompts, tests and vars. */
function needs({ value }: ImportSource): readonly string[] {
  const named: string[] = [];
  const collect = (part: Json | undefined, isPlain: boolean): void => {
    if (typeof part === 'string') {
      const path = isPlain || part.startsWith('file://') ? filePath(part) : undefined;
      if (path !== undefined) named.push(path);
    } else if (Array.isArray(part)) for (const item of part) collect(item, isPlain);
    else if (isObject(part)) for (const item of Object.values(part)) collect(item, isPlain);
  };
  if (!isObject(value)) return [];
  collect(value.prompts, true);
  for (const tests of [value.tests, value.defaultTest]) collect(tests, false);
  if (typeof value.tests === 'string' && !value.tests.startsWith('file://')) named.push(value.tests);
  return named;
}

/** https://www.promptfoo.dev/docs/configuration/reference/, version 0.123; what OpenAI's export of evals writes, too. */
export const promptfoo: OtherTool = {
  id: 'promptfoo',
  formats: [{ what: 'a promptfoo config', schema: /promptfoo/, mark: allOf({ prompts: isList, providers: isList }) }],
  importer: {
    what: 'a promptfoo config',
    shape: 'promptfooconfig.yaml: prompts, providers, tests',
    example: { file: 'promptfooconfig.yaml' },
    recognise({ path, value }) {
      if (!isObject(value)) return undefined;
      const isOne = ['prompts', 'providers', 'targets', 'tests'].some((key) => Object.hasOwn(value, key));
      if (isOne && /(?:^|\/)promptfooconfig[^/]*\.(?:ya?ml|json)$/.test(path)) return 'sure';
      return Array.isArray(value.prompts) && (value.providers !== undefined || value.tests !== undefined) ? 'maybe' : undefined;
    },
    needs,
    read,
  },
};
