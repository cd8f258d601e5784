import type { SubjectTool } from './subject.js';

export const filesStore = 'files';
export const sessionStore = 'sessions';

interface StoreLink {
  readonly store: string;
  /** False where it depends on labels that nobody has given. */
  readonly isSure: boolean;
}

/**
 * What a tool may write and read that outlasts its run: the data of its server, and the files of the project. What it only sends comes back from
 * tools that read private data: a sent mail does, a search does not.
 */
export function storesOf({ origin, labels, open, servers = [] }: SubjectTool): {
  readonly writes: readonly StoreLink[];
  readonly reads: readonly StoreLink[];
} {
  const { has, reads, files, source } = labels;
  const { changes, sends, runs_code } = has;
  const isOpenServer = open === undefined || open === 'unlisted';
  const owns = origin.type === 'mcp' && !files && isOpenServer ? [origin.client_id] : [];
  const isReading = anyOf(reads && reads !== 'nothing', has.untrusted, runs_code);
  const isReadingPrivate = anyOf(has.private, runs_code);
  // Its server claims that it leaves everything as it is.
  const isReadOnly = source === 'claims' && changes === false;
  const isChanging = isReadOnly ? false : anyOf(changes, runs_code);
  const usesFiles = files || runs_code;
  const both = (left: boolean | undefined, right: boolean | undefined) => (left === false || right === false ? false : left && right);
  return {
    writes: [
      ...owns.flatMap((id) => [...link(`server ${id}`, isChanging), ...link(`sent ${id}`, isReadOnly ? false : sends)]),
      ...link(filesStore, both(usesFiles, isChanging)),
    ],
    reads: [
      ...owns.flatMap((id) => [...link(`server ${id}`, isReading), ...link(`sent ${id}`, isReadingPrivate)]),
      ...servers.flatMap((id) => link(`server ${id}`, true)),
      ...link(filesStore, both(usesFiles, isReading)),
    ],
  };
}

function link(store: string, is: boolean | undefined): readonly StoreLink[] {
  return is === false ? [] : [{ store, isSure: is === true }];
}

function anyOf(...parts: readonly (boolean | undefined)[]): boolean | undefined {
  if (parts.includes(true)) return true;
  return parts.includes(undefined) ? undefined : false;
}
