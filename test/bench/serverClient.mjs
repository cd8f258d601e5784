// A client of language servers that costs next to nothing: what is measured shall be the server.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** Longer than any server takes: then it is not slow but silent. */
const patience = 60_000;

/**
 * @param server `{command, settings, env?, initializationOptions?}` of serverPeers.mjs
 * @param pulls whether diagnostics are asked for or sent
 */
export async function startClient(server, folder, { pulls }) {
  const client = new Client(server, folder);
  const { processId, rootUri } = { processId: process.pid, rootUri: pathToFileURL(folder).href };
  client.initialized = await client.request('initialize', {
    processId,
    rootUri,
    rootPath: folder,
    workspaceFolders: [{ uri: rootUri, name: 'bench' }],
    capabilities: capabilities(pulls),
    initializationOptions: server.initializationOptions,
  });
  client.replied = performance.now() - client.started;
  client.notify('initialized', {});
  if (server.settings !== undefined) client.notify('workspace/didChangeConfiguration', { settings: server.settings });
  return client;
}

class Client {
  #child;
  #settings;
  #pending = new Map();
  #listeners = new Set();
  #chunks = Buffer.alloc(0);
  #requests = 0;
  #versions = new Map();
  initialized;
  replied = 0;
  started;

  constructor({ command: [file, ...args], env = {}, settings }, folder) {
    this.#settings = settings ?? {};
    this.started = performance.now();
    this.#child = spawn(file, args, { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, ...env } });
    this.#child.stdout.on('data', (chunk) => this.#read(chunk));
    this.#child.stdin.on('error', () => undefined);
  }

  get pid() {
    return this.#child.pid;
  }

  request(method, params) {
    const id = ++this.#requests;
    return this.#within(method, (resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  notify(method, params) {
    this.#send({ method, params });
  }

  open(uri, text) {
    this.#versions.set(uri, 1);
    this.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'json', version: 1, text } });
  }

  close(uri) {
    this.notify('textDocument/didClose', { textDocument: { uri } });
  }

  change(uri, range, text) {
    const version = this.#versions.get(uri) + 1;
    this.#versions.set(uri, version);
    this.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ range, text }] });
  }

  async pull(uri) {
    return (await this.request('textDocument/diagnostic', { textDocument: { uri } })).items;
  }

  /** The next diagnostics sent for a document that `isWanted` accepts. */
  sent(uri, isWanted = () => true) {
    return this.#within('textDocument/publishDiagnostics', (resolve) => {
      const listener = ({ method, params }) => {
        if (method !== 'textDocument/publishDiagnostics' || params.uri !== uri || !isWanted(params.diagnostics)) return;
        this.#listeners.delete(listener);
        resolve(params.diagnostics);
      };
      this.#listeners.add(listener);
    });
  }

  /** Resident memory in MiB: as it is now, or the most there has been (`VmHWM`). */
  memory(which = 'VmRSS') {
    return Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))[1]) / 1024;
  }

  /** User and system time so far in ms, in steps of 10. */
  cpu() {
    const [, fields] = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ');
    const [user, system] = fields.split(' ').slice(11, 13).map(Number);
    return (user + system) * 10;
  }

  /** What follows is sent as one piece, as from a program that types faster than the server reads. */
  async together(act) {
    this.#child.stdin.cork();
    const done = act();
    this.#child.stdin.uncork();
    return await done;
  }

  async end() {
    const ended = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }

  #within(what, executor) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${this.#child.spawnargs.join(' ')}: no ${what}`)), patience);
      const done = (settle) => (value) => {
        clearTimeout(timer);
        settle(value);
      };
      executor(done(resolve), done(reject));
    });
  }

  #send(message) {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #read(chunk) {
    this.#chunks = this.#chunks.length === 0 ? chunk : Buffer.concat([this.#chunks, chunk]);
    for (;;) {
      const end = this.#chunks.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(this.#chunks.toString('latin1', 0, end))[1]);
      if (this.#chunks.length < end + 4 + length) return;
      const body = this.#chunks.toString('utf8', end + 4, end + 4 + length);
      this.#chunks = this.#chunks.subarray(end + 4 + length);
      this.#take(JSON.parse(body));
    }
  }

  #take(message) {
    const { id, method, params, result, error } = message;
    if (method === undefined) {
      const { resolve, reject } = this.#pending.get(id);
      this.#pending.delete(id);
      if (error === undefined) resolve(result);
      else reject(new Error(`${this.#child.spawnargs.join(' ')}: ${error.message}`));
    } else if (id !== undefined) {
      this.#send({ id, result: method === 'workspace/configuration' ? params.items.map(({ section }) => this.#setting(section)) : null });
    } else {
      for (const listener of [...this.#listeners]) listener(message);
    }
  }

  #setting(section) {
    return section === undefined || section === '' ? this.#settings : (this.#settings[section] ?? null);
  }
}

/** What every server is told that the client can do. */
function capabilities(pulls) {
  return {
    general: { positionEncodings: ['utf-16'] },
    workspace: { configuration: true, workspaceFolders: true, didChangeConfiguration: {}, symbol: {} },
    textDocument: {
      synchronization: {},
      publishDiagnostics: { relatedInformation: true, versionSupport: true },
      ...(pulls && { diagnostic: {} }),
      completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown', 'plaintext'] } },
      hover: { contentFormat: ['markdown', 'plaintext'] },
    },
  };
}
