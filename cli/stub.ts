#!/usr/bin/env node
// The command's first file. `--version` costs little more than starting Node; everything else is in commands/cli.cjs.
import * as module from 'node:module';

const [, , first, ...rest] = process.argv;

if (rest.length === 0 && (first === '--version' || first === '-V')) {
  process.stdout.write(`${process.env.AGENT_STACK_VERSION}\n`);
} else {
  // Since Node 22.1.
  module.enableCompileCache?.();
  const { main }: typeof import('./main.js') = require('./commands/cli.cjs');
  void main(process.argv.slice(2));
}
