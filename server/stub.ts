// The server's first file: CommonJS, so that editors can start it as `node dist/server.cjs --stdio`. Everything else is split into modules that
// load when they are needed.
// @ts-expect-error Resolved beside dist/server.cjs, where the build puts it.
void import('./esm/server.js').then(({ main }: { main: (args: readonly string[]) => Promise<void> }) => main(process.argv.slice(2)));
