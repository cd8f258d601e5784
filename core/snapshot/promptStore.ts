import type { ProjectIndex } from '../config/projectIndex.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { unknownReference } from './collectFragments.js';
import type { LayerProblem, Origin } from './effective.js';
import { type Fragment, originIn, type Path } from './layering.js';
import { type LayerFile, readLayer } from './projectReader.js';

/** The prompt-store file an effective agent uses, and the fragment that chose it. */
export interface ChosenPrompt {
  readonly file: LayerFile;
  readonly template: Json | undefined;
  readonly few_shot_examples: Json | undefined;
  readonly layer: Origin['layer'];
}

/**
 * The prompt named by an agent's effective `prompts`: `system_prompt` (`name@version`), or `system_prompt_version` of the prompt that
 * has the agent's name. If the layers give both, the higher layer wins, and within one fragment `system_prompt` wins.
 */
export function choosePrompt(
  prompts: JsonObject,
  agentName: string,
  fragments: readonly Fragment[],
  giver: (path: Path) => Fragment,
  project: ProjectIndex,
  report: (problem: LayerProblem) => void,
): ChosenPrompt | undefined {
  const { system_prompt: whole, system_prompt_version: version, few_shot_examples: wantsExamples } = prompts;
  const named = [
    { id: whole, part: 'system_prompt' },
    { id: typeof version === 'string' ? `${agentName}@${version}` : undefined, part: 'system_prompt_version' },
  ].flatMap(({ id, part }) => {
    const path = ['prompts', part];
    return typeof id === 'string' ? [{ id, path, fragment: giver(path) }] : [];
  });
  const [first, second] = named;
  if (first === undefined) return undefined;
  const chosen = second && fragments.indexOf(second.fragment) > fragments.indexOf(first.fragment) ? second : first;
  // An unset variable in the name has already been reported, and its value is unknown.
  if (chosen.id.includes('${')) return undefined;

  const file = readLayer(project, 'prompt', chosen.id, report);
  if (file === undefined) {
    const prompts = project.ids('prompt');
    if (!prompts.has(chosen.id))
      report(unknownReference('unknown-prompt', 'prompt', chosen.id, originIn(chosen.fragment, chosen.path), prompts.keys()));
    return undefined;
  }
  const { template, few_shot_examples: examples } = file.value;
  return {
    file,
    template: typeof template === 'string' ? template : undefined,
    few_shot_examples: wantsExamples !== false && isExamples(examples) ? examples : undefined,
    layer: chosen.fragment.layer,
  };
}

function isExamples(value: Json | undefined): value is readonly JsonObject[] {
  return (
    Array.isArray(value) &&
    value.every((example) => isObject(example) && Object.hasOwn(example, 'input') && Object.hasOwn(example, 'output'))
  );
}
