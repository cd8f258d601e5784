// The first file of a thread that helps `checkProject`: checks files until none is left, and sends what it found.
import { parentPort, workerData } from 'node:worker_threads';
import type { SharedFiles } from '../rules/sharedFiles.js';
import type { ThreadData } from './checkThread.js';
import { tuneForFiles } from './tuneForFiles.js';

// For the whole process, whose other thread has left it to this one.
tuneForFiles();

const { root, maxCost } = workerData as ThreadData;
const modules = Promise.all([import('../rules/checkShare.js'), import('./nodeFiles.js'), import('./nodePorts.js')]);

parentPort?.once('message', async (shared: SharedFiles) => {
  const [{ checkPart }, { createNodeFiles }, { createNodeEnvironment }] = await modules;
  const folders = new Set(shared.paths.split('\n').map((path) => path.slice(0, path.lastIndexOf('/'))));
  const part = await checkPart({ files: createNodeFiles(root, folders), variables: createNodeEnvironment(), maxCost }, shared);
  parentPort?.postMessage(part);
});
