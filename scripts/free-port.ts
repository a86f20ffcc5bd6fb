import { createServer } from 'node:net';

/** A port of `host` that nobody listens on at this moment. */
export function findFreePort(host = '127.0.0.1'): Promise<number> {
  return listenOnce(host, 0);
}

/** The first free port from `wanted` upwards, `attempts` at most. Throws when all are taken or the host is not ours. */
export async function findPortFrom(host: string, wanted: number, attempts = 50): Promise<number> {
  for (let port = wanted; port < wanted + attempts && port < 65_536; port += 1) {
    try {
      return await listenOnce(host, port);
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!isTaken)
        throw new Error(`Cannot listen on ${host}, port ${port}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
    }
  }
  throw new Error(`No free port on ${host} from ${wanted} to ${wanted + attempts - 1}. Set PORT to another one.`);
}

function listenOnce(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('the listening socket has no port'));
      });
    });
  });
}
