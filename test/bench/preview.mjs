// From a key to the paint of what it changed: the preview against an empty webview that shows the line typed into, in one workbench, in turns.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { valueRow } from './report.mjs';
import { loadWorkbench } from './workbench.mjs';

const root = join(import.meta.dirname, '../..');
const file = 'config/agents/A2/v1.json';
/** Typed letter by letter; what follows it counts how many have arrived. */
const mark = 'Zq';
const rounds = 4;
const keys = 50;
const warmUp = 10;

export async function run() {
  const workbench = await loadWorkbench();
  const { openFile, runCommand, webview } = workbench;
  const editor = await workbench.openEditor({}, [await packEcho()]);
  const times = { preview: [], echo: [] };
  try {
    const page = await editor.open();
    await page.evaluate(stampKeys);
    await openFile(page, file);
    await runCommand(page, 'Echo: Open');
    await webview(page, 'Echo');
    await openFile(page, file);
    await runCommand(page, 'Agent Stack: Preview Prompt');
    await webview(page, /Preview/);
    for (let round = 0; round < rounds; round++) {
      for (const [name, title] of Object.entries({ echo: 'Echo', preview: /Preview/ })) {
        const measured = await typeAndMeasure(page, workbench, title);
        times[name].push(...measured.slice(warmUp));
      }
    }
  } finally {
    await editor.close();
  }
  const [p50, p95] = [0.5, 0.95].map((at) => ({ preview: percentile(times.preview, at), echo: percentile(times.echo, at) }));
  return {
    title: 'Prompt preview',
    rows: [
      { ...valueRow('key to paint, p50', p50.preview, 'ms', {}), peer: `${p50.echo.toFixed(1)} ms` },
      {
        ...valueRow('key to paint, p95', p95.preview, 'ms', { atMost: Number((p95.echo + 15).toFixed(1)) }),
        peer: `${p95.echo.toFixed(1)} ms`,
      },
    ],
    notes: [
      `The peer is an empty webview that shows the line typed into, in the same workbench, measured in turns (${rounds} rounds of ${keys - warmUp} keys each); the target is its p95 plus 15 ms.`,
    ],
  };
}

/** Shows the webview, types into the prompt and answers the ms from each key to its paint. */
async function typeAndMeasure(page, { focusEditor, selectText, typeInEditor, revert, webview }, title) {
  await page.locator('.tab', { hasText: title }).first().click();
  const frame = await webview(page, title);
  await focusEditor(page);
  await selectText(page, 'You never answer a request yourself.');
  await typeInEditor(page, mark);
  await frame.evaluate(watchMark, mark);
  await frame.locator('body', { hasText: mark }).waitFor();
  const measured = [];
  for (let index = 1; index <= keys; index++) {
    await page.evaluate('window.agentStackKey = undefined');
    await page.keyboard.press('x');
    const painted = await frame.evaluate((count) => window.agentStackPainted(count), index);
    measured.push(painted - (await page.evaluate('window.agentStackKey')));
    // Keys that keep step with the frames of the screen would all fall into the same moment of one.
    await page.waitForTimeout(30 + ((index * 7) % 23));
  }
  await revert(page);
  return measured;
}

/** In the workbench: when a key came in, on the clock that all frames of a page share. */
function stampKeys() {
  const stamp = ({ key, timeStamp }) => {
    if (key === 'x') window.agentStackKey ??= performance.timeOrigin + timeStamp;
  };
  window.addEventListener('keydown', stamp, true);
}

/** In the webview: `agentStackPainted(n)` answers when the n-th letter after the mark was painted. */
function watchMark(mark) {
  const pattern = new RegExp(`${mark}(x*)`);
  const paints = [];
  const waiting = [];
  window.agentStackPainted = (count) =>
    new Promise((resolve) => {
      if (paints[count] !== undefined) resolve(paints[count]);
      else waiting[count] = resolve;
    });
  new MutationObserver(() => {
    const count = pattern.exec(document.body.textContent)?.[1].length;
    if (count === undefined || paints[count] !== undefined) return;
    // The first task after the next frame: that frame is on the screen by then.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        paints[count] ??= performance.timeOrigin + performance.now();
        waiting[count]?.(paints[count]);
      };
      port2.postMessage(undefined);
    });
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}

async function packEcho() {
  const folder = join(root, '.vscode-test/bench/echo');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(import.meta.dirname, 'echoExtension'), folder, { recursive: true });
  const packagePath = join(root, '.vscode-test/bench/echo.vsix');
  await createVSIX({ cwd: folder, packagePath, dependencies: false, allowMissingRepository: true, skipLicense: true });
  return packagePath;
}

function percentile(values, at) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(at * sorted.length))];
}
