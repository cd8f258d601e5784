// Which channel the version of package.json belongs to, as the option that a program takes: `npm` (its tag), `vsce` or `gh`.
import { readFileSync } from 'node:fs';
import { isPreRelease } from './missingForRelease.mjs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const isPre = isPreRelease(version);
const options = { npm: isPre ? 'next' : 'latest', vsce: isPre ? '--pre-release' : '', gh: isPre ? '--prerelease' : '' };
const option = options[process.argv[2]];
if (option === undefined) throw new Error('Expected npm, vsce or gh.');
console.log(option);
