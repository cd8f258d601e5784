import { loadPatterns } from '../routing/patterns.js';
import { loadSchemaCompiler } from '../schema/schemaCompiler.js';
import { snapshotDiff } from '../snapshot/snapshotDiff.js';
import { isSameBehaviour } from './behaviour.js';
import { type ComparedSide, emptySide } from './comparedSide.js';
import { compareContract } from './contract.js';
import type { ContractFacts } from './contractFacts.js';
import { type CostOptions, compareCosts } from './costs.js';
import { compareFlows } from './flows.js';
import { comparePermissions, type PermissionOptions } from './permissions.js';
import { comparePrompts } from './prompts.js';
import { reachedPart } from './reachedPart.js';
import { withNewNames } from './renames.js';
import { compareRoutes } from './routes.js';
import type { ChangeCause, SubjectDiff } from './types.js';

type Parts = Pick<SubjectDiff, 'causes' | 'prompts' | 'costs' | 'contract' | 'permissions' | 'routes'>;

/** Pointers of a cause that are listed. */
const mostPointers = 20;

export interface SideOptions extends Omit<CostOptions, 'prover'>, PermissionOptions {
  /** What reads contracts in the project after the change; without it only readers in the snapshots are found. */
  readonly facts?: ContractFacts;
}

/**
 * All that differs between two frozen configs of one subject. Where only one side has it, only what it may do and cost is compared, with nothing; a
 * side without a config that can run is compared with nothing else. Without causes, both sides do the same and are only written differently.
 */
export async function compareSides(
  before: ComparedSide | undefined,
  after: ComparedSide | undefined,
  options: SideOptions = {},
): Promise<Parts> {
  const [written, current] = [before ?? (after && emptySide('before', after)), after ?? (before && emptySide('after', before))];
  const nothing: Parts = { causes: [], prompts: [], costs: null, contract: [], permissions: [], routes: [] };
  if (written === undefined || current === undefined) return nothing;
  const old = withNewNames(written, current);
  const prover = { schemas: await loadSchemaCompiler(), patterns: await loadPatterns() };
  const costs = await compareCosts(old, current, { ...options, prover });
  const [left, right] = [reachedPart(old, prover), reachedPart(current, prover)];
  const parts = { ...nothing, costs, permissions: [...comparePermissions(left, right, options), ...compareFlows(left, right, prover)] };
  if (before === undefined || after === undefined) return parts;
  const all: Parts = {
    ...parts,
    prompts: await comparePrompts(left, right),
    contract: compareContract(left, right, options.facts),
    routes: compareRoutes(old, current, prover),
  };
  const isDescribed = options.exposed === undefined || options.exposed.after === true;
  return !isDifferent(all) && isSameBehaviour(left, right, isDescribed) ? all : { ...all, causes: causesOf(old, current) };
}

export function isDifferent({ causes, prompts, costs, contract, permissions, routes }: Parts): boolean {
  return costs !== null || [causes, prompts, contract, permissions, routes].some(({ length }) => length > 0);
}

function causesOf(before: ComparedSide, after: ComparedSide): readonly ChangeCause[] {
  // Two environments are compared on purpose: what that changes has other causes.
  const groups = snapshotDiff(before, after).map((group) => ({
    ...group,
    changes: group.changes.filter(({ pointer }) => pointer !== '/environment'),
  }));
  const caused = groups.filter(({ changes }) => changes.length > 0);
  return caused.map(({ file, layer, cause, changes }) => ({
    file,
    layer,
    cause,
    pointers: changes.slice(0, mostPointers).map(({ pointer }) => pointer),
    count: changes.length,
  }));
}
