// Preloaded (`node --import`) into every server that is measured. On PROBE_PORT it tells the process's own processor time,
// memory and event-loop delay, counts the process's round trips to the database on PROBE_DATABASE_PORT, and records a
// processor profile. Nothing of it runs unless it is asked.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import { Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.env.PROBE_PORT && !globalThis.isBenchProbeThere) {
  globalThis.isBenchProbeThere = true;
  serve(countRoundTrips(Number(process.env.PROBE_DATABASE_PORT)));
}

function serve(roundTrips) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const profiler = new Session();
  const actions = {
    '/': () => {},
    '/delay/start': () => {
      delay.reset();
      delay.enable();
    },
    '/delay/stop': () => delay.disable(),
    '/round-trips/start': () => roundTrips.start(),
    '/round-trips/stop': () => roundTrips.stop(),
    '/collect-garbage': () => {
      setFlagsFromString('--expose-gc');
      runInNewContext('gc')();
    },
    '/profile/start': async () => {
      profiler.connect();
      await profiler.post('Profiler.enable');
      await profiler.post('Profiler.setSamplingInterval', { interval: 200 });
      await profiler.post('Profiler.start');
    },
    '/profile/stop': async (file) => {
      const { profile } = await profiler.post('Profiler.stop');
      writeFileSync(file, JSON.stringify(profile));
      profiler.disconnect();
    },
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://probe');
    await actions[url.pathname]?.(url.searchParams.get('file'));
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    response.end(
      JSON.stringify({
        cpuMs: (user + system) / 1e3,
        rssBytes: rss,
        heapBytes: heapUsed,
        delayMs: { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 },
        roundTrips: roundTrips.count(),
      }),
    );
  });
  // A process that was started by the measured one and inherited its settings: the first has the port.
  server.on('error', () => {});
  server.listen(Number(process.env.PROBE_PORT), '127.0.0.1').unref();
}

/** A round trip is what is sent on one connection before anything comes back; pipelined statements are one. */
function countRoundTrips(databasePort) {
  const waiting = new WeakSet();
  let isCounting = false;
  let count = 0;
  const { write } = Socket.prototype;
  Socket.prototype.write = function (...args) {
    if (isCounting && this.remotePort === databasePort && !waiting.has(this)) {
      waiting.add(this);
      count += 1;
    }
    return write.apply(this, args);
  };
  Socket.prototype.push = function (chunk, encoding) {
    if (isCounting) waiting.delete(this);
    return Readable.prototype.push.call(this, chunk, encoding);
  };
  return {
    start() {
      count = 0;
      isCounting = true;
    },
    stop() {
      isCounting = false;
    },
    count: () => count,
  };
}
