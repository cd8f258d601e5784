import { agentsWithPersona } from '../config/agentReference.js';
import type { ConfigFile } from '../config/configFile.js';
import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../json.js';
import { firstNames } from '../names.js';
import { agentTable, llmTable } from '../snapshot/fields.js';
import { isPlainIn } from './facts/agentTexts.js';
import { findSetting, layersOf } from './facts/layers.js';
import type { Report, Rule, RuleContext } from './rule.js';

/**
 * A value in system.json, an environment or a persona without effect: every environment overrides it, or the profile's own file, or every version
 * of its agent, or every agent that names the persona. Values for all agents are not compared with each of them: a new agent may need them. An llm
 * profile is not judged: a call may choose it (`--llm`), and then it is above the agent. The
 * `user_text` of an agent whose user message is composed has no effect either.
 */
export const layerWithoutEffect: Rule = {
  code: 'layer-without-effect',
  severity: 'hint',
  kinds: ['system', 'persona', 'agent'],
  on: 'value',
  check(file, context, report) {
    if (file.identity.kind === 'agent') return checkUserText(file, context, report);
    for (const { path, fields } of sectionsIn(file)) {
      const layers = layersAbove(file, path, context);
      for (const [name, value] of Object.entries(fields)) {
        const winners = layers.find((group) => group.length > 0 && group.every((layer) => overrides(layer.value, name, value)));
        if (winners === undefined) continue;
        const files = winners.map((layer) => layer.file);
        report({
          pointer: pointerOf(...path, name),
          target: 'key',
          message: `${name} has no effect here: ${firstNames(files)} ${files.length === 1 ? 'overrides' : 'override'} it in a higher layer. Remove it here, or there.`,
          related: winners.map(({ file, pointer }) => ({
            file,
            pointer: pointer + pointerOf(name),
            target: 'key',
            message: 'This takes effect.',
          })),
          data: { files },
        });
      }
    }
  },
};

function checkUserText(file: ConfigFile, context: RuleContext, report: Report): void {
  if (!isObject(file.value) || typeof file.value.user_text !== 'string') return;
  const stack = layersOf(file, context);
  if (stack === undefined || isPlainIn(stack)) return;
  const mode = findSetting(stack, 'mode')?.value;
  const reason =
    typeof mode === 'string' ? `the mode ${mode} composes the user message` : 'only a single_shot agent without a mode has one';
  report({
    pointer: '/user_text',
    target: 'key',
    severity: 'warning',
    message: `user_text has no effect here: ${reason}. Remove it${typeof mode === 'string' ? ', or the mode' : ''}.`,
    data: { files: [] },
  });
}

interface Section {
  readonly path: readonly string[];
  readonly fields: JsonObject;
}

function sectionsIn({ value, identity }: ConfigFile): readonly Section[] {
  if (!isObject(value)) return [];
  if (identity.kind === 'persona') return [{ path: [], fields: value }];
  return ['agent_defaults', 'persona_defaults', 'orchestration', 'llms', 'agents'].flatMap((part): readonly Section[] => {
    const section = value[part];
    if (!isObject(section)) return [];
    if (part !== 'llms' && part !== 'agents') return [{ path: [part], fields: section }];
    return Object.entries(section).flatMap(([name, fields]) => (isObject(fields) ? [{ path: [part, name], fields }] : []));
  });
}

interface HigherLayer {
  readonly file: string;
  /** Pointer of the fields in that file. */
  readonly pointer: string;
  readonly value: JsonObject;
}

/** Groups of layers above a section; in every run, one layer of each group is above it. */
function layersAbove({ identity }: ConfigFile, path: readonly string[], context: RuleContext): readonly (readonly HigherLayer[])[] {
  const { project } = context;
  const { environment, default_environment = environment } = project.settings;
  if (identity.kind === 'persona') {
    const users = project.complete ? (agentsWithPersona(project, identity.id) ?? []) : [];
    const layers = users.map(({ name, version, path }) => ({ file: path, pointer: '', value: context.agent(name, version)?.value }));
    return layers.every(isLayer) ? [layers.filter(isLayer)] : [];
  }
  const groups: HigherLayer[][] = [];
  const [part, name = ''] = path;
  if (identity.id === 'system') {
    const environments = [...project.ids('system')].filter(([id]) => id !== 'system');
    const isWhole = environments.some(([id]) => id === default_environment);
    const at = pointerOf(...path);
    const layers = environments.map(([id, file]) => ({ file, pointer: at, value: valueAt(project.value('system', id), at) }));
    if (isWhole && layers.every(isLayer)) groups.push(layers.filter(isLayer));
  }
  const profile = part === 'llms' ? { file: project.ids('llm').get(name), pointer: '', value: project.value('llm', name) } : undefined;
  if (profile?.file !== undefined && profile.value !== undefined) groups.push([profile as HigherLayer]);
  const versions = part === 'agents' ? project.versions(name).map((version) => context.agent(name, version)) : [];
  const agents = versions.map((file) => ({ file: file?.path ?? '', pointer: '', value: file?.value }));
  if (agents.every(isLayer)) groups.push(agents.filter(isLayer));
  return groups;
}

function isLayer(layer: { readonly file: string; readonly pointer: string; readonly value: Json | undefined }): layer is HigherLayer {
  return isObject(layer.value);
}

/** Whether a layer overrides a value below it completely; where values are merged key by key, it needs every key. */
function overrides(above: JsonObject, name: string, value: Json): boolean {
  const overriding = Object.hasOwn(above, name) ? above[name] : undefined;
  if (overriding === undefined) return false;
  const isMerged = (agentTable.agent.get(name) ?? llmTable.llm.get(name))?.parts !== undefined;
  return !isMerged || !isObject(value) || !isObject(overriding) || Object.keys(value).every((key) => Object.hasOwn(overriding, key));
}
