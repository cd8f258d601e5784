import { FileProblem } from '../ports.js';
import type { KeptFolders } from './adapters.js';

/** Whether a run or an eval has ended, by its files. */
export interface Standing {
  /** Why it has not ended, as the predicate of a sentence about it; undefined if it has ended. */
  readonly unfinished?: string;
  /** Its process may hold no lock, so it may still be running. */
  readonly isUnseen?: boolean;
}

/** Runs or evals. */
export interface KeptKind {
  /** The command whose `unlock` frees one. */
  readonly command: 'runs' | 'eval';
  /** All ids, newest first. @throws FileProblem */
  list(): Promise<readonly string[]>;
  /** Never throws for malformed files. */
  standing(id: string): Promise<Standing>;
}

/** Why one cannot be deleted. */
export interface Obstacle {
  /** `held`: a process holds it. `unseen`: it may still be running. `unfinished`: it has not ended. */
  readonly kind: 'held' | 'unseen' | 'unfinished';
  /** The predicate of a sentence about it. */
  readonly words: string;
}

export interface PruneOptions {
  /** Only those last written before this, in milliseconds since 1970. Default: regardless of age. */
  readonly before?: number | undefined;
  /** How many of the newest are kept. */
  readonly keep: number;
  /** Also unfinished ones. One that may still be running is judged by its age alone: only with `before`. */
  readonly unfinished: boolean;
  /** Deletes nothing. */
  readonly dryRun: boolean;
}

export interface Pruned {
  /** With `dryRun`, what would be deleted. */
  readonly deleted: readonly string[];
  readonly kept: readonly (Obstacle & { readonly id: string })[];
}

/** Kept runs or evals of a project, for deleting. */
export interface KeptStore extends Pick<KeptFolders, 'tidy'> {
  /** @param unseen also one that may still be running @returns the obstacle; undefined: it was deleted @throws FileProblem */
  delete(id: string, unseen?: 'unseen'): Promise<Obstacle | undefined>;
  /** Deletes old ones that have ended. @throws FileProblem */
  prune(options: PruneOptions): Promise<Pruned>;
}

export function createKeptStore(kind: KeptKind, folders: KeptFolders): KeptStore {
  function heldBy(id: string, holder: ReturnType<KeptFolders['holderOf']>): Obstacle | undefined {
    if (holder === undefined) return undefined;
    const { held_by, is_seen } = holder;
    const words = is_seen
      ? `is still running (${held_by})`
      : `belongs to ${held_by}, which cannot be seen from here; if that is certainly gone, free it with \`npx agent-stack ${kind.command} unlock ${id}\``;
    return { kind: 'held', words };
  }

  function obstacleOf(id: string, { isUnseen }: Standing): Obstacle | undefined {
    const held = heldBy(id, folders.holderOf(id));
    return held ?? (isUnseen ? { kind: 'unseen', words: 'has no end, and whether it still runs cannot be seen' } : undefined);
  }

  async function pruneOne(id: string, { before, unfinished, dryRun }: PruneOptions): Promise<Obstacle | 'deleted' | 'too new'> {
    const written = folders.lastWritten(id);
    if (before !== undefined && written >= before) return 'too new';
    const standing = await kind.standing(id);
    const obstacle = obstacleOf(id, standing);
    if (obstacle?.kind === 'held') return obstacle;
    if (standing.unfinished !== undefined && !unfinished) return { kind: 'unfinished', words: standing.unfinished };
    if (obstacle !== undefined && before === undefined) return obstacle;
    return (dryRun ? undefined : heldBy(id, folders.delete(id))) ?? 'deleted';
  }

  return {
    tidy: () => folders.tidy(),

    async delete(id, unseen) {
      const obstacle = obstacleOf(id, await kind.standing(id));
      return obstacle && obstacle.kind !== unseen ? obstacle : heldBy(id, folders.delete(id));
    },

    async prune(options) {
      if (!options.dryRun) folders.tidy();
      const deleted: string[] = [];
      const kept: Pruned['kept'][number][] = [];
      for (const id of (await kind.list()).slice(options.keep)) {
        try {
          const outcome = await pruneOne(id, options);
          if (outcome === 'deleted') deleted.push(id);
          else if (outcome !== 'too new') kept.push({ id, ...outcome });
        } catch (error) {
          // Another process has already deleted it.
          if (!(error instanceof FileProblem && error.reason === 'not-found')) throw error;
        }
      }
      return { deleted, kept };
    },
  };
}
