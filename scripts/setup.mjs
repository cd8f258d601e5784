// Before `npm start`, `npm test` and `npm run bench`: installs what package-lock.json names (only when it changed) and builds.
import { execSync } from 'node:child_process';
import { lstatSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Agent Stack needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}

if (!isInstalled()) {
  // npm would empty the folder behind the link, which is another checkout's.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    console.error('node_modules is a link and not up to date. Remove the link, and what is needed is installed here.');
    process.exit(1);
  }
  run('npm ci --no-audit --no-fund --loglevel=error');
}
run('node esbuild.mjs');

/** npm writes node_modules/.package-lock.json last, so a lock file newer than it has not been installed yet. */
function isInstalled() {
  const installed = statSync(join(root, 'node_modules/.package-lock.json'), { throwIfNoEntry: false });
  return installed !== undefined && installed.mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

function run(command) {
  try {
    execSync(command, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  } catch {
    console.error(`\`${command}\` failed; its own message is above.`);
    process.exit(1);
  }
}
