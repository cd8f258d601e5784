import type { JsonObject } from '../json.js';
import type { FileSystem, KnownSecrets } from '../ports.js';
import type { OrchestrationStore } from '../team/types.js';
import { createRunFolder, type RunFolder } from './runFolder.js';

/** Keeps a run of an orchestration in its folder, and none of its steps: it cannot go on in another process. */
export function createOrchestrationFolder(files: FileSystem, knownSecrets?: KnownSecrets): OrchestrationStore {
  let folder: RunFolder | undefined;
  const begun = (): RunFolder => {
    if (!folder) throw new Error('A run was kept before it began.');
    return folder;
  };
  return {
    begin({ run_id, snapshot, context, input }) {
      folder = createRunFolder(files, run_id, { knownSecrets });
      // Plain JSON; its type says more than `JsonObject` can.
      return folder.begin(snapshot, { context: context as unknown as JsonObject, input });
    },
    snapshot: (snapshot) => begun().snapshot(snapshot),
    event: (event) => begun().event(event),
    end: (result) => begun().end(result),
  };
}
