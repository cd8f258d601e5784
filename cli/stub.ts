// The whole command's first file: CommonJS, no imports, so that `--version` costs little more than Node itself.
const [, , first, ...rest] = process.argv;

if (rest.length === 0 && (first === '--version' || first === '-V')) {
  process.stdout.write(`${process.env.AGENT_STACK_VERSION}\n`);
} else {
  // Beside dist/cli.cjs, where the build puts it.
  const { main }: typeof import('./main.js') = require('./commands/cli.cjs');
  void main(process.argv.slice(2));
}
