import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sampleFiles } from '../../scripts/sample.mjs';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const agents = readdirSync(join(root, 'config/agents')).sort();
const orchestrations = readdirSync(join(root, 'config/orchestrations')).map((name) => name.replace('.json', ''));

interface Step {
  readonly id: string;
  readonly completionEvents: readonly string[];
}

const steps: readonly Step[] = JSON.parse(read('package.json')).contributes.walkthroughs[0].steps;
const sources = readdirSync(join(root, 'client'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));

describe('the walkthrough', () => {
  test.each(steps.map(({ id, completionEvents }) => [id, completionEvents]))('%s is done when it has succeeded', (_id, events) => {
    expect(events).toHaveLength(1);
    const [, step] = /^onContext:agentStack\.done\.(\w+)$/.exec(String(events[0])) ?? [];
    expect(step).toBeDefined();
    expect(sources.some((text) => text.includes(`done('${step}')`))).toBe(true);
  });

  test('shows graph, tools, orchestrations and tests', () => {
    expect(steps.map(({ id }) => id)).toEqual(expect.arrayContaining(['graph', 'tools', 'orchestration', 'payload']));
  });

  test('counts the agents that there are', () => {
    const numbers = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
    const words: Record<string, string> = JSON.parse(read('package.nls.json'));
    const said = words['walkthrough.sample.description']!.toLowerCase();
    expect(said).toContain(`${numbers[agents.length]} agents`);
    expect(orchestrations).toHaveLength(1);
    expect(said).toContain('an orchestration');
  });

  test.each(['sample.md', 'sample.de.md'])('%s lists them all', (page) => {
    const text = read(`client/media/walkthrough/${page}`);
    expect([...text.matchAll(/^\| \*\*(\w+)\*\* \|/gm)].map(([, name]) => name).sort()).toEqual(agents);
    for (const name of orchestrations) expect(text).toContain(name);
  });
});

describe('the sample project', () => {
  const files: Readonly<Record<string, string>> = sampleFiles(root);

  test('has a README that lists all agents and leads to files that are there', () => {
    const text = files['README.md'] ?? '';
    expect([...text.matchAll(/^\| \[(\w+)\]/gm)].map(([, name]) => name).sort()).toEqual(agents);
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => String(path));
    expect(links.length).toBeGreaterThan(agents.length);
    expect(links.filter((path) => files[path] === undefined)).toEqual([]);
  });
});
