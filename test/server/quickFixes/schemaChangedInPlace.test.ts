import { expect, test } from 'vitest';
import { parseConfigObject } from '../../../core/config/parseConfigFile.js';
import type { Finding } from '../../../core/finding.js';
import { applyReplacements } from '../../../core/jsonText/jsonEdit.js';
import { placeFindings } from '../../../core/jsonText/placeFindings.js';
import { schemaChangedInPlace as rule } from '../../../core/rules/schemaChangedInPlace.js';
import { editedProject } from '../../../server/edits/editedProject.js';
import { schemaChangedInPlace } from '../../../server/quickFixes/schemaChangedInPlace.js';
import { openProject } from './support.js';

const path = 'config/agents/A2/v1.json';
const base = `{
  "agent_name": "A2",
  "version": "v1",
  "system_text": "Old.",
  "output_schema": { "type": "object", "properties": { "tone": { "type": "string", "enum": ["a", "b"] } } },
  "enums": { "tone": ["a", "b"] }
}
`;
const now = base
  .replaceAll('["a", "b"]', '["a"]')
  .replace('Old', 'New')
  .replace('"output_schema"', '"input_keys": ["x"],\n  "output_schema"');

async function offered(files: Readonly<Record<string, string>> = {}) {
  const server = await openProject({ [path]: now, ...files });
  const [inWorkspace] = server.service.workspace.projects;
  const before = parseConfigObject(base);
  const plain = editedProject(inWorkspace!, new Map());
  const project = { ...plain, ruleContext: { ...plain.ruleContext, base: () => before } };
  const document = project.documentAt(path)!;
  const file = document.config!;
  const found: Finding[] = [];
  rule.check(file, project.ruleContext, (finding) => found.push({ code: rule.code, severity: 'warning', file: path, ...finding }));
  const [finding] = placeFindings(document.text, found);
  return schemaChangedInPlace.fixes(finding!, { project, document, file });
}

test('the new contract becomes the next version that is free, and this one is as it was but for what is not a contract', async () => {
  const fixes = await offered({ 'config/agents/A2/v2.json': base.replace('"v1"', '"v2"') });
  expect(fixes.map(({ title }) => title)).toEqual(['Make this v3 and restore v1', 'Restore the contract of v1 as it was']);
  const changes = await fixes[0]!.changes();
  expect(changes[1]).toEqual({ type: 'create', path: 'config/agents/A2/v3.json', text: now.replace('"v1"', '"v3"') });
  const [edit] = changes;
  expect(edit?.type === 'edit' && applyReplacements(now, edit.replacements)).toBe(base.replace('Old', 'New'));
});

test('restoring alone is offered too', async () => {
  const fixes = await offered();
  expect(fixes).toHaveLength(2);
  expect(await fixes[1]!.changes()).toHaveLength(1);
});
