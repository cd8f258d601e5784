// The server's first file, so that editors can start it as `node dist/server.cjs --stdio`. Everything else is beside it, split into files that load
// when they are needed.
const { main }: typeof import('./main.js') = require('./commands/server.cjs');

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
