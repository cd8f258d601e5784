import { findAgent } from '../../core/config/agentReference.js';
import type { ConfigFile } from '../../core/config/configFile.js';
import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../../core/json.js';
import { doneBefore, waitsOf } from '../../core/routing/taskWaits.js';
import { findChoices } from '../../core/rules/facts/agentContract.js';
import { findSetting, layersOf } from '../../core/rules/facts/layers.js';
import { taskLayersOf } from '../../core/rules/facts/taskLayers.js';
import { OutputContract } from '../../core/schema/outputContract.js';
import { childOf, namesIn, resolved } from '../../core/schema/schemaChild.js';
import type { Path } from '../jsonTree.js';
import { type PayloadKey, payloadKeys } from './payloadKeys.js';
import type { Spot } from './spot.js';

/** A part of an output schema, and the whole schema, which `$ref`s lead into. */
export interface FieldPlace {
  readonly schema: Json;
  readonly root: Json;
}

/** A field of an output, by name. */
export interface NamedField extends FieldPlace {
  readonly name: string;
  readonly required: boolean;
}

/** The file as it is being typed, for functions that need a file. */
function typedFile({ identity, document, text }: Spot, value: Json | undefined): ConfigFile {
  const nothing = { ignore: new Map(), ignoreErrors: [], syntax: [], schemaErrors: [], foreign: undefined };
  return { path: document.path ?? '', identity, text, fileText: text, value, ...nothing };
}

/**
 * A field of the agent whose fields stand at `base` (the root of an agent or persona file, `config` of a task): as it is being typed there,
 * otherwise from the layers below.
 */
export function agentField(spot: Spot, base: Path, name: string): Json | undefined {
  const typedValue = spot.valueAt([...base, name]);
  if (typedValue !== undefined) return typedValue;
  const { kind, project } = spot;
  if (kind === 'agent' && base.length === 0) {
    const layers = layersOf(typedFile(spot, spot.valueAt([])), project.ruleContext);
    return layers && findSetting(layers, name)?.value;
  }
  if (kind === 'orchestration' && base.at(-1) === 'config') return taskField(spot, base.slice(0, -1), name);
  return undefined;
}

/** A field of the effective agent of the task at a path of an orchestration. */
export function taskField(spot: Spot, path: Path, name: string): Json | undefined {
  const value = spot.valueAt(path);
  if (!isObject(value)) return undefined;
  const task = {
    team: String(path[1]),
    name: typeof value.name === 'string' ? value.name : undefined,
    value,
    pointer: pointerOf(...path),
  };
  const layers = taskLayersOf(typedFile(spot, undefined), task, spot.project.ruleContext);
  return layers && findSetting(layers, name)?.value;
}

/** A field of the newest agent, or the one of a version, that a reference names. */
export function referredField({ project }: Spot, reference: Json | undefined, name: string): Json | undefined {
  const target = typeof reference === 'string' ? findAgent(project.index, reference) : undefined;
  const file = target && project.ruleContext.agent(target.name, target.version);
  const layers = file && layersOf(file, project.ruleContext);
  return layers && findSetting(layers, name)?.value;
}

/** Keys of the input of an agent; for a name alone, those of the newest version that declares them. */
export function referredKeys(spot: Spot, reference: Json | undefined): readonly PayloadKey[] {
  if (typeof reference !== 'string') return [];
  const versions = reference.includes('@')
    ? [reference]
    : [...spot.project.index.versions(reference)].reverse().map((version) => `${reference}@${version}`);
  for (const id of versions) {
    const keys = payloadKeys(referredField(spot, id, 'input_keys'), referredField(spot, id, 'input_schema'));
    if (keys.length > 0) return keys;
  }
  return [];
}

/** Keys of the input of an agent in any of its versions, those of the newest first. */
export function keysOfVersions(spot: Spot, agent: string): readonly PayloadKey[] {
  const keys = new Map<string, PayloadKey>();
  for (const version of [...spot.project.index.versions(agent)].reverse()) {
    for (const key of referredKeys(spot, `${agent}@${version}`)) if (!keys.has(key.name)) keys.set(key.name, key);
  }
  return [...keys.values()];
}

/** The output schema of a task or step that conditions and templates of the same team or plan may name. */
export function outputSchemaOf(spot: Spot, name: string): Json | undefined {
  const plan = planAt(spot.path);
  if (plan !== undefined) {
    const step = listOf(spot.valueAt([...plan, 'steps'])).find((part) => isObject(part) && part.name === name);
    return isObject(step) ? referredField(spot, step.agent, 'output_schema') : undefined;
  }
  const team = teamAt(spot.path);
  const index =
    team === undefined ? -1 : listOf(spot.valueAt([...team, 'tasks'])).findIndex((task) => isObject(task) && task.name === name);
  return team === undefined || index < 0 ? undefined : taskField(spot, [...team, 'tasks', index], 'output_schema');
}

/**
 * Names of the tasks of the team, or the steps of the plan, that the cursor is in, without the one around the cursor and those without
 * output by then: later steps, and tasks whose output the input of a task does not wait for.
 */
