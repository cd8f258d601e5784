// The whole command's first file: CommonJS, no imports, so that `--version` costs little more than Node itself.
const [, , first, ...rest] = process.argv;

if (rest.length === 0 && (first === '--version' || first === '-V')) {
  process.stdout.write(`${process.env.AGENT_STACK_VERSION}\n`);
} else {
  // @ts-expect-error Resolved beside dist/cli.cjs, where the build puts it.
  void import('./esm/cli.js').then(({ main }: { main: (args: readonly string[]) => Promise<void> }) => main(process.argv.slice(2)));
}
