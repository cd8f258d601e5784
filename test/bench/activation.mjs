// How long the extension host is busy activating the extension, by the host's own times, and what is loaded meanwhile.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, ratioRow, valueRow } from './report.mjs';
import { loadWorkbench } from './workbench.mjs';

const root = join(import.meta.dirname, '../..');
const windows = 9;
const peerName = 'JSON Language Features';

export async function run() {
  const { openEditor, openFile, runCommand } = await loadWorkbench();
  const times = { ours: [], peer: [] };
  const editor = await openEditor({ files: { 'plain.json': '{}\n' } });
  try {
    // Each window starts an extension host of its own.
    for (let round = 0; round <= windows; round++) {
      // Tall enough for the whole list: what activates fastest is last, and rows below the window are not drawn.
      const page = await editor.open({ height: 2_400 });
      await openFile(page, 'config/agents/A2/v1.json');
      // A file of the peer's, so that both are active.
      await openFile(page, 'plain.json');
      await runCommand(page, 'Developer: Show Running Extensions');
      const [ours, peer] = await Promise.all(['Agent Stack', peerName].map((name) => activationTime(page, name)));
      // The first window of a server fills the caches of the disk.
      if (round > 0) {
        times.ours.push(ours);
        times.peer.push(peer);
      }
      await page.context().close();
    }
  } finally {
    await editor.close();
  }
  const loaded = loadedAtActivation();
  const bytes = loaded.filter(({ size }) => size !== undefined).reduce((sum, { size }) => sum + size, 0);
  return {
    title: 'Activation of the extension',
    rows: [
      valueRow(`load and \`activate\`, median of ${windows} windows`, median(times.ours), 'ms', { atMost: 50 }),
      valueRow('the slowest of them', Math.max(...times.ours), 'ms', {}),
      ratioRow(`Agent Stack / ${peerName} (VS Code's own), ms`, median(times.ours), median(times.peer), {}),
      valueRow('code loaded by then', bytes / 1024, 'KiB', {}),
    ],
    notes: [
      `Loaded when \`activate\` returns: ${loaded.map(({ name, size }) => (size === undefined ? name : `${name} (${(size / 1024).toFixed(1)} KiB)`)).join(', ')}.`,
    ],
  };
}

/** What Developer: Show Running Extensions says, in ms: loading the code and the call of `activate`. */
async function activationTime(page, name) {
  const row = page.locator('.runtime-extensions-editor .monaco-list-row', {
    has: page.locator('.name', { hasText: new RegExp(`^${name}$`) }),
  });
  const text = await row.locator('.activation-time', { hasText: /\d+ms/ }).innerText();
  return Number(/(\d+)ms/.exec(text)[1]);
}

/** Modules that are required until `activate` has returned: files of the bundle, and what of Node. */
function loadedAtActivation() {
  const file = join(root, 'dist/client.cjs');
  if (!existsSync(file)) throw new Error('dist/client.cjs is missing: build first');
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(import.meta.dirname, 'activationModules.cjs'), file], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout).map((name) => (name.startsWith('dist/') ? { name, size: readFileSync(join(root, name)).length } : { name }));
}
