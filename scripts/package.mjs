// `npm run package`: dist/agent-stack-<version>.vsix, installable offline. What ships is staged into a folder of its own, so that it is
// exactly this list, whatever lies in the repository.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVSIX } from '@vscode/vsce';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** The bundles, what they read, and what VS Code shows. Without the library, which has a package of its own. */
const shipped = [
  'dist/cli.cjs',
  'dist/client.cjs',
  'dist/server.cjs',
  'dist/commands',
  'dist/webviews',
  'schemas',
  'client/media',
  'l10n',
  'config',
  'agentstack.json',
  'docs/config.md',
  'docs/rules',
  'docs/images',
  'CHANGELOG.md',
  'LICENSE',
  'THIRD-PARTY-NOTICES.md',
];
/** What only npm and the repository need. */
const omitted = ['bin', 'exports', 'files', 'scripts', 'allowScripts', 'devDependencies', 'type'];
const mostBytes = 4 * 1024 * 1024;

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const stage = join(root, 'dist', 'extension');
const target = join(root, 'dist', `${manifest.name}-${manifest.version}.vsix`);

rmSync(stage, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
for (const path of shipped) {
  const from = join(root, path);
  if (!existsSync(from)) throw new Error(`${path} is to be packaged and does not exist.`);
  cpSync(from, join(stage, path), { recursive: true });
}
for (const name of ['package.nls.json', 'package.nls.de.json']) cpSync(join(root, name), join(stage, name));
cpSync(join(root, 'client/README.md'), join(stage, 'README.md'));
const packaged = Object.fromEntries(Object.entries(manifest).filter(([key]) => !omitted.includes(key)));
packaged.engines = { vscode: manifest.engines.vscode };
writeFileSync(join(stage, 'package.json'), `${JSON.stringify(packaged, null, 2)}\n`);

await createVSIX({ cwd: stage, packagePath: target, dependencies: false, allowMissingRepository: true, rewriteRelativeLinks: false });
rmSync(stage, { recursive: true, force: true });
const { size } = statSync(target);
console.log(`${target.slice(root.length + 1)}: ${(size / 1024 / 1024).toFixed(2)} MB`);
if (size > mostBytes) throw new Error(`The package may have ${mostBytes} bytes at most and has ${size}.`);
