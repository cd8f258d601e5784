import { providersByOtherNames } from '../builtInProviders.js';
import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../json.js';
import { isLegalName } from '../kinds.js';
import { listed, quoted } from '../words.js';
import type { ImportSource } from './importSource.js';
import type { At, Draft, ForeignHome, ForeignKey, NewFile, OtherTool } from './types.js';
import { textField, within } from './values.js';

/** `pipeline_map`: agent classes with their models and prompts, each an agent here. */
export const a2rchi: OtherTool = {
  id: 'a2rchi',
  names: {
    agent_prompt: ['system_text', 'default_system_prompt'],
    chat_model: 'model_name',
    static_tools: 'enabled_tools',
  },
  homeOf(foreign) {
    const { key, file, segments } = foreign;
    if (key === 'pipeline_map') return homeOfPipelines(foreign);
    // The map may be one key deeper.
    const isNested = key === 'a2rchi' && isObject(valueAt(file.value, pointerOf(...segments, key, 'pipeline_map')));
    return isNested ? homeOfPipelines({ ...foreign, key: 'pipeline_map', segments: [...segments, key] }) : undefined;
  },
  importer: {
    what: 'a pipeline map',
    shape: 'pipeline_map.{Agent}: models.required.chat_model, prompts.required.agent_prompt',
    recognise: ({ value }) => (mapIn(value) === undefined ? undefined : 'sure'),
    needs: ({ value }) => Object.values(mapIn(value)?.map ?? {}).flatMap((entry) => promptFile(entry) ?? []),
    read(source, draft) {
      const pipelines = mapIn(source.value);
      if (pipelines === undefined) return;
      for (const [name, entry] of Object.entries(pipelines.map))
        readEntry(
          name,
          entry,
          valueAt(source.value, pointerOf(...pipelines.path, 'model_class_map')),
          { source, pointer: pointerOf(...pipelines.path, 'pipeline_map', name) },
          draft,
        );
    },
  },
};

function readEntry(name: string, entry: Json, classes: Json | undefined, at: At, draft: Draft): void {
  const { agent_type = 'react', provider, model_name, prompts, system_text } = pipelineAgent(entry);
  const from = {
    prompts: `${at.pointer}/prompts/required/agent_prompt`,
    system_text: `${at.pointer}/prompts/required/agent_prompt`,
    provider: `${at.pointer}/models/required/chat_model`,
  };
  const model = textField(valueAt(entry, '/models/required'), 'chat_model') ?? '';
  const own = isObject(classes) && Object.hasOwn(classes, model) ? valueAt(classes[model], '/kwargs') : undefined;
  const namedModel = textField(own, 'model_name') ?? textField(own, 'model');
  if (provider !== undefined || namedModel !== undefined)
    draft.note(
      within(at, 'models', 'required', 'chat_model'),
      `${quoted(model)} is a class of a program. ${namedModel === undefined ? 'This file does not say which model it uses: the agent takes the llm profile of the project if there is one only, or give model_name.' : `Its model is ${quoted(namedModel)}.`}`,
    );
  const chosen =
    namedModel !== undefined
      ? draft.modelFields(namedModel, at)
      : typeof model_name === 'string'
        ? draft.modelFields(model_name, within(at, 'models', 'required', 'chat_model'))
        : {};
  for (const key of ['models', 'prompts']) {
    const optional = valueAt(entry, pointerOf(key, 'optional'));
    if (isObject(optional) && Object.keys(optional).length > 0)
      draft.note(
        within(at, key, 'optional'),
        `${quoted(`${key}.optional`)} has no counterpart: an agent here has one model and one system prompt.`,
      );
    const others = Object.keys(objectOf(valueAt(entry, pointerOf(key, 'required')))).filter(
      (other) => other !== (key === 'models' ? 'chat_model' : 'agent_prompt'),
    );
    for (const other of others)
      draft.note(
        within(at, key, 'required', other),
        `${quoted(other)} has no counterpart: an agent here has one model and one system prompt.`,
      );
  }
  draft.noteLost(objectOf(entry), at, { kept: new Set(['models', 'prompts']) });
  draft.note(
    at,
    `${quoted(name)} is a class of a program: the tools that it defines are left out. Offer them by an MCP server, or write them with defineTool.`,
  );
  draft.agent(
    name,
    {
      agent_type,
      ...chosen,
      ...(system_text !== undefined && { system_text }),
      ...(isObject(prompts) && storedPrompt(entry, prompts, at, draft)),
    },
    at,
    from,
  );
}

