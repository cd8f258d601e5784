import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DocumentDiagnosticReport, RelatedFullDocumentDiagnosticReport, WorkspaceDiagnosticReport } from 'vscode-languageserver';
import { fullCapabilities, type LspClient, pushCapabilities, startServer } from '../../support/lspClient.js';
import { agentText, llmText } from '../agents.js';

const one = 'config/agents/A2/v1.json';
const two = 'config/agents/B/v1.json';
const main = 'config/llms/main.json';
const persona = 'config/personas/kind.json';
const spare = 'config/llms/spare.json';

const pull = ({ request, uri }: LspClient, path: string, previousResultId?: string) =>
  request<DocumentDiagnosticReport>('textDocument/diagnostic', { textDocument: { uri: uri(path) }, previousResultId });

/** The codes of a full report. */
async function codes(client: LspClient, path: string): Promise<readonly unknown[]> {
  const report = await pull(client, path);
  return report.kind === 'full' ? report.items.map(({ code }) => code) : [report.kind];
}

describe('diagnostics that are asked for', () => {
  test('have an exact range, the page of the rule, related places and what a fix needs', async () => {
    const files = { [one]: '{"agent_name": "A2", "version": "v1",\n  "version": "v2"}' };
    const client = await startServer({ files });
    client.open(one);
    const report = (await pull(client, one)) as RelatedFullDocumentDiagnosticReport;
    const duplicate = report.items.find(({ code }) => code === 'duplicate-key');
    expect(duplicate).toMatchObject({
      range: { start: { line: 1, character: 2 }, end: { line: 1, character: 11 } },
      severity: 1,
      source: 'agentstack',
      codeDescription: { href: expect.stringMatching(/^file:.*\/docs\/rules\/duplicate-key\.md$/) },
      relatedInformation: [
        { location: { uri: client.uri(one), range: { start: { line: 0, character: 21 }, end: { line: 0, character: 30 } } } },
      ],
      data: { pointer: expect.any(String) },
    });
  });

  test('are named by a result id, and only named when they are the same as before', async () => {
    const client = await startServer({ files: { [one]: agentText({ temperature: 9 }), [main]: llmText('main') } });
    client.open(one);
    const first = await pull(client, one);
    expect(first).toMatchObject({ kind: 'full', resultId: expect.any(String), items: [{ code: 'schema' }] });
    expect(await pull(client, one, first.resultId)).toEqual({ kind: 'unchanged', resultId: first.resultId });
    client.change(one, agentText({ temperature: 8 }));
    expect(await pull(client, one, first.resultId)).toMatchObject({ kind: 'full' });
  });

  test('follow ranged changes, one after the other in the same message', async () => {
    const client = await startServer({ files: { [one]: agentText({ temperature: 9 }), [main]: llmText('main') } });
    client.open(one);
    expect(await codes(client, one)).toEqual(['schema']);
    const lines = agentText({ temperature: 9 }).split('\n');
    const line = lines.findIndex((text) => text.includes('temperature'));
    const character = lines[line]!.indexOf('9');
    client.change(one, [
      { range: { start: { line, character }, end: { line, character: character + 1 } }, text: '0.55' },
      { range: { start: { line, character: character + 3 }, end: { line, character: character + 4 } }, text: '' },
    ]);
    expect(await codes(client, one)).toEqual([]);
  });

  test('count in UTF-16, also for a client that prefers another encoding, with CRLF and emoji, both ways', async () => {
    const text = '{"agent_name": "A2",\r\n"version": "v1",\r\n"description": "é😀", "temperature": 9}';
    const capabilities = { ...fullCapabilities, general: { positionEncodings: ['utf-8', 'utf-16'] } };
    const client = await startServer({ files: { [one]: text, [main]: llmText('main') }, capabilities });
    expect(client.initialized.capabilities.positionEncoding).toBe('utf-16');
    client.open(one);
    const report = (await pull(client, one)) as RelatedFullDocumentDiagnosticReport;
    const found = report.items.find(({ code }) => code === 'schema');
    const character = '"description": "é😀", "temperature": '.length;
    expect(found?.range).toEqual({ start: { line: 2, character }, end: { line: 2, character: character + 1 } });
    client.change(one, [{ range: found!.range, text: '"😀"' }]);
    const after = (await pull(client, one)) as RelatedFullDocumentDiagnosticReport;
    const changed = after.items.find(({ data }) => data.pointer === '/temperature');
    expect(changed?.range).toEqual({ start: { line: 2, character }, end: { line: 2, character: character + 4 } });
  });

  test('are asked for again when a change in one file concerns another that is open, and only then', async () => {
    const files = {
      [one]: agentText({ persona_key: 'kind', purpose_text: undefined }),
      [two]: agentText({}, 'B'),
      [main]: llmText('main'),
      [persona]: '{"purpose_text": "Choose."}',
    };
    const client = await startServer({ files });
    for (const path of [one, two, persona]) client.open(path);
    expect([await codes(client, one), await codes(client, two), await codes(client, persona)]).toEqual([[], [], []]);
    // Every file has been read by now, so nothing else asks for a refresh.
    await client.request('workspace/diagnostic', { previousResultIds: [] });
    expect(client.refreshes()).toBe(0);
    client.change(two, agentText({ description: 'Nobody depends on this.' }, 'B'));
    await pull(client, two);
    client.change(persona, '{"temperature": 0.5}');
    await client.until(() => client.refreshes() > 0);
    expect(client.refreshes()).toBe(1);
    expect(await codes(client, one)).toEqual(['effective-config-incomplete']);
    expect(await codes(client, two)).toEqual([]);
  });

  test('of other open files come along where the client takes them', async () => {
    const files = {
      [one]: agentText({ persona_key: 'kind', purpose_text: undefined }),
      [main]: llmText('main'),
      [persona]: '{"purpose_text": "Choose."}',
    };
    const client = await startServer({ files });
    for (const path of [one, persona]) client.open(path);
    expect([await codes(client, one), await codes(client, persona)]).toEqual([[], []]);
    client.change(persona, '{"temperature": 0.5}');
    const report = (await pull(client, persona)) as RelatedFullDocumentDiagnosticReport;
    expect(report.relatedDocuments).toMatchObject({
      [client.uri(one)]: { kind: 'full', items: [{ code: 'effective-config-incomplete' }] },
    });
  });

  test('follow files that change outside the editor, which the server asks to be told of', async () => {
    const client = await startServer({
      files: { [one]: agentText({ llm_config_id: 'main' }), 'config/llms/other.json': llmText('other') },
    });
    await client.until(() => client.registered.has('workspace/didChangeWatchedFiles'));
    client.open(one);
    expect(await codes(client, one)).toEqual(['unknown-llm']);
    client.write(main, llmText('main'));
    await client.until(() => client.refreshes() > 0);
    expect(await codes(client, one)).toEqual([]);
    client.write('config', undefined);
    expect(await codes(client, one)).toEqual(['unknown-llm']);
  });

  test('follow the disk without a report when the client says to look again', async () => {
    const client = await startServer({
      files: { [one]: agentText({ llm_config_id: 'main' }), 'config/llms/other.json': llmText('other') },
    });
    client.open(one);
    expect(await codes(client, one)).toEqual(['unknown-llm']);
    await client.request('workspace/diagnostic', { previousResultIds: [] });
    const before = client.refreshes();
    writeFileSync(join(client.root, main), llmText('main'));
    client.notify('agentStack/lookAgain', null);
    await client.until(() => client.refreshes() > before);
    expect(await codes(client, one)).toEqual([]);
  });

  test('take what is typed for what counts, saved or not, and the disk again once it is closed', async () => {
    const client = await startServer({ files: { [one]: agentText({ llm_config_id: 'main' }), [main]: llmText('main') } });
    client.open(one);
    client.open(main, '{"llm_id": "main", "temperature": 9}');
    expect(await codes(client, main)).toContain('schema');
    client.write(main, '{"llm_id": "main", "temperature": "hot"}');
    expect(await codes(client, main)).toContain('schema');
    client.write(main, llmText('main'));
    client.close(main);
    expect(await codes(client, main)).toEqual([]);
  });
});

