import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const permissive = /^(MIT|ISC|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|0BSD|BlueOak-1\.0\.0)$/;

/**
 * Every bundled package with its licence text. The packages are read from what esbuild reports, so none can be forgotten.
 *
 * @param metafiles of esbuild
 * @throws when a licence is not on the list of permissive ones, or its text is nowhere
 */
export function thirdPartyNotices(root, metafiles) {
  const packages = new Map();
  for (const input of metafiles.flatMap(bundledInputs)) {
    const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (folder) packages.set(folder, JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')));
  }
  const sections = [...packages]
    .sort(([, left], [, right]) => (left.name < right.name ? -1 : 1))
    .map(([folder, manifest]) => {
      const { name, version, license } = manifest;
      if (!permissive.test(license))
        throw new Error(`${name}@${version} has the licence ${license}, which is not on the list in scripts/thirdPartyNotices.mjs`);
      return `## ${name} ${version} (${license})\n\n${licenceText(join(root, folder), manifest)}`;
    });
  return `# Third-party notices\n\nThe files under dist/ contain these packages.\n\n${sections.join('\n\n')}\n`;
}

/** The files that contribute to a bundle; tree shaking removes others. */
function bundledInputs({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
}

/** Licences and notices are handed on whole, also those of what a package contains itself. */
const licenceFile = /^(?:licen[cs]e|copying|notice|third-?party-?notices?)(?:[.-]|$)/i;

function licenceText(folder, { name, license, author }) {
  const texts = readdirSync(folder)
    .filter((file) => licenceFile.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length > 0) return texts.join('\n\n');
  const owner = (author?.name ?? author)?.replace(/ *[<(].*/, '');
  const text = inReadme(folder) ?? (license === 'MIT' && owner !== undefined ? mit(owner) : undefined);
  if (text === undefined) throw new Error(`${name} has no licence file: add the text of its licence to scripts/thirdPartyNotices.mjs`);
  return text;
}

/** The section of a README that holds the whole text. */
function inReadme(folder) {
  const readme = readdirSync(folder).find((file) => /^readme(?:\.|$)/i.test(file));
  const text = readme === undefined ? '' : readFileSync(join(folder, readme), 'utf8');
  const section = text.split(/^#+ */m).find((each) => /^licen[cs]e *$/im.test(each.split('\n', 1)[0])) ?? '';
  const words = section.slice(section.indexOf('\n') + 1).trim();
  return words.includes('Permission is hereby granted') ? words : undefined;
}

/** https://spdx.org/licenses/MIT.html, for packages that only name it. */
function mit(owner) {
  return `MIT License

Copyright (c) ${owner}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}
