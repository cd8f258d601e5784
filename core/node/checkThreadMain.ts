// The first file of a thread that helps `checkProject`: checks agents until none is left, and sends what it found.
import { parentPort, workerData } from 'node:worker_threads';
import { foldersOf, type SharedFolders } from '../check/sharedFolders.js';
import type { ThreadData } from './checkThread.js';
import { tuneForFiles } from './tuneForFiles.js';

const { root, maxCost } = workerData as ThreadData;
const modules = Promise.all([import('../check/checkShare.js'), import('./nodeFiles.js'), import('./nodePorts.js')]);
// For the whole process, whose other thread has left it to this one. Only now: V8 takes compiled code as it is when its flags are as they were.
void modules.then(tuneForFiles, () => undefined);

parentPort?.once('message', async (shared: SharedFolders) => {
  const [{ checkPart }, { createNodeFiles }, { createNodeEnvironment }] = await modules;
  const files = createNodeFiles(root, foldersOf(shared));
  parentPort?.postMessage(await checkPart({ files, variables: createNodeEnvironment(), maxCost }, shared));
});
