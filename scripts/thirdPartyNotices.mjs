import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const permissive = /^(MIT|ISC|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|0BSD|BlueOak-1\.0\.0)$/;

/**
 * Every bundled package with its licence text. The packages are read from what esbuild reports, so none can be forgotten.
 *
 * @param metafiles of esbuild
 * @throws when a licence is not on the list of permissive ones
 */
export function thirdPartyNotices(root, metafiles) {
  const packages = new Map();
  for (const input of metafiles.flatMap(bundledInputs)) {
    const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (folder) packages.set(folder, JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')));
  }
  const sections = [...packages]
    .sort(([, left], [, right]) => (left.name < right.name ? -1 : 1))
    .map(([folder, { name, version, license }]) => {
      if (!permissive.test(license))
        throw new Error(`${name}@${version} has the licence ${license}, which is not on the list in scripts/thirdPartyNotices.mjs`);
      return `## ${name} ${version} (${license})\n\n${licenceText(root, folder)}`;
    });
  return `# Third-party notices\n\nThe files under dist/ contain these packages.\n\n${sections.join('\n\n')}\n`;
}

/** The files that contribute to a bundle; tree shaking removes others. */
function bundledInputs({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
}

function licenceText(root, folder) {
  for (const name of ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'License.txt', 'license', 'LICENCE']) {
    try {
      return readFileSync(join(root, folder, name), 'utf8').trim();
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
  return `(No licence file in ${relative('node_modules', folder)}; see its package.json.)`;
}
