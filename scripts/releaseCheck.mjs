// `npm run release:check`: what is missing before a release, each with the place to put it. docs/releasing.md describes the release.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { missingForRelease } from './missingForRelease.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const read = (path) => readFileSync(join(root, path), 'utf8');
const missing = missingForRelease({
  manifest: JSON.parse(read('package.json')),
  changelog: read('CHANGELOG.md'),
  tag: process.env.GITHUB_REF_TYPE === 'tag' ? process.env.GITHUB_REF_NAME : undefined,
});
for (const each of missing) console.log(`- ${each}`);
console.log(missing.length === 0 ? 'Ready to release.' : `${missing.length} missing.`);
process.exitCode = missing.length === 0 ? 0 : 1;
