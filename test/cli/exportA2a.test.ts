import { expect, test } from 'vitest';
import { exposedProject } from '../serve/support.js';
import { standard } from '../support/standard.js';
import { agentstack, listFiles, read, toneAgent, toneProject } from './command.js';

const card = '.well-known/agent-card.json';
const isCard = standard('a2a-1.0-agent-card');

test('writes the card of what is exposed and can run, and never replaces one unasked', async () => {
  const cwd = exposedProject({
    'config/agents/Broken/v1.json': { ...toneAgent, agent_name: 'Broken', expose: true, temperature: 9 },
    'config/agents/Talk/v1.json': { agent_name: 'Talk', version: 'v1', expose: true, system_text: 'You talk.', purpose_text: 'Talks.' },
  });
  const { code, stdout, stderr } = await agentstack(
    ['export', 'a2a', '--url', 'https://agents.test/a2a', '--name', 'Texts', '--description', 'About texts.'],
    { cwd },
  );
  expect(stdout).toBe(`wrote ${card}: Talk@v1, Tone@v1\n`);
  expect(stderr).toMatch(/^left out Broken@v1: config\/agents/);
  expect(code).toBe(0);
  const written = read(cwd, card);
  expect(isCard(JSON.parse(written)), JSON.stringify(isCard.errors)).toBe(true);
  expect(JSON.parse(written)).toEqual({
    name: 'Texts',
    description: 'About texts.',
    version: '1.0.0',
    supportedInterfaces: [{ url: 'https://agents.test/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: false, pushNotifications: false },
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: ['application/json', 'text/plain'],
    defaultOutputModes: ['application/json', 'text/plain'],
    skills: [
      {
        id: 'Talk',
        name: 'Talk@v1',
        description: 'Talks.',
        tags: ['agent'],
        inputModes: ['application/json', 'text/plain'],
        outputModes: ['text/plain'],
      },
      {
        id: 'Tone',
        name: 'Tone@v1',
        description: 'Says how a text sounds.',
        tags: ['agent'],
        inputModes: ['application/json', 'text/plain'],
        outputModes: ['application/json'],
      },
    ],
  });

  // The rules for A2A agent cards find nothing wrong with it.
  const { findings } = JSON.parse((await agentstack(['check', '--json'], { cwd })).stdout) as {
    findings: { code: string; file: string }[];
  };
  expect(findings.filter(({ code, file }) => code.startsWith('a2a/') || file === card)).toEqual([]);

  const again = await agentstack(['export', 'a2a'], { cwd });
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining(`${card} already exists. Replace it with --force.`) });
  expect(read(cwd, card)).toBe(written);
  const forced = await agentstack(['export', 'a2a', '--force'], { cwd });
  expect(forced).toMatchObject({ code: 0, stderr: expect.stringContaining('name yours with --url') });
  expect(read(cwd, card)).not.toBe(written);
});

test('with nothing exposed, or an address that is none, writes nothing', async () => {
  const cwd = toneProject();
  expect(await agentstack(['export', 'a2a'], { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining('"expose": true') });
  expect(await agentstack(['export', 'a2a', '--url', 'javascript:x'], { cwd })).toMatchObject({ code: 2 });
  expect(listFiles(cwd)).not.toContain(card);
});
