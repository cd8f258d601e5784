import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from 'node:net';

export interface LoopbackHttp {
  readonly server: Server;
  /** `http://127.0.0.1:port`, or https. */
  readonly origin: string;
  readonly port: number;
  /** Connections opened so far. */
  readonly connections: () => number;
  /** Cuts every connection now. */
  cut(): void;
  close(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** An HTTP server on 127.0.0.1 with a handler of the test's own. */
export function startLoopbackHttp(handler: Handler, tls?: { readonly key: string; readonly cert: string }): Promise<LoopbackHttp> {
  return listen(tls === undefined ? createServer(handler) : createTlsServer(tls, handler), tls === undefined ? 'http' : 'https');
}

/** A TCP server on 127.0.0.1, for answers no HTTP server would give. */
export function startLoopbackTcp(handler: (socket: Socket) => void): Promise<LoopbackHttp> {
  return listen(createRawServer(handler), 'http');
}

async function listen(server: Server, scheme: string): Promise<LoopbackHttp> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Clients that go away are what many of these tests are about.
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    server,
    origin: `${scheme}://127.0.0.1:${port}`,
    port,
    connections: () => connections,
    cut,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
}
