import { beforeEach, expect, test } from 'vitest';
import { DocumentPublisher } from '../../server/documentPublisher.js';
import { documentDiagnostics } from '../../server/features/documentDiagnostics.js';

/** Whether a client that asks once, and then only when it is told to, comes to the findings that count: whatever changes while it is answered. */

const uri = 'file:///project/prompt.md';
const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

let id: string;
/** What computing a report waits for, a schema that is loaded for instance. */
let loading: Promise<void>;
let loaded: () => void;
let refreshes: number;

function open() {
  const project = {};
  const document = { uri, path: 'prompt.md', version: 1 };
  const workspace = { openDocuments: [document], projectOf: () => project, document: () => document };
  const diagnosis = {
    reported: new Map(),
    async reportOf() {
      const atStart = { id, items: [] };
      await loading;
      return atStart;
    },
  };
  const service = { workspace, diagnosis, quiet: () => new Promise((resolve) => setImmediate(resolve)), settle: () => undefined };
  const publisher = new DocumentPublisher({
    service: () => service as never,
    send: async () => undefined,
    onError: (error) => {
      throw error;
    },
    pulls: true,
    refresh: async () => void refreshes++,
  });
  const pull = () => documentDiagnostics.handle({ textDocument: { uri } }, { ...service, client: {} } as never);
  const affect = () => publisher.affected({ project: project as never, paths: 'all' });
  return { publisher, pull, affect };
}

beforeEach(() => {
  id = 'early';
  refreshes = 0;
  loading = Promise.resolve();
  loaded = () => undefined;
});

function holdReports(): void {
  loading = new Promise((resolve) => {
    loaded = resolve;
  });
}

test('what becomes known after the answer is asked for', async () => {
  const { publisher, pull, affect } = open();
  publisher.documentChanged(uri);
  expect(await pull()).toMatchObject({ resultId: 'early' });
  await turns();
  id = 'late';
  affect();
  await turns();
  expect(refreshes).toBe(1);
});

test('what becomes known while the answer is under way is asked for', async () => {
  const { publisher, pull, affect } = open();
  publisher.documentChanged(uri);
  await turns();
  holdReports();
  const answer = pull();
  id = 'late';
  affect();
  await turns();
  loaded();
  expect(await answer).toMatchObject({ resultId: 'early' });
  await turns();
  expect(refreshes).toBe(1);
});

test('what becomes known right after the answer, before the opening of the file has been handled, is asked for', async () => {
  const { publisher, pull, affect } = open();
  publisher.documentChanged(uri);
  const answer = await pull();
  id = 'late';
  affect();
  expect(answer).toMatchObject({ resultId: 'early' });
  await turns();
  expect(refreshes).toBe(1);
});

test('a change by the client itself asks for nothing, nor does one that leaves the findings as they are', async () => {
  const { publisher, pull, affect } = open();
  publisher.documentChanged(uri);
  await pull();
  affect();
  await turns();
  id = 'late';
  publisher.documentChanged(uri);
  affect();
  await turns();
  expect(refreshes).toBe(0);
  expect(await pull()).toMatchObject({ resultId: 'late' });
});
