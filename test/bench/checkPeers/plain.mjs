// The least a check can be: walk, read, JSON.parse, the same compiled validators. Prints how many files are no JSON and how many do not fit.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as validators from '../../../core/generated/validators.js';

const byFolder = new Map([
  ['agents', validators.agent],
  ['llms', validators.llm],
  ['personas', validators.persona],
  ['prompts', validators.prompt],
  ['environments', validators.system],
]);
const counts = { files: 0, syntax: 0, schema: 0 };
const config = join(process.argv[2], 'config');

check(join(process.argv[2], 'agentstack.json'), validators.agentstack);
check(join(config, 'system.json'), validators.system);
for (const [folder, validate] of byFolder) walk(join(config, folder), validate);
console.log(JSON.stringify(counts));

function walk(folder, validate) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) walk(path, validate);
    else if (entry.name.endsWith('.json')) check(path, validate);
  }
}

function check(path, validate) {
  counts.files += 1;
  let value;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    counts.syntax += 1;
    return;
  }
  if (!validate(value)) counts.schema += 1;
}
