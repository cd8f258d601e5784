// The last part of `npm start`: VS Code on the sample project, with the extension. The desktop one where there is one, else one in the browser.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installExtension, installHost, newToken, startHost } from './vscodeHost.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Everything that is made here, kept for the next time; ignored by git. */
const home = join(root, '.vscode-test', 'start');
const sample = join(home, 'sample');
const firstFile = 'config/agents/A2/v1.json';
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const oldest = engines.vscode.replace('^', '');

/** Opens VS Code. In the browser it stays until Ctrl+C; then everything it started has ended. @throws when neither can be opened */
export async function openEditor() {
  makeSample();
  if (openDesktop()) return;
  await serveBrowser();
}

/** Only when it is missing, so that a user's changes stay. */
function makeSample() {
  if (existsSync(join(sample, 'agentstack.json'))) return;
  rmSync(sample, { recursive: true, force: true });
  mkdirSync(sample, { recursive: true });
  for (const path of ['config', 'agentstack.json']) cpSync(join(root, path), join(sample, path), { recursive: true });
}

/**
 * A window that has the extension from this folder: nothing is installed, and the settings, keys and extensions are those that the user has.
 * False when there is no `code`, or none that is new enough.
 */
function openDesktop() {
  const code = findProgram('code');
  if (code === undefined) return false;
  const run = (...args) => spawnSync(code, args, { encoding: 'utf8', timeout: 30_000, shell: process.platform === 'win32' });
  const version = /^\d+\.\d+\.\d+/.exec(run('--version').stdout ?? '')?.[0];
  if (version === undefined || isOlder(version, oldest)) {
    console.log(
      `\`code\` is ${version === undefined ? 'no VS Code that answers' : `VS Code ${version}`}; the extension needs ${oldest} or newer.`,
    );
    return false;
  }
  const { status, error, stderr } = run('--new-window', `--extensionDevelopmentPath=${root}`, sample, join(sample, firstFile));
  if (error || status !== 0) {
    console.log(`\`code\` did not open a window: ${firstLine(error?.message ?? stderr)}`);
    return false;
  }
  console.log(`VS Code ${version} opens with the sample project. The extension is in that window only; nothing was installed.`);
  return true;
}

async function serveBrowser() {
  installHost((step) => console.log(`Installing ${step} into .vscode-test (once, about half a minute) ...`));
  console.log('Packaging the extension ...');
  const folders = { extensions: join(home, 'extensions'), user: join(home, 'user'), server: join(home, 'server') };
  for (const folder of [...Object.values(folders), join(folders.user, 'Machine')]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(folders.user, 'Machine/settings.json'), JSON.stringify(settings, null, 2));
  const vsix = join(home, 'agent-stack.vsix');
  const packaged = spawnSync(process.execPath, [join(root, 'scripts/package.mjs'), '--out', vsix], { encoding: 'utf8' });
  if (packaged.status !== 0) throw new Error(`The extension could not be packaged: ${firstLine(packaged.stderr)}`);
  installExtension(folders, vsix);
  const token = newToken();
  const host = await startHost(folders, { token });
  const stopped = untilInterrupted(host);
  const query = new URLSearchParams({
    tkn: token,
    folder: sample,
    payload: JSON.stringify([['openFile', `vscode-remote://127.0.0.1:${host.port}${sample}/${firstFile}`]]),
  });
  console.log(`\nVS Code is at\n\n  ${host.url}/?${query}\n\nOnly this address gets in. Ctrl+C ends it.`);
  await stopped;
}

/** No welcome page, tips or experiments. */
const settings = {
  // Comes with the extension too, which is there only after the first file has been shown.
  'editor.wrapOnEscapedLineFeeds': true,
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'extensions.ignoreRecommendations': true,
};

async function untilInterrupted(host) {
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    console.log('\nEnding VS Code ...');
    void host.stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  await host.ended;
  if (!isStopping) throw new Error('VS Code ended by itself.');
}

/** What went wrong, in a line. npm says much more when there is no network. */
export function firstLine(text) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(text))
    return 'the npm registry cannot be reached.';
  return (
    String(text)
      .split('\n')
      .find((line) => line.trim() !== '') ?? 'no reason was given.'
  ).trim();
}

function findProgram(name) {
  const endings = process.platform === 'win32' ? ['.cmd', '.exe'] : [''];
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '' && !folder.includes('node_modules'));
  return folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending))).find((path) => existsSync(path));
}

function isOlder(version, other) {
  const [left, right] = [version, other].map((text) => text.split('.').map(Number));
  const at = left.findIndex((part, index) => part !== right[index]);
  return at >= 0 && left[at] < right[at];
}
