import { isObject, type Json, listOf, pointerOf } from '../../json.js';
import { didYouMean, nearestAmong, nearestNames, suggest } from '../../names.js';
import { listed, quoted } from '../../words.js';
import { oncePerInventory } from '../facts.js';
import type { ToolFile, ToolRule } from '../toolFiles.js';
import type { OtherTool } from '../types.js';
import { textField } from '../values.js';
import {
  components,
  componentsIn,
  isKnownVersion,
  isSpec,
  missingIn,
  objectsIn,
  type Part,
  placeholder,
  wrongValuesIn,
} from './components.js';
import { importer } from './importer.js';

const deserializer = {
  address: 'https://github.com/oracle/agent-spec/blob/main/pyagentspec/src/pyagentspec/serialization/deserializer.py',
  date: '2026-11-27',
};

const schema = {
  address: 'https://github.com/oracle/agent-spec/tree/main/docs/pyagentspec/source/agentspec/json_spec',
  date: '2026-11-27',
};

const incomplete: ToolRule = {
  code: 'agent-spec/incomplete',
  tool: 'agent-spec',
  severity: 'error',
  source: schema,
  check(file, _inventory, report) {
    for (const fault of isKnownVersion(file.source.value) ? componentsIn(file.source.value).flatMap(missingIn) : []) report(fault);
  },
};

const wrongValue: ToolRule = {
  code: 'agent-spec/wrong-value',
  tool: 'agent-spec',
  severity: 'error',
  source: schema,
  check(file, _inventory, report) {
    for (const fault of isKnownVersion(file.source.value) ? componentsIn(file.source.value).flatMap(wrongValuesIn) : []) report(fault);
  },
};

const nearestTypes = nearestAmong(components.keys());

const unknownName: ToolRule = {
  code: 'agent-spec/unknown-name',
  tool: 'agent-spec',
  severity: 'warning',
  source: schema,
  check(file, _inventory, report) {
    for (const { type, value, pointer } of componentsIn(file.source.value)) {
      const known = components.get(type);
      // Plug-ins add components, and newer versions fields.
      const nearType = known === undefined ? nearestTypes(type, 1) : [];
      if (nearType.length > 0)
        report({
          pointer: `${pointer}/component_type`,
          message: `Agent Spec has no component ${quoted(type)}, and refuses the file unless a plug-in adds it.${didYouMean(nearType)}`,
        });
      for (const key of known === undefined ? [] : Object.keys(value)) {
        const near = known?.all.includes(key) ? [] : nearestNames(key, known?.all ?? [], 1);
        // A field that is there is not meant by another one.
        if (near.length > 0 && near.every((name) => value[name] === undefined))
          report({
            pointer: pointer + pointerOf(key),
            target: 'key',
            message: `Agent Spec knows no field ${quoted(key)} of ${type}, and ignores it.${didYouMean(near)}`,
          });
      }
    }
  },
};

/** The components that a file defines for references, by id. */
function referencedIn(value: Json): ReadonlyMap<string, Json> {
  return new Map(
    [...objectsIn(value)].flatMap(({ value: { $referenced_components } }) =>
      isObject($referenced_components) ? Object.entries($referenced_components) : [],
    ),
  );
}

function referencesIn(value: Json): readonly (Part & { readonly id: string })[] {
  return [...objectsIn(value)].flatMap((part) => {
    const id = textField(part.value, '$component_ref');
    return id === undefined ? [] : [{ ...part, id }];
  });
}

/** The ids that any file defines: a program may load one after the other. */
const idsIn = oncePerInventory(
  ({ files }) =>
    new Set(
      files.filter(({ tool }) => tool === 'agent-spec').flatMap(({ source }) => (source ? [...referencedIn(source.value).keys()] : [])),
    ),
);

