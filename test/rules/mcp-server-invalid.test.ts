import { expect, test } from 'vitest';
import { splitCommand } from '../../core/commandLine.js';
import { checkRule } from '../support/checkRule.js';

test('a command that is a whole command line is marked', () =>
  checkRule('mcp-server-invalid')(`--- config/mcp.json
{
  "servers": {
    "a": { "command": "npx -y some-server" },
//                    ^^^^^^^^^^^^^^^^^^^^ mcp-server-invalid command names one program, and "npx -y some-server" is a whole command line, so the server cannot start. Write "command": "npx" and put the rest into args.
    "b": { "command": "npx", "args": ["-y", "some-server"] },
    "c": { "command": "/Applications/My App/server" }
  }
}`));

test.each([
  ['npx -y "a b" c', ['npx', '-y', 'a b', 'c']],
  ['/usr/bin/node --flag x.js', ['/usr/bin/node', '--flag', 'x.js']],
  ['  node  server.js ', ['node', 'server.js']],
  ['node', undefined],
  ['/Users/me/My Tools/run', undefined],
  ['C:\\Program Files\\node.exe', undefined],
])('the words of %j', (command, words) => {
  expect(splitCommand(command)).toEqual(words);
});
