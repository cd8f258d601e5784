import { isObject, type Json, pointerOf } from '../../core/json.js';
import { findSetting, layersOf } from '../../core/rules/facts/layers.js';
import type { Origin } from '../../core/snapshot/effective.js';
import type { FileView } from '../names/fileView.js';
import { shownValue } from './fieldWords.js';
import { type Block, line, type Part } from './hoverText.js';

/** Fields whose effective value is too long for a hover. */
const wholeFields = ['output_schema', 'input_schema', 'enums', 'defaults', 'execution_plan', 'agent_name', 'version', 'description'];

/**
 * The effective value of a field of an agent file and the layer it comes from, if it differs from the file. Placeholders are
 * shown as they are written, because values of variables may be secret.
 */
export function effectiveWords({ file, value, project }: FileView, field: string): readonly Block[] {
  if (file.identity.kind !== 'agent' || wholeFields.includes(field)) return [];
  const context = project.ruleContext;
  const stack = layersOf(file, context);
  const writtenValue = value[field];
  if (stack === undefined) return [];
  const [lowest, ...others] = stack.fragments;
  const lower = { fragments: [lowest, ...others.slice(0, -1)] as const };
  const below = findSetting(lower, field);
  const inherited = findSetting(stack, field);
  if (writtenValue === null)
    return inherited === undefined
      ? []
      : [line('Effective: ', { code: shownValue(inherited.value) }, ...whence(inherited.fragment.file, inherited.fragment.layer))];
  if (writtenValue === undefined || below === undefined || isEqual(below.value, writtenValue)) return [];
  const isMerged = isObject(writtenValue) && isObject(below.value);
  return [
    line(isMerged ? 'Overrides ' : 'Overrides ', { code: shownValue(below.value) }, ...whence(below.fragment.file, below.fragment.layer)),
  ];
}

function isEqual(left: Json, right: Json): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function whence(file: string | null, layer: Origin['layer']): readonly Part[] {
  return file === null ? [', the built-in default'] : [' from ', { code: file }, ` (${layer})`];
}

/** The connection an agent runs with, and the layer of each part, for the hover on its name. */
export function runsWith(view: FileView): readonly Block[] {
  const { file, project } = view;
  if (file.identity.kind !== 'agent' || !isObject(file.value)) return [];
  const { origins, config } = project.ruleContext.effective(file);
  const parts = (['model_name', 'provider', 'temperature', 'persona_key'] as const).flatMap((field): Part[] => {
    const origin = origins.get(pointerOf(field));
    const value = config[field];
    if (origin === undefined || value === undefined) return [];
    return [{ code: field }, ' ', { code: isPlain(origin, view) ? shownValue(value) : '${…}' }, ...whence(origin.file, origin.layer), '. '];
  });
  return parts.length === 0 ? [] : [line(...parts)];
}

/** Whether a value is written without variables. */
function isPlain({ file, pointer }: Origin, { project, file: viewedFile, value }: FileView): boolean {
  if (file === null) return true;
  const written = file === viewedFile.path ? value : project.documentAt(file)?.config?.value;
  let at: Json | undefined = written;
  for (const segment of pointer.slice(1).split('/')) at = isObject(at) && Object.hasOwn(at, segment) ? at[segment] : undefined;
  return typeof at !== 'string' || !at.includes('${');
}
