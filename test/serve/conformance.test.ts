import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { exposedProject, startServer, token } from './support.js';

// The conformance suite of the protocol (@modelcontextprotocol/conformance) against what `serve --mcp` serves, and against our client.

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/mcp/${name}`, import.meta.url));
const suite = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly errorMessage?: string;
}

/** The suite brings no token. */
async function withToken(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const proxy = createServer((from, to) => {
    const headers = { ...from.headers, authorization: `Bearer ${token}` };
    const sent = request({ hostname, port, path: from.url, method: from.method, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(to);
    });
    sent.on('error', () => to.destroy());
    from.pipe(sent);
    to.on('close', () => sent.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
}

/** The checks of a scenario that are no success, but for those that need a server made for the suite. */
async function failedChecks(args: readonly string[]): Promise<readonly string[]> {
  const folder = temporaryFolder();
  const command = ['--import', fixture('oldNode.mjs'), suite, ...args, '--output-dir', folder];
  const { stdout } = await promisify(execFile)(process.execPath, command, { timeout: 60_000 }).catch((error) => error);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('checks.json'));
  expect(files.length, stdout).toBe(1);
  const checks = JSON.parse(readFileSync(join(folder, files[0]!), 'utf8')) as readonly Check[];
  expect(checks.some(({ status }) => status === 'SUCCESS')).toBe(true);
  return checks
    .filter(
      ({ status, errorMessage = '' }) =>
        status === 'FAILURE' && !/^Not testable: server does not list the diagnostic tool/.test(errorMessage),
    )
    .map(({ id, errorMessage }) => `${id}: ${errorMessage}`);
}

test('what is served passes the conformance suite, in both revisions', { timeout: 120_000 }, async () => {
  const { urls } = await startServer(exposedProject(), ['--mcp']);
  const url = await withToken(urls.mcp!);
  const run = (scenario: string, revision: string) =>
    failedChecks(['server', '--url', url, '--scenario', scenario, '--spec-version', revision]);
  for (const scenario of ['server-stateless', 'tools-list', 'prompts-list', 'http-header-validation', 'dns-rebinding-protection'])
    expect([scenario, await run(scenario, '2026-07-28')]).toEqual([scenario, []]);
  for (const scenario of ['server-initialize', 'ping', 'tools-list', 'prompts-list'])
    expect([scenario, await run(scenario, '2025-11-25')]).toEqual([scenario, []]);
});

test.each([
  ['request-metadata', '2026-07-28'],
  ['initialize', '2025-11-25'],
])('our client passes the scenario %s of %s', { timeout: 60_000 }, async (scenario, revision) => {
  const command = `${process.execPath} ${fixture('lists.mjs')}`;
  expect(await failedChecks(['client', '--command', command, '--scenario', scenario, '--spec-version', revision])).toEqual([]);
});
