// A real VS Code that comes from the npm registry alone: VS Code as code-server packages it, run by a Node of its own, shown by any browser.
// It is what `npm start` opens where there is no desktop VS Code, and what the end-to-end tests drive. Installed once, into `.vscode-test/`.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const codeServer = '4.139.1';
const node = '24.11.1';
/** Native modules the server needs to start; the others belong to features that are not used here, and need system headers. */
const native = ['@vscode/spdlog', 'node-pty', '@parcel/watcher', '@vscode/native-watchdog'];

const home = join(root, '.vscode-test', `host-${codeServer}`);
const vscode = join(home, 'node_modules/code-server/lib/vscode');
/** The Node that runs it: the newest LTS when this version was chosen. */
export const hostNode = join(home, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

/**
 * The folder of the host, installed when it is not there yet (half a minute; `report` is called with a line for each step). An
 * installation that was cut off leaves nothing behind that looks like one.
 */
export function installHost(report = () => undefined) {
  if (existsSync(join(home, 'installed'))) return home;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "private": true }\n');
  report('a Node for VS Code');
  npm(home, ['install', `node@${node}`]);
  report(`VS Code (code-server ${codeServer})`);
  npm(home, ['install', `code-server@${codeServer}`, '--ignore-scripts']);
  npm(vscode, ['install', '--omit=dev', '--ignore-scripts']);
  report('its native modules');
  npm(vscode, ['rebuild', ...native]);
  report('its extensions');
  npm(join(vscode, 'extensions'), ['install', '--omit=dev', '--ignore-scripts']);
  writeFileSync(join(home, 'installed.part'), `${new Date().toISOString()}\n`);
  renameSync(join(home, 'installed.part'), join(home, 'installed'));
  return home;
}

function npm(folder, args) {
  const path = [dirname(hostNode), process.env.PATH].join(delimiter);
  const { status, error, stdout, stderr } = spawnSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    env: { ...withoutNpm(), PATH: path },
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`\`npm ${args.join(' ')}\` failed in ${folder}:\n${stdout}${stderr}`);
}

/** An npm script hands its own settings to its children, which must not decide where these packages go. */
function withoutNpm() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(registry|cache|.*proxy|cafile))/i.test(name)));
}

/**
 * Starts the server of the host on a free port of this machine and waits until it answers.
 *
 * @param folders where it keeps extensions and settings; all are made when missing
 * @param token what a browser must know to get in (`newToken()`); undefined lets every user of this machine in, for tests only
 * @param isTrusting false leaves Workspace Trust on, as users have it
 * @returns its address without a path, its port, and `stop`, which ends it with all it started
 */
export async function startHost({ extensions, user, server }, { token, isTrusting = true, args = [], env = {}, log } = {}) {
  installHost();
  const child = spawn(
    hostNode,
    [
      join(vscode, 'out/server-main.js'),
      '--host=127.0.0.1',
      // One that is free; which one is in its output.
      '--port=0',
      ...(token === undefined ? ['--without-connection-token'] : [`--connection-token=${token}`]),
      '--accept-server-license-terms',
      '--disable-telemetry',
      `--server-data-dir=${server}`,
      `--user-data-dir=${user}`,
      `--extensions-dir=${extensions}`,
      ...(isTrusting ? ['--disable-workspace-trust'] : []),
      ...args,
    ],
    { env: { ...withoutNpm(), ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32' },
  );
  let output = '';
  const keep = (chunk) => {
    output = (output + chunk).slice(-20_000);
    log?.(String(chunk));
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let hasEnded = false;
  const ended = new Promise((resolve) => child.once('exit', resolve)).then(() => {
    hasEnded = true;
  });
  const stop = async () => {
    if (hasEnded) return;
    // A group of its own: extension hosts and language servers end with it.
    if (process.platform === 'win32') child.kill();
    else process.kill(-child.pid, 'SIGTERM');
    const timer = setTimeout(() => !hasEnded && process.platform !== 'win32' && process.kill(-child.pid, 'SIGKILL'), 5_000);
    await ended;
    clearTimeout(timer);
  };
  for (const until = Date.now() + 60_000; ; ) {
    if (hasEnded) throw new Error(`VS Code ended at once:\n${output}`);
    const port = Number(/agent listening on (\d+)/.exec(output)?.[1] ?? 0);
    const url = `http://127.0.0.1:${port}`;
    if (port > 0 && (await answers(url))) return { url, port, stop, ended };
    if (Date.now() > until) {
      await stop();
      throw new Error(`VS Code did not answer within a minute:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function answers(url) {
  return fetch(`${url}/version`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Installs an extension from a .vsix file into the folder `extensions` of a host. */
export function installExtension({ extensions, user, server }, vsix) {
  installHost();
  const { status, stdout, stderr } = spawnSync(
    hostNode,
    [
      join(vscode, 'out/server-main.js'),
      '--accept-server-license-terms',
      `--server-data-dir=${server}`,
      `--user-data-dir=${user}`,
      `--extensions-dir=${extensions}`,
      `--install-extension=${vsix}`,
      '--force',
    ],
    { env: withoutNpm(), encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`VS Code did not install ${vsix}:\n${stdout}${stderr}`);
}

/** For a connection that only its owner may use. */
export function newToken() {
  return randomBytes(16).toString('hex');
}
