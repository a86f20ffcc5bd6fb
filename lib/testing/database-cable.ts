import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** The way of one process to the database, which can be cut while both ends live. */
export interface DatabaseCable {
  /** The same database by this way. */
  readonly url: string;
  /** Breaks what is open; what is new is refused. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  close(): Promise<void>;
}

export async function layCable(databaseUrl: string): Promise<DatabaseCable> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A broken connection is what this is for; its other half closes with it.
    socket.on('error', () => socket.destroy());
    return socket;
  };
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    track(near).pipe(track(far)).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const cut = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the cable has no port');
  const { port } = address;
  return {
    url: Object.assign(new URL(databaseUrl), { port: String(port) }).href,
    cut,
    mend: () => listen(port),
    close: cut,
  };
}
