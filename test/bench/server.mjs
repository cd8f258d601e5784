// The language server against VS Code's JSON server, over stdio, each a process of its own.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { agentPath, makeCorpus } from './checkCorpus.mjs';
import { median, ratioRow, valueRow } from './report.mjs';
import { startClient } from './serverClient.mjs';
import { measureBroken, measureBurst, measureProject } from './serverLoads.mjs';
import { makeServers } from './serverPeers.mjs';
import { enlarged, typedIn } from './serverTexts.mjs';

const size = 10_000;
const rounds = { start: 11, index: 3, dependents: 11 };
/** Keystrokes that are measured, and how many come before them. */
const keys = { measured: 100, early: 20, late: 2_000, lateInLarge: 200 };
/** Time between two measured keystrokes, in ms: faster than anyone types, and both servers are idle by then. */
const restMs = 15;

export async function run() {
  const scratch = mkdtempSync(join(tmpdir(), 'agent-stack-server-'));
  const servers = makeServers(scratch);
  try {
    const [small, large] = [join(scratch, 'small'), join(scratch, 'large')];
    makeCorpus(small, { files: 60, faults: 'none' });
    makeCorpus(large, { files: size, faults: 'none' });
    const parts = {
      start: () => measureStart(servers, small),
      keys: () => measureKeys(servers, large),
      index: () => measureIndex(servers, large),
      dependents: () => measureDependents(servers, large),
      project: () => measureProject(servers, scratch),
      broken: () => measureBroken(servers, small),
      burst: () => measureBurst(servers, small),
    };
    const rows = [];
    for (const part of wantedParts(Object.keys(parts))) rows.push(...(await parts[part]()));
    return {
      title: 'Language server',
      rows,
      notes: [
        `Medians of interleaved rounds. The JSON server is that of vscode-langservers-extracted in one file, as VS Code ships its own; it validates, completes and describes with our schema of agent files, ours has all rules on besides. A keystroke replaces one character and asks for diagnostics; ${restMs} ms pass between two. Places: a number (each press makes a finding or removes one, which is verified), a prompt, a value of an enum, a description in the output schema, and a spot where the text is not JSON with every second press. Workspace of ${size.toLocaleString('en')} files.`,
      ],
    };
  } finally {
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
  const times = collect();
  for (let round = 0; round <= rounds.start; round++) {
    for (const name of ['ours', 'json']) {
      const client = await startClient(servers[name], folder, { pulls: true });
      try {
        client.open(document.uri, document.faulty);
        expectFaults(name, await client.pull(document.uri), 1);
        const diagnosed = performance.now() - client.started;
        if (round === 0) continue;
        times(`${name} replied`, client.replied);
        times(`${name} diagnosed`, diagnosed);
      } finally {
        await client.end();
      }
    }
  }
  const row = (what, which, target) =>
    ratioRow(`spawn to ${what}, ms / JSON server`, median(times.of(`ours ${which}`)), median(times.of(`json ${which}`)), target);
  return [row('`initialize` reply', 'replied', {}), row('first diagnostics', 'diagnosed', { atMost: 1 })];
}

/** Keystroke to diagnostics, and completion and hover, in a workspace of many files, on 4 KB, 64 KB and 1 MB. */
async function measureKeys(servers, folder) {
  const rows = [];
  const large = (kib) => typedIn(folder, 'config/agents/large/v1.json', enlarged(folder, agentPath(0), kib * 1024));
  for (const [which, document, late] of [
    ['4 KB', typedIn(folder, agentPath(0)), keys.late],
    ['64 KB', large(64), keys.late],
    ['1 MB', large(1024), keys.lateInLarge],
  ]) {
    const times = await pressKeys(servers, folder, document, late);
    for (const [after, pressed] of Object.entries({ early: keys.early, late })) {
      const [ours, json] = ['ours', 'json'].map((name) => times.of(`${name} ${after}`));
      const what = `keystroke after ${pressed.toLocaleString('en')}, ${which}`;
      rows.push(ratioRow(`${what}, ms / JSON server`, median(ours), median(json), { atMost: 1.3 }));
      rows.push(ratioRow(`${what}, 95th percentile, ms / JSON server`, percentile(ours, 0.95), percentile(json, 0.95), { atMost: 1.3 }));
    }
    rows.push(ratioRow(`CPU time of a keystroke, ${which}, ms / JSON server`, times.cpu.ours, times.cpu.json, {}));
    for (const place of Object.keys(document.places)) {
      const [ours, json] = ['ours', 'json'].map((name) => median(times.of(`${name} late ${place}`)));
      rows.push(ratioRow(`of these, in a place of kind "${place}", ${which}, ms / JSON server`, ours, json, {}));
    }
    for (const what of ['completion', 'hover'])
      rows.push(valueRow(`${what}, ${which}`, median(times.of(`ours ${what}`)), 'ms', which === '64 KB' ? { atMost: 30 } : {}));
  }
  return rows;
}

async function pressKeys(servers, folder, document, late) {
  const times = Object.assign(collect(), { cpu: {} });
  const clients = await startAll(servers, ['ours', 'json'], folder);
  const places = Object.keys(document.places);
  const clean = {};
  /** Presses one key in each place, and another one that takes it back. */
  const round = async (measured) => {
    for (const place of places) {
      for (const state of ['other', 'right']) {
        for (const [name, client] of Object.entries(clients)) {
          if (measured !== undefined) await rest();
          const start = performance.now();
          document.press(client, place, state);
          const found = await client.pull(document.uri);
          const took = performance.now() - start;
          if (place === 'number') expectFaults(name, found, clean[name] + (state === 'other' ? 1 : 0));
          if (measured === undefined) continue;
          times(`${name} ${measured}`, took);
          times(`${name} ${measured} ${place}`, took);
        }
      }
    }
  };
  const perRound = places.length * 2;
  try {
    await settled(clients.ours);
    for (const [name, client] of Object.entries(clients)) {
      client.open(document.uri, document.text);
      clean[name] = (await client.pull(document.uri)).length;
    }
    for (let pressed = 0; pressed < keys.early; pressed += perRound) await round();
    for (let pressed = 0; pressed < keys.measured; pressed += perRound) await round('early');
    for (let pressed = keys.early + keys.measured; pressed < late; pressed += perRound) await round();
    const before = cpuOf(clients);
    for (let pressed = 0; pressed < keys.measured; pressed += perRound) await round('late');
    for (const [name, cpu] of Object.entries(cpuOf(clients))) times.cpu[name] = (cpu - before[name]) / keys.measured;
    for (let asked = 0; asked < 20; asked++) {
      for (const what of ['completion', 'hover']) {
        document.press(clients.ours, 'prompt', asked % 2 === 0 ? 'other' : 'right');
        await rest();
        const start = performance.now();
        const answer = await clients.ours.request(`textDocument/${what}`, {
          textDocument: { uri: document.uri },
          position: document.keyAt,
        });
        times(`ours ${what}`, performance.now() - start);
        if (isEmpty(answer)) throw new Error(`No ${what}`);
      }
    }
  } finally {
    await Promise.all(Object.values(clients).map((client) => client.end()));
  }
  return times;
}

/** Spawn until all files are known; the file that is open must not wait for it. */
async function measureIndex(servers, folder) {
  const document = typedIn(folder, agentPath(0));
  const times = collect();
  for (let round = 0; round < rounds.index; round++) {
    const client = await startClient(servers.ours, folder, { pulls: true });
    try {
      client.open(document.uri, document.faulty);
      let indexed;
      const ready = settled(client).then(() => {
        indexed = performance.now() - client.started;
      });
      expectFaults('ours', await client.pull(document.uri), 1);
      times('diagnosed', performance.now() - client.started);
      await ready;
      times('indexed', indexed);
      await rest(300);
      times('memory', client.memory());
    } finally {
      await client.end();
    }
  }
  const time = (name) => median(times.of(name));
  return [
    ratioRow(`the open file answered, ms / ${size.toLocaleString('en')} files indexed`, time('diagnosed'), time('indexed'), {}),
    valueRow('resident memory when all are indexed', time('memory'), 'MiB', {}),
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
  return [valueRow(`a persona goes or comes: ${documents.length} open agents right again`, median(times.of('dependents')), 'ms', {})];
}

/** Agents that name the persona. */
function dependents(folder, persona, count) {
  const found = [];
  for (let index = 0; found.length < count; index++) {
    const document = typedIn(folder, agentPath(index));
    if (document.text.includes(`"persona_key": "${persona}"`)) found.push(document);
  }
  return found;
}

async function startAll(servers, names, folder) {
  const clients = {};
  for (const name of names) clients[name] = await startClient(servers[name], folder, { pulls: true });
  return clients;
}

function cpuOf(clients) {
  return Object.fromEntries(Object.entries(clients).map(([name, client]) => [name, client.cpu()]));
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

function percentile(values, share) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

function collect() {
  const lists = new Map();
  const add = (name, value) => lists.set(name, [...(lists.get(name) ?? []), value]);
  return Object.assign(add, { of: (name) => lists.get(name) ?? [] });
}
