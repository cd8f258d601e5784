import { orchestrationDefaults } from '../config/defaults.js';
import { isObject, type JsonObject } from '../json.js';
import type { Origin } from './effective.js';
import { limitTable } from './fields.js';
import { type Fragment, layerFragments, originIn } from './layering.js';
import type { LayerFile } from './projectReader.js';

export interface OrchestrationLimits {
  readonly enabled: boolean;
  readonly max_total_teams: number;
  readonly max_recursion_depth: number;
  originOf(field: 'enabled' | 'max_total_teams' | 'max_recursion_depth'): Origin;
}

/** The layered fields of an orchestration: everything else comes from its own file. */
export interface LimitLayers {
  readonly system: LayerFile | undefined;
  readonly environment: LayerFile | undefined;
  readonly orchestration: LayerFile;
}

/** The limits of an orchestration: built-in defaults, `orchestration` of system.json and of the environment, and the orchestration itself. */
export function orchestrationLimits({ system, environment, orchestration }: LimitLayers): OrchestrationLimits {
  const removed = environment?.value.orchestration === null;
  const { max_total_teams, max_recursion_depth } = orchestration.value;
  const ownLimits: JsonObject = {
    ...(max_total_teams !== undefined && { max_total_teams }),
    ...(max_recursion_depth !== undefined && { max_recursion_depth }),
  };
  const layered = layerFragments(
    [
      { layer: 'default', file: null, pointer: '', kind: 'default', value: orchestrationDefaults },
      ...sectionOf('system', removed ? undefined : system),
      ...sectionOf('environment', environment),
      { layer: 'orchestration', file: orchestration.path, pointer: '', kind: 'agent', value: ownLimits },
    ],
    limitTable,
  );
  const number = (field: 'max_total_teams' | 'max_recursion_depth') => Number(layered.values.get(field));
  return {
    enabled: layered.values.get('enabled') !== false,
    max_total_teams: number('max_total_teams'),
    max_recursion_depth: number('max_recursion_depth'),
    originOf: (field) => originIn(layered.giver([field]), [field]),
  };
}

function sectionOf(layer: 'system' | 'environment', file: LayerFile | undefined): readonly Fragment[] {
  const section = file?.value.orchestration;
  return file && isObject(section) ? [{ layer, file: file.path, pointer: '/orchestration', kind: 'agent', value: section }] : [];
}
