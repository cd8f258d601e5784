// The language server with much to do at once: all files of a project, a large file that is not JSON, edits faster than they can be checked.
import { join } from 'node:path';
import { agentPath, makeCorpus } from './checkCorpus.mjs';
import { median, ratioRow, valueRow } from './report.mjs';
import { startClient } from './serverClient.mjs';
import { enlarged, typedIn } from './serverTexts.mjs';

const agents = 5_000;
const rounds = { project: 3, broken: 11, burst: 11 };
const edits = 200;
/** Lines that an editor shows, and asks to be coloured. */
const linesInView = 60;

/** The findings of all files: of a server that has just been started, and again when nothing has changed. */
export async function measureProject(servers, scratch) {
  const folder = join(scratch, 'project');
  const { planted } = makeCorpus(folder, { files: agents });
  const times = { first: [], cpu: [], again: [] };
  for (let round = 0; round < rounds.project; round++) {
    const client = await startClient(servers.ours, folder, { pulls: true });
    try {
      const [first, took] = await timed(() => client.request('workspace/diagnostic', { previousResultIds: [] }));
      if (first.items.length !== planted.length) throw new Error(`Found ${first.items.length} files with faults of ${planted.length}`);
      // From its start on, since indexing is a part of it.
      times.cpu.push(client.cpu());
      const previousResultIds = first.items.map(({ uri, resultId }) => ({ uri, value: resultId }));
      const [again, tookAgain] = await timed(() => client.request('workspace/diagnostic', { previousResultIds }));
      if (again.items.some(({ kind }) => kind !== 'unchanged')) throw new Error('Findings have changed by themselves');
      times.first.push(took);
      times.again.push(tookAgain);
    } finally {
      await client.end();
    }
  }
  const what = `\`workspace/diagnostic\` over ${agents.toLocaleString('en')} agents`;
  return [
    valueRow(`${what}, read from the disk`, median(times.first) / 1000, 's', { atMost: 2.5 }),
    valueRow('CPU time of it, with the start of the server', median(times.cpu) / 1000, 's', {}),
    valueRow(`${what}, when nothing has changed`, median(times.again), 'ms', {}),
  ];
}

/** A text of 2 MB that is not JSON is edited, and the lines in view are coloured. */
export async function measureBroken(servers, folder) {
  const document = typedIn(folder, 'config/agents/large/v1.json', enlarged(folder, agentPath(0), 2 * 1024 * 1024));
  const line = Math.floor(document.text.split('\n').length / 2);
  const range = { start: { line, character: 0 }, end: { line: line + linesInView, character: 0 } };
  const times = [];
  const client = await startClient(servers.ours, folder, { pulls: true });
  try {
    client.open(document.uri, document.text);
    document.press(client, 'broken', 'other');
    const textDocument = { uri: document.uri };
    let before = 0;
    for (let round = 0; round <= rounds.broken; round++) {
      if (round === 1) before = client.cpu();
      document.press(client, 'prompt', round % 2 === 0 ? 'other' : 'right');
      const [{ data }, took] = await timed(() => client.request('textDocument/semanticTokens/range', { textDocument, range }));
      if (data.length === 0) throw new Error('Nothing is coloured');
      if (round > 0) times.push(took);
    }
    const cpu = (client.cpu() - before) / rounds.broken;
    return [
      valueRow(`a broken file of 2 MB: ${linesInView} lines coloured after a keystroke`, median(times), 'ms', { atMost: 200 }),
      valueRow('CPU time of it', cpu, 'ms', {}),
      valueRow('the most memory meanwhile', client.memory('VmHWM'), 'MiB', { atMost: 300 }),
    ];
  } finally {
    await client.end();
  }
}

/** Edits that arrive together, each with a question about the findings, against one of them. */
export async function measureBurst(servers, folder) {
  const document = typedIn(folder, 'config/agents/large/v1.json', enlarged(folder, agentPath(0), 64 * 1024));
  const times = { one: [], all: [] };
  const client = await startClient(servers.ours, folder, { pulls: true });
  try {
    client.open(document.uri, document.text);
    const clean = (await client.pull(document.uri)).length;
    const edit = (at) => {
      document.press(client, 'number', at % 2 === 0 ? 'other' : 'right');
      return client.pull(document.uri);
    };
    for (let round = 0; round <= rounds.burst; round++) {
      for (const [name, count] of Object.entries({ one: 1, all: edits })) {
        const burst = () => Promise.all(Array.from({ length: count }, (_, at) => edit(at)));
        const [answers, took] = await timed(() => client.together(burst));
        const expected = clean + (count % 2);
        if (answers.some((items) => items.length !== expected)) throw new Error('An answer is not about the last text');
        if (round > 0) times[name].push(took);
      }
    }
    return [ratioRow(`${edits} edits at once, each with a question, 64 KB, ms / one edit`, median(times.all), median(times.one), {})];
  } finally {
    await client.end();
  }
}

async function timed(act) {
  const start = performance.now();
  const answer = await act();
  return [answer, performance.now() - start];
}