export function partNames(spot: Spot): readonly string[] {
  const { path } = spot;
  const plan = planAt(path);
  const team = teamAt(path);
  const list = plan !== undefined ? [...plan, 'steps'] : team !== undefined ? [...team, 'tasks'] : undefined;
  if (list === undefined) return [];
  const parts = listOf(spot.valueAt(list)).map((part) =>
    isObject(part) && typeof part.name === 'string' ? { ...part, name: part.name } : nameless,
  );
  const isIn = list.every((segment, at) => path[at] === segment);
  const ownSegment = isIn ? path[list.length] : undefined;
  const field = path[list.length + 1];
  const seen = plan === undefined && field === 'input' ? tasksBefore(parts, ownSegment) : undefined;
  // Whether to repeat a step is decided after it has run.
  const last = plan === undefined || typeof ownSegment !== 'number' ? parts.length : field === 'repeat' ? ownSegment + 1 : ownSegment;
  return parts.flatMap(({ name }, index) => {
    const isSeen = seen?.has(name) ?? (plan !== undefined ? index < last : index !== ownSegment);
    return name !== '' && isSeen ? [name] : [];
  });
}

const nameless: JsonObject & { readonly name: string } = { name: '' };

/** Tasks that are certainly done before one begins; undefined if that is not known yet. */
function tasksBefore(
  parts: readonly (JsonObject & { readonly name: string })[],
  ownSegment: string | number | undefined,
): ReadonlySet<string> | undefined {
  const name = typeof ownSegment === 'number' ? parts[ownSegment]?.name : undefined;
  if (name === undefined || name === '') return undefined;
  const waiting = parts.flatMap(({ name: partName, depends_on }) =>
    partName === ''
      ? []
      : [
          {
            name: partName,
            depends_on: depends_on === undefined ? undefined : listOf(depends_on).filter((other) => typeof other === 'string'),
          },
        ],
  );
  return doneBefore(waitsOf(waiting)).get(name);
}

/** Path of the team around a path of an orchestration. */
export function teamAt(path: Path): Path | undefined {
  return path[0] === 'teams' && path.length > 2 ? path.slice(0, 2) : undefined;
}

/** Path of the plan around a path. */
export function planAt(path: Path): Path | undefined {
  const at = path.indexOf('execution_plan');
  return at < 0 ? undefined : path.slice(0, at + 1);
}

/** Path of the object that holds the fields of an agent, if `name` is one of those around the path; otherwise undefined. */
export function baseOf(path: Path, name: string): Path | undefined {
  const at = path.indexOf(name);
  return at < 0 ? undefined : path.slice(0, at);
}

function contractOf(root: Json) {
  return new OutputContract(isObject(root) ? root : {});
}

/** The fields that an object schema names. */
export function fieldsIn({ schema, root }: FieldPlace): readonly NamedField[] {
  const contract = contractOf(root);
  return namesIn(contract, schema).map((name) => {
    const child = childOf(contract, resolved(contract, schema), name);
    return { name, schema: child.schema, root, required: child.required };
  });
}

/** What a dotted path into an output leads to. */
export function fieldAt(schema: Json | undefined, dotted: string): FieldPlace | undefined {
  if (schema === undefined) return undefined;
  const contract = contractOf(schema);
  let current = schema;
  for (const segment of dotted.split('.')) {
    const child = childOf(contract, resolved(contract, current), segment);
    if (!child.declared || child.schema === false) return undefined;
    current = child.schema;
  }
  return { schema: resolved(contract, current), root: schema };
}

/** Every dotted path into an output, outer ones first; for a large schema, only the first few hundred. */
export function dottedPaths(schema: Json | undefined): readonly { readonly path: string; readonly place: FieldPlace }[] {
  const fields: { path: string; place: FieldPlace }[] = [];
  if (schema === undefined) return fields;
  const contract = contractOf(schema);
  let open: { path: string; place: FieldPlace }[] = [{ path: '', place: { schema, root: schema } }];
  for (let depth = 0; depth < 4 && open.length > 0 && fields.length < mostPaths; depth++) {
    const next: typeof open = [];
    for (const { path, place } of open) {
      for (const { name, schema: field } of fieldsIn(place)) {
        if (!/^[^.{}\s]+$/.test(name) || fields.length >= mostPaths) continue;
        const child = { path: path === '' ? name : `${path}.${name}`, place: { schema: resolved(contract, field), root: schema } };
        fields.push(child);
        next.push(child);
      }
    }
    open = next;
  }
  return fields;
}

const mostPaths = 400;

/** Values a field is chosen from, as JSON: its enum or const, that of its items, true and false of a boolean. */
export function valuesFor({ schema, root }: FieldPlace): readonly Json[] {
  if (!isObject(schema)) return [];
  if (schema.const !== undefined) return [schema.const];
  if (Array.isArray(schema.enum)) return schema.enum as readonly Json[];
  const choices = findChoices(contractOf(root), { schema, pointer: '' });
  if (choices !== undefined) return choices.values;
  return schema.type === 'boolean' ? [true, false] : [];
}

/** A field in a few words: its type and its first values. */
export function shortType({ schema }: FieldPlace): string {
  if (!isObject(schema)) return '';
  if (Array.isArray(schema.enum)) {
    const listed = schema.enum.slice(0, 4).map((value: Json) => (typeof value === 'string' ? value : JSON.stringify(value)));
    return listed.join(' | ') + (schema.enum.length > 4 ? ' | …' : '');
  }
  const type = Array.isArray(schema.type) ? schema.type.join(' | ') : typeof schema.type === 'string' ? schema.type : '';
  return type === 'array' && isObject(schema.items) ? `${shortType({ schema: schema.items, root: schema }) || 'any'}[]` : type;
}