/** The prompt in the store, where its file was read. */
function storedPrompt(entry: Json, prompts: JsonObject, at: At, draft: Draft): JsonObject {
  const path = promptFile(entry) ?? '';
  const place = within(at, 'prompts', 'required', 'agent_prompt');
  const file = draft.file(at.source, path);
  const text = file?.text.trim();
  if (text === undefined || text === '') {
    draft.note(
      place,
      `The prompt ${quoted(path)} was not read: it is not there, may hold secrets, or is outside of the folder that is imported. Write system_text, or import the folder that holds both.`,
    );
    return {};
  }
  const stem = String(prompts.system_prompt).replace(/@v1$/, '');
  const name = draft.nameOf('prompt', stem, place);
  draft.add('prompt', `${name}@v1`, { name, version: 'v1' }, { template: text }, { source: file as ImportSource, pointer: '' });
  return { prompts: { system_prompt: `${name}@v1` } };
}

function promptFile(entry: Json | undefined): string | undefined {
  const prompt = textField(valueAt(entry, '/prompts/required'), 'agent_prompt');
  return prompt !== undefined && isObject(pipelineAgent(entry).prompts) ? prompt : undefined;
}

function mapIn(value: Json): { readonly path: readonly string[]; readonly map: JsonObject } | undefined {
  for (const path of [[], ['a2rchi']]) {
    const map = valueAt(value, pointerOf(...path, 'pipeline_map'));
    if (isObject(map) && Object.keys(map).length > 0) return { path, map };
  }
  return undefined;
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** Classes of models, by how they begin. */
const providers: readonly (readonly [string, string])[] = [
  ...providersByOtherNames,
  ...['openai', 'anthropic', 'gemini'].map((name) => [name, name] as const),
];

/** The fields of an agent that an entry of a pipeline map stands for. */
function pipelineAgent(entry: Json | undefined): JsonObject {
  const model = valueAt(entry, '/models/required/chat_model');
  const prompt = valueAt(entry, '/prompts/required/agent_prompt');
  return { agent_type: 'react', ...(typeof model === 'string' && modelOf(model)), ...(typeof prompt === 'string' && promptOf(prompt)) };
}

function modelOf(model: string): JsonObject {
  const provider = /LLM$/.test(model) ? providers.find(([begin]) => model.toLowerCase().startsWith(begin))?.[1] : undefined;
  return provider === undefined ? { model_name: model } : { provider };
}

/** A file of a prompt is named in the prompt store; anything else is the text itself. */
function promptOf(prompt: string): JsonObject {
  const name = /(?:^|[/\\])([^/\\]+)\.(?:prompt|txt|md)$/.exec(prompt)?.[1];
  return name !== undefined && isLegalName(name) ? { prompts: { system_prompt: `${name}@v1` } } : { system_text: prompt };
}

/** `pipeline_map: {Agent: {models, prompts}}`: each entry is an agent file. */
function homeOfPipelines(foreign: ForeignKey): ForeignHome | undefined {
  const { file, project, segments, key, pathOf } = foreign;
  const map = valueAt(file.value, pointerOf(...segments, key));
  if (!isObject(map)) return undefined;
  const { kind, name, version } = file.identity;
  const own = kind !== 'agent' || segments.length > 0 ? undefined : Object.hasOwn(map, name) ? name : Object.keys(map)[0];
  const sets: Record<string, Json> = {};
  if (own !== undefined) {
    const fields: JsonObject = { agent_name: name, version: version ?? 'v1', ...pipelineAgent(map[own]) };
    for (const [field, value] of Object.entries(fields))
      if (valueAt(file.value, pointerOf(field)) === undefined) sets[pointerOf(field)] = value;
  }
  const files = Object.entries(map).flatMap(([agent, entry]): readonly NewFile[] => {
    if (agent === own || !isLegalName(agent) || project.versions(agent).length > 0) return [];
    return [
      {
        path: pathOf('agent', `${agent}@v1`),
        value: { agent_name: agent, version: 'v1', ...pipelineAgent(entry) },
        from: [pointerOf(...segments, key, agent)],
      },
    ];
  });
  const homes = listed(Object.keys(map).map((agent) => (agent === own ? file.path : pathOf('agent', `${agent}@v1`))));
  return {
    message: `"pipeline_map" is another tool's list of agents, which is not read. An agent is a file: ${homes}. Its chat_model belongs in "provider" and "model_name", its agent_prompt in "prompts" or "system_text".`,
    files,
    ...(own !== undefined && { sets, replaced: [pointerOf(...segments, key, own)] }),
    safe: false,
  };
}
