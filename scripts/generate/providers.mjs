/** From core/builtInProviders.ts and the folders of providers: the lists of them, and their names in the schema of configs. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const banner = '// Made by scripts/generate.mjs from core/builtInProviders.ts. Add the provider there, not here.\n';

export function providerNamesIn(root) {
  const text = readFileSync(join(root, 'core/builtInProviders.ts'), 'utf8');
  return [...text.matchAll(/^ {2}\[\s*'(\w+)',/gm)].map(([, name]) => name);
}

/** The providers with an implementation in core, in the order of their names. */
export function providersOf(root, names) {
  return listOf(root, names, { suffix: '', type: 'LlmProvider', constant: 'providers', comment: 'The providers that core can call.' });
}

/** The facts are apart: rules need them, and load no implementation. */
export function providerFactsOf(root, names) {
  const comment = 'What is known of vendors without asking them; a vendor that is not here has nothing of its own.';
  return listOf(root, names, { suffix: 'Facts', type: 'ProviderFacts', constant: 'providerFacts', comment });
}

/** Apart from the facts as well: only completion and hover need so many words. */
export function providerOptionsOf(root, names) {
  const comment = 'The options of profiles, by provider; one that is not here has none that are documented.';
  return listOf(root, names, { suffix: 'Options', type: 'ProviderOptions', constant: 'providerOptions', comment });
}

function listOf(root, names, { suffix, type, constant, comment }) {
  const all = names
    .map((name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()))
    .map((folder) => ({ name: `${folder}${suffix}`, path: `llm/providers/${folder}/${folder}${suffix}` }))
    .filter(({ path }) => existsSync(join(root, 'core', `${path}.ts`)));
  return `${banner}${all.map(({ name, path }) => `import { ${name} } from '../${path}.js';`).join('\n')}
import type { ${type} } from '../llm/providers/provider.js';

/** ${comment} */
export const ${constant}: readonly ${type}[] = [
${all.map(({ name }) => `  ${name},`).join('\n')}
];
`;
}

/** Puts the names of all providers into the examples of `provider`, and a name that its description lacks to the end of those there. */
export function addProviderNames(folder, schemas, names) {
  const file = join(folder, 'definitions.schema.json');
  const { provider } = schemas.get('definitions').definitions;
  const missing = names.filter((name) => !new RegExp(`\\b${name}\\b`).test(provider.description));
  const description = provider.description.replace(', or one that', `${missing.map((name) => `, ${name}`).join('')}, or one that`);
  if (missing.length === 0 && provider.examples.join() === names.join()) return;
  const examples = `"examples": [${names.map((name) => `"${name}"`).join(', ')}]`;
  const text = readFileSync(file, 'utf8').replace(JSON.stringify(provider.description), () => JSON.stringify(description));
  const start = text.indexOf('"provider": {\n      "description": "Who serves');
  writeFileSync(file, text.slice(0, start) + text.slice(start).replace(/"examples": \[[^\]]*\]/, examples));
  Object.assign(provider, { description, examples: [...names] });
}