describe('diagnostics of the workspace', () => {
  const files = { [one]: agentText({ temperature: 9 }), [two]: agentText({ temperature: 8 }, 'B'), [main]: llmText('main') };
  const ask = (client: LspClient, params: object) => client.request<WorkspaceDiagnosticReport>('workspace/diagnostic', params);

  test('name what has not changed, clear what is gone, and leave out what was never wrong', async () => {
    const client = await startServer({ files });
    const first = await ask(client, { previousResultIds: [] });
    expect(first.items.map(({ uri }) => uri)).toEqual([client.uri(one), client.uri(two)]);
    client.write(two, undefined);
    const previousResultIds = first.items.map(({ uri, resultId }) => ({ uri, value: resultId }));
    const second = await ask(client, { previousResultIds });
    expect(second.items).toMatchObject([
      { uri: client.uri(one), kind: 'unchanged', resultId: first.items[0]!.resultId },
      { uri: client.uri(two), kind: 'full', items: [] },
    ]);
  });

  test('are about agentstack.json and what cannot be read, too', async () => {
    const client = await startServer({
      files: { ...files, 'agentstack.json': '{"rules": {"schema": "loud"}}', 'config/agents/A2/v2.json/x': '' },
    });
    const { items } = await ask(client, { previousResultIds: [] });
    expect(items.map(({ uri }) => uri)).toContain(client.uri('agentstack.json'));
    expect(items.find(({ uri }) => uri === client.uri('config/agents/A2/v2.json'))).toMatchObject({
      items: [{ data: { reason: 'is-directory' } }],
    });
  });

  test('come in parts, with progress, where the client wants that', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 150 }, (_, at) => [`config/agents/N${at}/v1.json`, agentText({ temperature: 9 }, `N${at}`)]),
    );
    const client = await startServer({ files: { ...many, [main]: llmText('main') } });
    const arrived: { token: unknown; value: { kind?: string; items?: readonly unknown[] } }[] = [];
    client.connection.onNotification('$/progress', (params) => {
      arrived.push(params);
    });
    const answer = await ask(client, { previousResultIds: [], workDoneToken: 'work', partialResultToken: 'parts' });
    const parts = arrived.filter(({ token }) => token === 'parts').map(({ value }) => value.items!.length);
    expect([...parts, answer.items.length]).toEqual([64, 64, 22]);
    const kinds = arrived.filter(({ token }) => token === 'work').map(({ value }) => value.kind);
    expect([kinds[0], kinds.at(-1)]).toEqual(['begin', 'end']);
  });

  test('end when they are cancelled', async () => {
    const client = await startServer({ files });
    const id = 'cancelled';
    const answer = new Promise<{ error?: { code: number } }>((resolve) => {
      client.process.stdout!.on('data', (chunk: Buffer) => {
        const found = /\{"jsonrpc":"2\.0","id":"cancelled".*\}/.exec(chunk.toString());
        if (found !== null) resolve(JSON.parse(found[0]));
      });
    });
    const messages = [
      { jsonrpc: '2.0', id, method: 'workspace/diagnostic', params: { previousResultIds: [] } },
      { jsonrpc: '2.0', method: '$/cancelRequest', params: { id } },
    ].map((message) => JSON.stringify(message));
    // In one piece: the answer for so few files may be quicker than a second one.
    client.process.stdin!.write(messages.map((text) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`).join(''));
    expect((await answer).error?.code).toBe(-32800);
  });
});

describe('diagnostics that are sent', () => {
  const start = (files: Readonly<Record<string, string>>, settings?: unknown) =>
    startServer({ files, capabilities: pushCapabilities, settings });

  test('come for an open document, with its version, and after every change', async () => {
    const client = await start({ [one]: agentText({ temperature: 9 }), [main]: llmText('main') });
    expect(client.initialized.capabilities.diagnosticProvider).toBeUndefined();
    client.open(one);
    expect(await client.published(one)).toMatchObject([{ code: 'schema' }]);
    client.change(one, agentText());
    expect(await client.published(one)).toEqual([]);
  });

  test('of a burst of changes are those of the last', async () => {
    const client = await start({ [one]: agentText(), [main]: llmText('main') });
    client.open(one);
    for (let temperature = 3; temperature < 53; temperature++) client.change(one, agentText({ temperature }));
    expect(await client.published(one)).toMatchObject([{ code: 'schema' }]);
    expect(client.publications.length).toBeLessThan(20);
  });

  test('come for the open files that a change concerns, and for no other', async () => {
    const files = {
      [one]: agentText({ persona_key: 'kind', purpose_text: undefined }),
      [two]: agentText({}, 'B'),
      [main]: llmText('main'),
      [persona]: '{"purpose_text": "Choose."}',
    };
    const client = await start(files);
    for (const path of [one, two, persona]) client.open(path);
    for (const path of [one, two, persona]) expect(await client.published(path)).toEqual([]);
    const before = client.publications.length;
    client.change(persona, '{"temperature": 0.5}');
    await client.until(() => client.publications.some(({ uri, diagnostics }) => uri === client.uri(one) && diagnostics.length > 0));
    expect(client.publications.slice(before).map(({ uri }) => uri)).toEqual([client.uri(persona), client.uri(one)]);
  });

  test('are taken back when the document is closed', async () => {
    const client = await start({ [one]: agentText({ temperature: 9 }), [main]: llmText('main') });
    client.open(one);
    await client.published(one);
    client.close(one);
    await client.until(() => client.publications.at(-1)?.diagnostics.length === 0);
    expect(client.publications.at(-1)).toEqual({ uri: client.uri(one), diagnostics: [] });
  });

  test('have the severities of the client, also when they change', async () => {
    const client = await start(
      { [one]: agentText({ llm_config_id: 'main' }), [main]: llmText('main'), [spare]: llmText('spare') },
      { rules: { 'unused-llm': 'error' } },
    );
    client.open(spare);
    await client.until(() => client.publications.some(({ diagnostics }) => diagnostics[0]?.severity === 1));
  });
});
