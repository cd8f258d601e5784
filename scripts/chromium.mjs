// A Chromium from the npm registry, for the tests that look at the extension as a user does. Installed once, into `.vscode-test/`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const version = '147.0.0';
const home = join(dirname(fileURLToPath(import.meta.url)), '..', '.vscode-test', `chromium-${version}`);

/** The path of its program, and the arguments it needs where there is no screen. */
export async function installChromium() {
  if (!existsSync(join(home, 'installed'))) {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'package.json'), '{ "private": true }\n');
    const args = ['install', `@sparticuz/chromium@${version}`, '--no-audit', '--no-fund', '--loglevel=error'];
    const { status, stdout, stderr } = spawnSync('npm', args, { cwd: home, encoding: 'utf8' });
    if (status !== 0) throw new Error(`\`npm ${args.join(' ')}\` failed:\n${stdout}${stderr}`);
    writeFileSync(join(home, 'installed'), '');
  }
  const entry = createRequire(join(home, 'package.json')).resolve('@sparticuz/chromium');
  const { default: chromium } = await import(pathToFileURL(entry).href);
  return chromium.executablePath();
}

/** Without them it looks for hosts of its vendor, which are not there. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
