// The language servers that are measured; the JSON server has the schema of agent files configured as its users do it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

const here = import.meta.dirname;
const root = join(here, '../..');
const peers = join(here, 'peers/node_modules');
const files = '**/config/agents/**/*.json';

/** @param scratch a folder for the bundle and the schema */
export function makeServers(scratch) {
  const schema = agentSchema();
  const schemaFile = join(scratch, 'agent.schema.json');
  writeFileSync(schemaFile, JSON.stringify(schema));
  const url = pathToFileURL(schemaFile).href;
  return {
    ours: { command: [process.execPath, join(root, 'dist/server.cjs'), '--stdio'] },
    json: {
      command: [process.execPath, bundleJsonServer(scratch), '--stdio'],
      initializationOptions: { provideFormatter: false },
      settings: { json: { validate: { enable: true }, schemas: [{ fileMatch: [files], url, schema }] } },
    },
  };
}

/** VS Code ships its JSON server in one file, which starts sooner than the package does. */
function bundleJsonServer(scratch) {
  const outfile = join(scratch, 'jsonServer.cjs');
  buildSync({
    entryPoints: [join(peers, 'vscode-langservers-extracted/lib/json-language-server/node/jsonServerMain.js')],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    // Its UMD build hides its own files from the bundler.
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
  return outfile;
}

/** One schema without references to other files, so that the JSON server loads nothing. */
function agentSchema() {
  const read = (name) =>
    JSON.parse(readFileSync(join(root, `schemas/${name}.schema.json`), 'utf8').replaceAll('definitions.schema.json#/', '#/'));
  const { $id: _, ...agent } = read('agent');
  return { ...agent, definitions: { ...read('definitions').definitions, ...agent.definitions } };
}
