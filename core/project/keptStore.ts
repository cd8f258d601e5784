import { FileProblem } from '../ports.js';
import type { KeptFolders } from './adapters.js';

/** What the files of a run or an eval say of its end. */
export interface Standing {
  /** Why it is not over, as the rest of a sentence that begins with it; undefined where it is. */
  readonly unfinished?: string;
  /** Its process may hold no lock, so whether it still runs cannot be seen. */
  readonly isUnseen?: boolean;
}

/** Runs or evals. */
export interface KeptKind {
  /** The command whose `unlock` frees one. */
  readonly command: 'runs' | 'eval';
  /** All ids, newest first. @throws FileProblem */
  list(): Promise<readonly string[]>;
  /** Never throws for what its files say. */
  standing(id: string): Promise<Standing>;
}

/** What stands in the way of deleting one. */
export interface Obstacle {
  /** `held`: a process has it. `unseen`: whether it still runs cannot be seen. `unfinished`: it is not over. */
  readonly kind: 'held' | 'unseen' | 'unfinished';
  /** What is so, as the rest of a sentence that begins with it. */
  readonly words: string;
}

export interface PruneOptions {
  /** Only those last written to before this, in milliseconds since 1970. Default: regardless of age. */
  readonly before?: number | undefined;
  /** So many of the newest stay. */
  readonly keep: number;
  /** Also what is not over. What cannot be seen to have ended goes by its silence alone: only with `before`. */
  readonly unfinished: boolean;
  /** Deletes nothing. */
  readonly dryRun: boolean;
}

export interface Pruned {
  /** With `dryRun`, what would be. */
  readonly deleted: readonly string[];
  readonly kept: readonly (Obstacle & { readonly id: string })[];
}

/** What is kept of a project, to be cleared away. */
export interface KeptStore extends Pick<KeptFolders, 'tidy'> {
  /** @param unseen also one that cannot be seen to have ended @returns what stood in the way; undefined: it is gone @throws FileProblem */
  delete(id: string, unseen?: 'unseen'): Promise<Obstacle | undefined>;
  /** Deletes what is old and over. @throws FileProblem */
  prune(options: PruneOptions): Promise<Pruned>;
}

export function createKeptStore(kind: KeptKind, folders: KeptFolders): KeptStore {
  function heldBy(id: string, holder: ReturnType<KeptFolders['holderOf']>): Obstacle | undefined {
    if (holder === undefined) return undefined;
    const { held_by, is_seen } = holder;
    const words = is_seen
      ? `is still running (${held_by})`
      : `belongs to ${held_by}, which cannot be seen from here; if that is surely gone, free it with \`npx agent-stack ${kind.command} unlock ${id}\``;
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
          // Another process was quicker, and it is gone.
          if (!(error instanceof FileProblem && error.reason === 'not-found')) throw error;
        }
      }
      return { deleted, kept };
    },
  };
}
