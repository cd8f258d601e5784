// The language server against those of other kinds of files, over stdio, each a process of its own.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { agentPath, makeCorpus } from './checkCorpus.mjs';
import { median, ratioRow, valueRow } from './report.mjs';
import { startClient } from './serverClient.mjs';
import { makeServers } from './serverPeers.mjs';
import { enlarged, typedIn } from './serverTexts.mjs';

const here = import.meta.dirname;
const size = 10_000;
const rounds = { start: 15, keys: 150, large: 15, push: 12, index: 5, dependents: 15 };
/** Nobody types faster, and every server has finished what it does after an answer. */
const restMs = 15;
/** Longer than our server rehearses keystrokes for when nobody types. */
const idleMs = 5000;

export async function run() {
  const scratch = mkdtempSync(join(tmpdir(), 'agent-stack-server-'));
  const servers = makeServers(scratch);
  try {
    const small = join(scratch, 'small');
    const large = join(scratch, 'large');
    for (const [folder, files] of [
      [small, 60],
      [large, size],
    ]) {
      makeCorpus(folder, { files });
      writeFileSync(join(folder, 'biome.json'), '{ "root": true }\n');
    }
    const parts = {
      start: () => measureStart(servers, small),
      keys: () => measureKeys(servers, large),
      later: () => measureLater(servers, large),
      push: () => measurePush(servers, large),
      index: () => measureIndex(servers, large),
      dependents: () => measureDependents(servers, large),
    };
    const rows = [];
    for (const part of wantedParts(Object.keys(parts))) rows.push(...(await parts[part]()));
    return {
      title: 'Language server',
      rows,
      notes: [
        `Medians of interleaved rounds after one that is verified only: every answer to a keystroke must have the fault that was just typed, or not have it any more. The JSON server is that of vscode-langservers-extracted in one file, as VS Code ships its own, and validates, completes and describes with our schema of agent files; ours has all rules on besides. yaml-language-server validates with the same schema; biome knows no schemas and finds what is no JSON. Both send diagnostics only. A keystroke replaces one character, and ${restMs} ms pass between two. 1 MB is one agent with thousands of output fields. Indexing is spawn to the answer of a request that needs all files.`,
      ],
    };
  } finally {
    // Its daemon outlives the client.
    execFileSync(servers.biome.command[0], ['stop'], { env: { ...process.env, ...servers.biome.env }, stdio: 'ignore' });
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** All of them, or those that the environment variable `BENCH_PARTS` names, comma-separated: to look at one thing, not for the tables. */
function wantedParts(all) {
  if (process.env.BENCH_PARTS === undefined) return all;
  if (process.argv.includes('--write')) throw new Error('The tables take all parts. Leave BENCH_PARTS away.');
  const wanted = process.env.BENCH_PARTS.split(',');
  const unknown = wanted.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`No part named ${unknown.join(', ')}. There are: ${all.join(', ')}.`);
  return wanted;
}

/** Spawn to the reply to `initialize`, and to the first diagnostics, which are those of a file with a fault. */
async function measureStart(servers, folder) {
  const document = typedIn(folder, agentPath(0));
  const faulty = document.states.schema;
  const times = collect();
  for (let round = 0; round <= rounds.start; round++) {
    const bare = await bareStart();
    if (round > 0) times('bare', bare);
    for (const [name, pulls] of [
      ['ours', true],
      ['json', true],
      ['yaml', false],
    ]) {
      const client = await startClient(servers[name], folder, { pulls });
      try {
        client.open(document.uri, faulty);
        const items = pulls ? await client.pull(document.uri) : await client.sent(document.uri, (found) => found.length > 0);
        const diagnosed = performance.now() - client.started;
        expectFaults(name, items, 1);
        if (round === 0) continue;
        times(`${name} replied`, client.replied);
        times(`${name} diagnosed`, diagnosed);
      } finally {
        await client.end();
      }
    }
  }
  const time = (name) => median(times.of(name));
  return [
    ratioRow('spawn to `initialize` reply, ms / `node -e 0`', time('ours replied'), time('bare'), { atMost: 1.6 }),
    ratioRow('spawn to `initialize` reply, ms / JSON server', time('ours replied'), time('json replied'), { atMost: 1 }),
    ratioRow('spawn to first diagnostics, ms / `node -e 0`', time('ours diagnosed'), time('bare'), { atMost: 1.9 }),
    ratioRow('spawn to first diagnostics, ms / JSON server', time('ours diagnosed'), time('json diagnosed'), { atMost: 1 }),
    ratioRow('spawn to first diagnostics, ms / yaml-language-server', time('ours diagnosed'), time('yaml diagnosed'), {}),
  ];
}

/** Keystroke to diagnostics, completion and hover, in a workspace of many files, on a usual file and on a large one. */
async function measureKeys(servers, folder) {
  const times = await pressKeys(servers, folder, 0, [
    ['4 KB', typedIn(folder, agentPath(0)), rounds.keys],
    ['1 MB', typedIn(folder, 'config/agents/large/v1.json', enlarged(folder, agentPath(0))), rounds.large],
  ]);
  const row = (what, which, atMost) =>
    ratioRow(`${what}, ${which}, ms / JSON server`, median(times.of(`ours ${what} ${which}`)), median(times.of(`json ${what} ${which}`)), {
      atMost,
    });
  return [
    row('diagnostics', '4 KB', 0.6),
    lateRow('diagnostics, 4 KB, 95th percentile, ms / JSON server', times, 0.8),
    row('diagnostics', '1 MB', 0.3),
    row('completion', '4 KB', 1),
    row('completion', '1 MB', 0.8),
    row('hover', '4 KB', 1),
    row('hover', '1 MB', 0.8),
  ];
}

/** The same when our server has done all that it does by itself, which while it lasts also keeps its code in the processor's caches. */
async function measureLater(servers, folder) {
  const times = await pressKeys(servers, folder, idleMs, [['4 KB', typedIn(folder, agentPath(0)), rounds.keys]]);
  const time = (name) => median(times.of(`${name} diagnostics 4 KB`));
  const when = `${idleMs / 1000} s after all files were known`;
  return [
    ratioRow(`diagnostics, 4 KB, ${when}, ms / JSON server`, time('ours'), time('json'), {}),
    lateRow(`diagnostics, 4 KB, ${when}, 95th percentile, ms / JSON server`, times),
  ];
}

function lateRow(what, times, atMost) {
  const [ours, json] = ['ours', 'json'].map((name) => percentile(times.of(`${name} diagnostics 4 KB`), 0.95));
  return ratioRow(what, ours, json, atMost === undefined ? {} : { atMost });
}

async function pressKeys(servers, folder, idle, documents) {
  const times = collect();
  const clients = await startAll(servers, ['ours', 'json'], folder, true);
  try {
    await settled(clients.ours);
    await rest(idle);
    for (const [which, document, count] of documents) {
      const base = {};
      for (const [name, client] of Object.entries(clients)) {
        client.open(document.uri, document.text);
        base[name] = (await client.pull(document.uri)).length;
      }
      for (let round = 0; round <= count; round++) {
        const state = round % 2 === 0 ? 'schema' : 'right';
        for (const [name, client] of Object.entries(clients)) {
          for (const what of ['diagnostics', 'completion', 'hover']) {
            await rest();
            const start = performance.now();
            document.press(client, what === 'diagnostics' ? state : 'right');
            const answer = await ask[what](client, document);
            const took = performance.now() - start;
            if (what === 'diagnostics') expectFaults(`${name} on ${which}`, answer, base[name] + (state === 'schema' ? 1 : 0));
            else if (isEmpty(answer)) throw new Error(`${name} has no ${what} on ${which}`);
            if (round > 0) times(`${name} ${what} ${which}`, took);
          }
        }
      }
      for (const client of Object.values(clients)) client.close(document.uri);
    }
  } finally {
    await Promise.all(Object.values(clients).map((client) => client.end()));
  }
  return times;
}

const ask = {
  diagnostics: (client, { uri }) => client.pull(uri),
  completion: (client, { uri, keyAt }) => client.request('textDocument/completion', { textDocument: { uri }, position: keyAt }),
  hover: (client, { uri, keyAt }) => client.request('textDocument/hover', { textDocument: { uri }, position: keyAt }),
};

/** Keystroke to diagnostics where they are sent. */
async function measurePush(servers, folder) {
  const document = typedIn(folder, agentPath(0));
  const times = collect();
  const names = ['ours', 'json', 'yaml', 'biome'];
  const clients = await startAll(servers, names, folder, false);
  try {
    await settled(clients.ours);
    for (const name of names) clients[name].open(document.uri, document.text);
    for (let round = 0; round <= rounds.push; round++) {
      for (const name of names) {
        const client = clients[name];
        const fault = name === 'biome' ? 'syntax' : 'schema';
        for (const [state, isWanted] of [
          [fault, (items) => items.length > 0],
          ['right', (items) => items.length === 0],
        ]) {
          await rest();
          const start = performance.now();
          const sent = client.sent(document.uri, isWanted);
          document.press(client, state);
          await sent;
          if (round > 0) times(name, performance.now() - start);
        }
      }
    }
  } finally {
    await Promise.all(Object.values(clients).map((client) => client.end()));
  }
  const time = (name) => median(times.of(name));
  return [
    valueRow('diagnostics sent, 4 KB', time('ours'), 'ms', { atMost: 20 }),
    ratioRow('diagnostics sent, 4 KB, ms / JSON server', time('ours'), time('json'), {}),
    ratioRow('diagnostics sent, 4 KB, ms / yaml-language-server', time('ours'), time('yaml'), {}),
    ratioRow('diagnostics sent, 4 KB, ms / `biome lsp-proxy`', time('ours'), time('biome'), {}),
  ];
}

/** Spawn until all files are known, against the least that could be done; the file that is open must not wait for it. */
async function measureIndex(servers, folder) {
  const document = typedIn(folder, agentPath(0));
  const times = collect();
  for (let round = 0; round <= rounds.index; round++) {
    const start = performance.now();
    const plain = await output(process.execPath, [join(here, 'checkPeers/plain.mjs'), folder]);
    const plainTook = performance.now() - start;
    if (JSON.parse(plain).files !== size) throw new Error('plain.mjs has not read all files');
    const client = await startClient(servers.ours, folder, { pulls: true });
    try {
      client.open(document.uri, document.states.schema);
      let indexed;
      const ready = settled(client).then(() => {
        indexed = performance.now() - client.started;
      });
      expectFaults('ours', await client.pull(document.uri), 1);
      const diagnosed = performance.now() - client.started;
      const isFirst = indexed === undefined;
      await ready;
      if (!isFirst) throw new Error('The open file was not answered before the others were read');
      await rest(300);
      if (round === 0) continue;
      times('plain', plainTook);
      times('indexed', indexed);
      times('diagnosed', diagnosed);
      times('memory', client.memory());
    } finally {
      await client.end();
    }
  }
  const time = (name) => median(times.of(name));
  return [
    ratioRow(`${size.toLocaleString('en')} files indexed, ms / walk + read + JSON.parse + compiled ajv`, time('indexed'), time('plain'), {
      atMost: 1.6,
    }),
    ratioRow('the open file answered, ms / all indexed', time('diagnosed'), time('indexed'), { atMost: 0.5 }),
    valueRow('resident memory when all are indexed', time('memory'), 'MiB', { atMost: 110 }),
  ];
}

/** A persona goes and comes back on disk: every agent that is open and has it must be told so. */
async function measureDependents(servers, folder) {
  const times = collect();
  const path = join(folder, 'config/personas/triage.json');
  const text = readFileSync(path, 'utf8');
  const uri = pathToFileURL(path).href;
  const documents = dependents(folder, 'triage', 20);
  const client = await startClient(servers.ours, folder, { pulls: false });
  try {
    await settled(client);
    for (const document of documents) {
      const sent = client.sent(document.uri);
      client.open(document.uri, document.text);
      expectFaults('ours', await sent, 0);
    }
    for (let round = 0; round <= rounds.dependents; round++) {
      for (const faults of [1, 0]) {
        await rest();
        if (faults === 1) rmSync(path);
        else writeFileSync(path, text);
        const start = performance.now();
        const sent = documents.map((document) => client.sent(document.uri, (items) => items.length === faults));
        client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri, type: faults === 1 ? 3 : 1 }] });
        await Promise.all(sent);
        if (round > 0) times('dependents', performance.now() - start);
      }
    }
  } finally {
    await client.end();
    writeFileSync(path, text);
  }
  return [
    valueRow(`a persona goes or comes: ${documents.length} open agents right again`, median(times.of('dependents')), 'ms', { atMost: 20 }),
  ];
}

