import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openPool, withConnection } from '../../core/dbos/databasePool.js';

/** A message of the PostgreSQL protocol: its type, the length of the rest, the rest. */
function message(type: string, ...body: readonly (string | number)[]): Buffer {
  const rest = Buffer.concat(body.map((part) => (typeof part === 'string' ? Buffer.from(part) : int32(part))));
  return Buffer.concat([Buffer.from(type), int32(rest.length + 4), rest]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

const signedIn = message('R', 0);
const ready = message('Z', 'I');
const shutDown = message('E', 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');

/** A database that accepts every login and shuts down at that moment. */
async function openClosingDatabase(): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([signedIn, ready, shutDown])));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return `postgres://user@127.0.0.1:${address.port}/db`;
}

test('a connection that is cut in the moment it is handed out fails its statement, not the process', async () => {
  const pool = openPool(await openClosingDatabase(), 1);
  onTestFinished(() => pool.end());
  const uncaught: unknown[] = [];
  const onUncaught = (error: unknown) => uncaught.push(error);
  process.on('uncaughtException', onUncaught);
  onTestFinished(() => void process.off('uncaughtException', onUncaught));
  await expect(withConnection(pool, (client) => client.query('SELECT 1'))).rejects.toThrow(/terminat|closed|queryable/i);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(uncaught).toEqual([]);
});
