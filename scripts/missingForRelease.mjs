/** Fields of package.json with addresses that only the owner of the project can decide. None is made up. */
const addresses = {
  repository: {
    url: (value) => (typeof value === 'string' ? value : value?.url),
    what: 'the address of the source, which provenance and the pictures of the README need',
  },
  bugs: { url: (value) => (typeof value === 'string' ? value : value?.url), what: 'where users report bugs' },
  homepage: { url: (value) => value, what: 'the page of the project' },
};

/**
 * What a release lacks, in sentences. Empty when it is ready.
 *
 * @param options `manifest` is package.json, `changelog` the text of CHANGELOG.md, `tag` the git tag that is released, where there is one
 */
export function missingForRelease({ manifest, changelog, tag }) {
  const missing = [];
  for (const [field, { url, what }] of Object.entries(addresses))
    if (!isAddress(url(manifest[field]))) missing.push(`package.json: "${field}", ${what}, as an address that begins with https://.`);
  if (manifest.publisher === manifest.name)
    missing.push(
      `package.json: "publisher" is still "${manifest.publisher}"; put the id of your own publisher of the Marketplace and of Open VSX there.`,
    );
  const heading = `## [${manifest.version}]`;
  if (!changelog.split('\n').some((line) => line.startsWith(heading)))
    missing.push(`CHANGELOG.md: a section "${heading} - YYYY-MM-DD", with what "Unreleased" lists.`);
  if (tag !== undefined && tag !== `v${manifest.version}`)
    missing.push(`The tag is ${tag}; the version of package.json wants v${manifest.version}.`);
  return missing;
}

/** Whether a version is a pre-release: as the Marketplace asks, its minor number is odd. 0.1.0 is one, 0.2.0 is none. */
export function isPreRelease(version) {
  return Number(version.split('.')[1]) % 2 === 1;
}

function isAddress(text) {
  if (typeof text !== 'string') return false;
  try {
    return new URL(text.replace(/^git\+/, '')).protocol === 'https:';
  } catch {
    return false;
  }
}