/** Agents in which nothing is wrong and which name the persona. */
function dependents(folder, persona, count) {
  const found = [];
  for (let index = 0; found.length < count; index++) {
    if ([3, 17, 42, 64, 77].includes(index % 100)) continue;
    const document = typedIn(folder, agentPath(index));
    if (document.text.includes(`"persona_key": "${persona}"`)) found.push(document);
  }
  return found;
}

async function startAll(servers, names, folder, pulls) {
  const clients = {};
  for (const name of names) clients[name] = await startClient(servers[name], folder, { pulls });
  return clients;
}

/** Resolves when our server knows all files. */
async function settled(client) {
  const symbols = await client.request('workspace/symbol', { query: 'fast' });
  if (isEmpty(symbols)) throw new Error('The workspace has no symbols');
}

function expectFaults(who, items, count) {
  if (items.length !== count)
    throw new Error(
      `${who} found ${items.length} faults instead of ${count}: ${JSON.stringify(items.slice(0, 3).map(({ message }) => message))}`,
    );
}

function isEmpty(answer) {
  return answer === null || (answer.items ?? answer.contents ?? answer).length === 0;
}

function rest(ms = restMs) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function bareStart() {
  const start = performance.now();
  await output(process.execPath, ['-e', '0']);
  return performance.now() - start;
}

function output(file, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    child.on('error', reject);
    child.on('close', () => resolve(text));
  });
}

function percentile(values, share) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

function collect() {
  const lists = new Map();
  const add = (name, value) => lists.set(name, [...(lists.get(name) ?? []), value]);
  return Object.assign(add, { of: (name) => lists.get(name) ?? [] });
}
