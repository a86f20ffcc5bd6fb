import { connect, createServer, type Socket } from 'node:net';

/** The way of one process to the database, which can be cut while both ends live. */
export interface DatabaseCable {
  /** The same database by this way. */
  readonly url: string;
  /** Breaks what is open and refuses what is new. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function layCable(databaseUrl: string): Promise<DatabaseCable> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A broken connection is what this is for; its other half closes with it.
    socket.on('error', () => socket.destroy());
    return socket;
  };
  const server = createServer((near) => {
    track(near);
    if (isCut) return near.destroy();
    const far = track(connect(Number(target.port), target.hostname));
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the cable has no port');
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: Object.assign(new URL(databaseUrl), { port: String(address.port) }).href,
    cut: () => {
      isCut = true;
      breakAll();
    },
    mend: () => {
      isCut = false;
    },
    close: () => {
      breakAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
