#!/usr/bin/env node
// The server's first file: editors start it as `node dist/server.cjs --stdio`.
import * as module from 'node:module';

// Since Node 22.1.
module.enableCompileCache?.();
const { main }: typeof import('./main.js') = require('./commands/server.cjs');

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
