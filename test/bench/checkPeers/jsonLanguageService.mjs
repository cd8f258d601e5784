// What an editor does with the same files and schemas: vscode-json-languageservice in this process, one document after the other.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

// Its CommonJS build: the other one is for bundlers.
const require = createRequire(join(import.meta.dirname, '../peers/package.json'));
const { getLanguageService } = require('vscode-json-languageservice');
const { TextDocument } = require('vscode-languageserver-textdocument');

const schemas = join(import.meta.dirname, '../../../schemas');
const folders = { agents: 'agent', llms: 'llm', personas: 'persona', prompts: 'prompt', environments: 'system' };
const read = (name) => JSON.parse(readFileSync(join(schemas, `${name}.schema.json`), 'utf8'));

const service = getLanguageService({ workspaceContext: { resolveRelativePath: (path) => `agent-stack:${path}` } });
service.configure({
  validate: true,
  schemas: [
    { uri: 'agent-stack:definitions.schema.json', schema: read('definitions') },
    { uri: 'agent-stack:agentstack.schema.json', fileMatch: ['/agentstack.json'], schema: read('agentstack') },
    { uri: 'agent-stack:system.schema.json', fileMatch: ['/config/system.json', '/config/environments/*.json'], schema: read('system') },
    ...['agent', 'llm', 'persona', 'prompt'].map((kind) => ({
      uri: `agent-stack:${kind}.schema.json`,
      fileMatch: [`/config/${kind}s/**/*.json`],
      schema: read(kind),
    })),
  ],
});

const counts = { files: 0, faulty: 0 };
const root = process.argv[2];
await check('/agentstack.json');
await check('/config/system.json');
for (const folder of Object.keys(folders)) await walk(`/config/${folder}`);
console.log(JSON.stringify(counts));

async function walk(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) await walk(path);
    else if (entry.name.endsWith('.json')) await check(path);
  }
}

async function check(path) {
  counts.files += 1;
  const document = TextDocument.create(`file://${path}`, 'json', 1, readFileSync(join(root, path), 'utf8'));
  const diagnostics = await service.doValidation(document, service.parseJSONDocument(document), {
    comments: 'error',
    trailingCommas: 'error',
  });
  if (diagnostics.length > 0) counts.faulty += 1;
}
