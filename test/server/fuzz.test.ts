import { expect, test } from 'vitest';
import { fuzzDocuments } from '../fuzz/documentFuzzer.js';
import { largeAgent } from '../support/largeAgents.js';
import { llmText } from './agents.js';

/** `npm run fuzz` does 100,000. */
const documents = 300;
const seed = process.env.TEST_SEED === 'random' ? Math.floor(Math.random() * 2 ** 32) : 20_261_122;

test(`${documents} random documents crash nothing, and what is found in them is what a fresh start finds`, async () => {
  const report = await fuzzDocuments({ seed, documents });
  expect(report.documents).toBe(documents);
  // It means something only when the texts reach the rules, broken or not.
  expect(report.validDocuments).toBeGreaterThan(documents / 10);
  expect(report.codes.length).toBeGreaterThan(25);
}, 300_000);

test('random edits of a large agent show what a fresh start shows', async () => {
  const files = { 'config/agents/A2/v1.json': JSON.stringify(largeAgent, null, 2), 'config/llms/a.json': llmText('a') };
  const report = await fuzzDocuments({ seed, documents: 50, files });
  expect(report.documents).toBe(50);
  expect(report.validDocuments).toBeGreaterThan(5);
}, 300_000);
