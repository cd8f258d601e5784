import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { identifyFile } from '../../core/config/paths.js';
import { placeAt } from '../../core/debug/places.js';
import { repository } from '../cli/command.js';

const files = readdirSync(join(repository, 'config'), { recursive: true, encoding: 'utf8' })
  .map((file) => `config/${file.replaceAll('\\', '/')}`)
  .filter((file) => /\.(json|md)$/.test(file));

const settings = { config_dir: 'config' };
const launched = { orchestration: 'issue_intake', payload: 'config/payloads/issue_intake/outage.json' };

function answersIn(file: string, text: string) {
  return text.split('\n').map((_, index) => {
    const place = placeAt({ file, identity: identifyFile(file, settings), text, launched }, index + 1);
    return 'reason' in place ? place.reason : 'expectation' in place ? 'expectation' : place.kinds.flat().join();
  });
}

describe('a breakpoint on any line', () => {
  test.each(files)('of %s stops somewhere, or says in a sentence why not', (file) => {
    const text = readFileSync(join(repository, file), 'utf8');
    for (const answer of answersIn(file, text))
      expect(answer).toMatch(/^(?:(?:model|answer|tool|tool_answer|route|expectation|,)+|[A-Z].*\.)$/);
  });

  test.each(files)('of %s never throws while the file is being written', (file) => {
    const text = readFileSync(join(repository, file), 'utf8');
    for (let part = 1; part < 8; part += 1) answersIn(file, text.slice(0, Math.floor((text.length * part) / 8)));
    answersIn(file, text.replaceAll('"', '\u2028'));
    answersIn(file, `\ufeff${text.replaceAll('\n', '\r\n')}`);
  });
});
