import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClientCapabilities, CompletionList } from 'vscode-languageserver';
import { documentOf } from '../../support/documentOf.js';
import { runs, triesAll } from '../../support/effort.js';
import { samplePlaces } from '../../support/samplePlaces.js';
import { type Harness, openServer } from '../../support/serverHarness.js';
import { taken } from './applyCompletion.js';

/** The example project of the repository. */
function sampleFiles(folder: string): Record<string, string> {
  const files: Record<string, string> = { 'agentstack.json': readFileSync('agentstack.json', 'utf8') };
  const visit = (path: string) => {
    for (const name of readdirSync(path)) {
      const inner = join(path, name);
      if (statSync(inner).isDirectory()) visit(inner);
      else files[inner] = readFileSync(inner, 'utf8');
    }
  };
  visit(folder);
  return files;
}

const escaped = (text: string) => text.replaceAll('|', '||');
const samples = sampleFiles('config');
const plainClient: ClientCapabilities = { textDocument: { completion: {} } };
const everyAbility: ClientCapabilities = {
  textDocument: {
    completion: {
      completionItem: {
        snippetSupport: true,
        insertReplaceSupport: true,
        commitCharactersSupport: true,
        tagSupport: { valueSet: [1] },
        insertTextModeSupport: { valueSet: [1, 2] },
        resolveSupport: { properties: ['documentation'] },
      },
    },
  },
};

async function openSamples(client?: ClientCapabilities): Promise<Harness> {
  const files = Object.fromEntries(Object.entries(samples).map(([path, text]) => [path, escaped(text)]));
  return openServer(files, { variables: { HOME: '/x' }, ...(client && { client }) });
}

async function itemsAt(server: Harness, path: string, text: string, offset: number) {
  const position = documentOf(text).positionAt(offset);
  const answer = await server.request<CompletionList | null>('textDocument/completion', {
    textDocument: { uri: server.uri(path) },
    position,
  });
  return answer?.items ?? [];
}

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** The first cases of a data set stand for all of them, and inside a long text nothing changes from one letter to the next. */
function everyPlace(text: string): readonly number[] {
  const isInWords = (offset: number) => /[\w ]/.test(text[offset - 1] ?? '') && /[\w ]/.test(text[offset] ?? '');
  return Array.from(Array(Math.min(text.length, 4_000) + 1).keys()).filter((offset) => offset % 5 === 0 || !isInWords(offset));
}

test('at any offset of a valid file every item leaves valid JSON', { timeout: 600_000 }, async () => {
  const server = await openSamples(everyAbility);
  const sample = samplePlaces(samples);
  let changes = 0;
  for (const [path, text] of Object.entries(samples)) {
    server.edit(path, escaped(text));
    const seen = new Set<string>();
    for (const offset of triesAll ? everyPlace(text) : sample.get(path)!) {
      for (const item of await itemsAt(server, path, text, offset)) {
        for (const mode of ['insert', 'replace'] as const) {
          const change = JSON.stringify([item.textEdit, item.additionalTextEdits, mode]);
          if (seen.has(change)) continue;
          seen.add(change);
          changes += 1;
          // What is kept of the word behind the cursor may be anything but not break the file.
          if (!isJson(taken(text, item, mode))) expect({ path, offset, item, after: taken(text, item, mode) }).toBe('valid');
        }
      }
    }
  }
  expect(changes).toBeGreaterThan(triesAll ? 10_000 : 2_000);
});

test('a client without snippets gets values that can stand as they are', { timeout: 60_000 }, async () => {
  const server = await openSamples(plainClient);
  for (const [path, text] of Object.entries(samples)) {
    server.edit(path, escaped(text));
    for (let offset = 0; offset <= text.length; offset += triesAll ? 13 : 97) {
      for (const item of await itemsAt(server, path, text, offset)) {
        if (!isJson(taken(text, item))) expect({ path, offset, item, after: taken(text, item) }).toBe('valid');
      }
    }
  }
});

test('a file that is cut off, or has something put into it, is answered all the same', { timeout: 60_000 }, async () => {
  const server = await openSamples(everyAbility);
  const paths = Object.keys(samples);
  const pieces = fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '{{', '${', '"a": ', 'nul', '\n', '\r\n', '😀', '\\', '// x');
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), fc.nat(), fc.nat(), pieces, async (path, from, length, piece) => {
      const text = samples[path] ?? '';
      const start = from % (text.length + 1);
      const edited = text.slice(0, start) + piece + text.slice(start + (length % 40));
      server.edit(path, escaped(edited));
      const offset = Math.min(start + piece.length, edited.length);
      for (const item of await itemsAt(server, path, edited, offset)) taken(edited, item);
      server.edit(path, escaped(text));
    }),
    { numRuns: runs(60, 300) },
  );
});
