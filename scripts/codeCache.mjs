// The last step of the build: has V8 compile the packs of the commands by using them, and keeps the result for their next start.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const commands = join(root, 'dist/commands');
const faultyAgent = 'config/agents/A2/v1.json';
/** Milliseconds after which something hangs. */
const most = 30_000;

/** Writes a cache beside each pack of dist/commands. Where that fails, the commands start later and are otherwise the same, so it only says so. */
export async function makeCodeCache() {
  const folder = mkdtempSync(join(tmpdir(), 'agent-stack-cache-'));
  try {
    await useCommands(folder);
  } catch (error) {
    console.warn(`The commands will start without a code cache, since none could be made: ${error.message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function useCommands(folder) {
  const sample = join(folder, 'sample');
  for (const part of ['config', 'agentstack.json']) cpSync(join(root, part), join(sample, part), { recursive: true });
  const faulty = plantFaults(sample, join(folder, 'faulty'));
  const args = [
    ['check', '--project', faulty],
    ['compose', 'A2', '--case', 'parser', '--project', sample],
    ['run', 'A2', '--case', 'parser', '--llm', 'offline', '--project', sample],
  ];
  const { HOME, PATH, SystemRoot } = process.env;
  const child = spawn(process.execPath, [join(root, 'scripts/recordCode.cjs'), JSON.stringify([commands, args])], {
    env: { HOME, PATH, SystemRoot },
    timeout: most,
  });
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(/^\w*Error: .*/m.exec(said)?.[0] ?? `it ended with ${signal ?? `code ${code}`}`)),
    );
  });
  const used = useServer(child, faulty).then(() => true);
  try {
    // A server that has gone away answers nothing, not even with an error.
    const isUsed = await Promise.race([used, ended.then(() => false)]);
    if (!isUsed) throw new Error('the server ended before it was asked everything');
    await ended;
  } finally {
    child.kill();
  }
}

/** A copy of the sample with a file that is no JSON, one that breaks its schema and one whose enums disagree. */
function plantFaults(sample, folder) {
  cpSync(sample, folder, { recursive: true });
  const faults = [
    ['config/personas/technical_editor.json', (text) => text.replace('{', '{,')],
    ['config/agents/DocsHelper/v1.json', (text) => text.replace(/"temperature": [\d.]+/, '"temperature": 9')],
    [faultyAgent, (text) => text.replace('"enums"', '"enums": { "tone": ["loud"] }, "no_field"')],
  ];
  for (const [path, fault] of faults) {
    const text = readFileSync(join(folder, path), 'utf8');
    if (fault(text) === text) throw new Error(`the sample's ${path} has no place for a fault any more`);
    writeFileSync(join(folder, path), fault(text));
  }
  return folder;
}

/** What an editor asks for when a file is opened and looked at. */
async function useServer(child, folder) {
  const connection = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  connection.onRequest('workspace/configuration', ({ items }) => items.map(() => null));
  connection.onRequest('client/registerCapability', () => null);
  connection.listen();
  const uri = (path) => pathToFileURL(join(folder, path)).href;
  const textDocument = { uri: uri(faultyAgent) };
  const text = readFileSync(join(folder, faultyAgent), 'utf8');
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: uri(''),
    workspaceFolders: [{ uri: uri(''), name: 'sample' }],
    capabilities: { textDocument: { diagnostic: {}, hover: {}, completion: {} } },
  });
  await connection.sendNotification('initialized', {});
  await connection.sendNotification('textDocument/didOpen', {
    textDocument: { ...textDocument, languageId: 'agent-config', version: 1, text },
  });
  await connection.sendRequest('textDocument/diagnostic', { textDocument });
  const start = { line: 1, character: 3 };
  await connection.sendRequest('textDocument/hover', { textDocument, position: start });
  await connection.sendRequest('textDocument/completion', { textDocument, position: start });
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
}
