import type { Cli } from '../../cli/cli.js';
import { createTerminal } from '../../cli/terminal/terminal.js';
import { createKnownSecrets } from '../../core/secrets/knownSecrets.js';

/** What a program needs that a test builds itself, without an exit code. @param host of its output; the test's own by default */
export function cliFor(cwd: string, host: Parameters<typeof createTerminal>[0] = process): Cli {
  const knownSecrets = createKnownSecrets();
  return {
    terminal: createTerminal(host, ['--no-color'], knownSecrets),
    knownSecrets,
    cwd,
    env: {},
    stdin: process.stdin,
    stdout: host.stdout,
    project: undefined,
    inputHint: undefined,
    trust: { option: false },
    name: 'agent-stack',
    exit: () => undefined,
    expectJson: () => undefined,
    hasPrintedJson: () => undefined,
  };
}
