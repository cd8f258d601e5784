// The page of the run panel with a long answer that streams, in a browser, against a page that only appends the same text.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumArgs, installChromium } from '../../scripts/chromium.mjs';
import { median, ratioRow, valueRow } from './report.mjs';

const root = join(import.meta.dirname, '../..');
const origin = 'http://panel.bench';
const chunks = 20_000;
const rounds = 5;
/** Chunks that the extension sends in one message: what comes within a frame of the fastest models. */
const perFrame = 100;

export async function run() {
  const browser = await chromium.launch({ executablePath: await installChromium(), args: [...chromiumArgs] });
  const times = { once: [], frames: [], plain: [] };
  try {
    for (let round = 0; round <= rounds; round++) {
      const measured = {
        once: await measure(browser, { perMessage: chunks }),
        frames: await measure(browser, { perMessage: perFrame }),
        plain: await measurePlain(browser),
      };
      if (round > 0) for (const [name, ms] of Object.entries(measured)) times[name].push(ms);
    }
  } finally {
    await browser.close();
  }
  const [once, frames, plain] = [times.once, times.frames, times.plain].map(median);
  const count = chunks.toLocaleString('en');
  return {
    title: 'Run panel',
    rows: [
      ratioRow(`${count} chunks of a run that is opened, ms to their paint / appended to a text`, once, plain, {}),
      valueRow(`${count} chunks as they stream, ${perFrame} in a frame, the page is busy`, frames, 'ms', {}),
    ],
    notes: [`The peer is one block of text of the same size in an empty page. Medians of ${rounds} interleaved rounds.`],
  };
}

/** Opens the page as VS Code does, with a run that has one step, and answers how long it is busy with the chunks of an answer. */
async function measure(browser, { perMessage }) {
  const page = await browser.newPage();
  try {
    await page.route(`${origin}/**`, (route) => route.fulfill(answerTo(new URL(route.request().url()).pathname)));
    await page.goto(`${origin}/`);
    await page.evaluate(showRun, { facts: facts(), events: [{ type: 'step', place: '', step: 1, name: null }] });
    const ms = await page.evaluate(stream, { chunks, perMessage });
    const length = await page.evaluate('document.querySelector(".long-text").textContent.length');
    if (length !== textLength()) throw new Error(`The page shows ${length} characters instead of ${textLength()}`);
    return ms;
  } finally {
    await page.close();
  }
}

async function measurePlain(browser) {
  const page = await browser.newPage();
  try {
    await page.setContent('<div id="text" style="white-space: pre-wrap; max-height: 55vh; overflow: auto"></div>');
    return await page.evaluate(appendPlain, { chunks });
  } finally {
    await page.close();
  }
}

/** In the page: the ms in which its handlers and its layout run, from the first message to the paint of the last one. */
async function stream({ chunks, perMessage }) {
  const painted = () =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(undefined);
      });
    });
  let busy = 0;
  for (let at = 0; at < chunks; at += perMessage) {
    const events = [];
    for (let chunk = at; chunk < at + perMessage; chunk++) events.push({ type: 'text', place: '', text: `word ${chunk % 10} of it ` });
    await painted();
    // The frame that the message asks for comes before the one that is waited for, so both are timed from its beginning.
    let begun;
    requestAnimationFrame(() => {
      begun = performance.now();
    });
    window.postMessage({ type: 'more', events }, '*');
    await new Promise((resolve) => setTimeout(resolve));
    await painted();
    busy += performance.now() - begun;
  }
  return busy;
}

async function appendPlain({ chunks }) {
  const region = document.getElementById('text');
  const text = region.appendChild(document.createTextNode(''));
  const start = performance.now();
  let whole = '';
  for (let chunk = 0; chunk < chunks; chunk++) whole += `word ${chunk % 10} of it `;
  text.appendData(whole);
  region.scrollTop = region.scrollHeight;
  await new Promise((resolve) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(undefined);
    });
  });
  return performance.now() - start;
}

async function showRun({ facts, events }) {
  window.postMessage({ type: 'show', facts, events }, '*');
  await new Promise((resolve) => setTimeout(resolve, 100));
}

function textLength() {
  return chunks * 'word 0 of it '.length;
}

function answerTo(path) {
  if (path !== '/') {
    const file = join(root, 'dist/webviews', path);
    return { contentType: path.endsWith('.css') ? 'text/css' : 'text/javascript', body: readFileSync(file) };
  }
  const body = `<!DOCTYPE html><link rel="stylesheet" href="/run.css"><body data-strings="{}">
<script>window.acquireVsCodeApi = () => ({ postMessage() {}, getState() {}, setState() {} });</script>
<script type="module" src="/run.js"></script>`;
  return { contentType: 'text/html', body };
}

/** A run of an agent that goes on, of which nothing is known yet. */
function facts() {
  const lists = ['fields', 'input', 'problems', 'left_out', 'unpriced', 'tools', 'sources', 'approvals'];
  return {
    ...Object.fromEntries(lists.map((name) => [name, []])),
    kind: 'agent',
    status: 'running',
    agent: 'A2',
    version: 'v1',
    project: 'bench',
    root: '/bench',
    run_id: 'bench',
    started: Date.now(),
    duration_ms: null,
    provider: null,
    model: null,
    profile: null,
    payload: null,
    simulated: false,
    tokens: null,
    cost: null,
    iterations: null,
    dropped: null,
    snapshot: null,
    error: null,
    answer: null,
    smoothness: null,
    quality: null,
    session: null,
    canContinue: false,
    isDurable: false,
    canResume: false,
    isPinned: false,
    recording: null,
    isKept: false,
  };
}
