// `npm run schema:catalog`: prints the entries for SchemaStore's catalog.json, and writes each schema to dist/schemastore with everything that it refers to
// inside, so that no other file has to be fetched. Their address comes from "repository" of package.json.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalogOf, wholeSchema } from './schemaStore.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const readSchema = (name) => JSON.parse(readFileSync(join(root, 'schemas', name), 'utf8'));
const { repository, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const address = (typeof repository === 'string' ? repository : repository?.url)?.replace(/^git\+/, '').replace(/\.git$/, '');
if (address === undefined) {
  console.error('package.json has no "repository", from which the address of the schemas is made. See docs/releasing.md.');
  process.exit(1);
}
const entries = catalogOf(`${address}/releases/download/v${version}`);
mkdirSync(join(root, 'dist/schemastore'), { recursive: true });
for (const { name, file } of entries.map(({ url, name }) => ({ name, file: url.slice(url.lastIndexOf('/') + 1) }))) {
  writeFileSync(join(root, 'dist/schemastore', file), `${JSON.stringify(wholeSchema(file, readSchema), null, 2)}\n`);
  console.error(`dist/schemastore/${file}: ${name}`);
}
console.log(JSON.stringify(entries, null, 2));