const referenceMissing: ToolRule = {
  code: 'agent-spec/reference-missing',
  tool: 'agent-spec',
  severity: 'warning',
  source: deserializer,
  check(file, inventory, report) {
    const own = referencedIn(file.source.value);
    for (const { id, pointer } of referencesIn(file.source.value)) {
      // A secret is left out of a file as a reference to the component's own field.
      const isSecret = id.endsWith(`.${pointer.slice(pointer.lastIndexOf('/') + 1)}`);
      if (isSecret || own.has(id) || idsIn(inventory).has(id)) continue;
      report({
        pointer: `${pointer}/$component_ref`,
        message: `No file here defines ${quoted(id)} in "$referenced_components": this one loads only where the program gives a registry that has it.${suggest(nearestNames(id, own.keys(), 1))}`,
      });
    }
  },
};

const referenceCircular: ToolRule = {
  code: 'agent-spec/reference-circular',
  tool: 'agent-spec',
  severity: 'error',
  source: deserializer,
  check(file, _inventory, report) {
    const defined = referencedIn(file.source.value);
    const after = new Map([...defined].map(([id, value]) => [id, new Set(referencesIn(value).map((reference) => reference.id))]));
    const states = new Map<string, 'open' | 'done'>();
    const circular = new Set<string>();
    const visit = (id: string) => {
      states.set(id, 'open');
      for (const next of after.get(id) ?? []) {
        if (states.get(next) === 'open') circular.add(next);
        else if (!states.has(next)) visit(next);
      }
      states.set(id, 'done');
    };
    for (const id of after.keys()) if (!states.has(id)) visit(id);
    for (const { value, pointer } of objectsIn(file.source.value))
      for (const id of isObject(value.$referenced_components) ? Object.keys(value.$referenced_components) : [])
        if (circular.has(id))
          report({
            pointer: pointer + pointerOf('$referenced_components', id),
            target: 'key',
            message: `Agent Spec refuses this file: the references of ${quoted(id)} lead back to it. Take one of them out.`,
          });
  },
};

/** The texts whose placeholders are the inputs of a component. */
const templates: Readonly<Record<string, string>> = { Agent: 'system_prompt', LlmNode: 'prompt_template', OutputMessageNode: 'message' };

const inputsDiffer: ToolRule = {
  code: 'agent-spec/inputs-differ',
  tool: 'agent-spec',
  severity: 'error',
  source: { address: 'https://github.com/oracle/agent-spec/blob/main/pyagentspec/src/pyagentspec/component.py', date: '2026-11-27' },
  check(file, _inventory, report) {
    for (const { type, value, pointer } of isKnownVersion(file.source.value) ? componentsIn(file.source.value) : []) {
      const field = Object.hasOwn(templates, type) ? templates[type] : undefined;
      const text = field === undefined ? undefined : value[field];
      const titles = listOf(value.inputs).map((input) => textField(input, 'title'));
      if (typeof text !== 'string' || !Array.isArray(value.inputs) || titles.includes(undefined)) continue;
      const named = [...new Set([...text.matchAll(placeholder)].map(([, name = '']) => name))];
      const missing = named.filter((name) => !titles.includes(name));
      const unused = titles.filter((title) => title !== undefined && !named.includes(title)).map(String);
      if (missing.length > 0)
        report({
          pointer: `${pointer}/inputs`,
          target: 'key',
          message: `Agent Spec refuses this ${type}: its inputs lack ${listed(missing)}, which ${field} fills in. Add the input, or leave "inputs" out.`,
        });
      if (unused.length > 0)
        report({
          pointer: `${pointer}/inputs`,
          target: 'key',
          message: `Agent Spec refuses this ${type}: ${field} fills in no ${listed(unused)}. Remove the input, or name it as {{${unused[0]}}}.`,
        });
    }
  },
};

/** Open Agent Specification: agents and flows as JSON or YAML, anywhere; found by the name of the file, or of a folder around. */
export const agentSpec: OtherTool = {
  id: 'agent-spec',
  files: ['json', 'yaml', 'yml'].flatMap((ending) =>
    [`*agent*spec*.${ending}`, `*agent*spec*/**/*.${ending}`].map((place) => ({
      place,
      words: ['Agent Spec file', 'Agent Spec files'],
      isOwn: ({ source }: ToolFile) => source !== undefined && isSpec(source.value),
    })),
  ),
  importer,
  rules: [incomplete, wrongValue, unknownName, referenceMissing, referenceCircular, inputsDiffer],
};
