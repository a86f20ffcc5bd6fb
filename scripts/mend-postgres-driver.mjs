// Run by npm after each install: mends faults of postgres.js 3.4.9 that end the process, or a connection for good, when the
// database goes away (docs/decisions/0007). Safe to run again. Fails when the driver's text is another one: then look
// whether it is mended there, and take this away.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const MENDS = [
  {
    // A statement on a connection that is gone (the rollback of its transaction, say) was written to no socket: an exception
    // outside every promise, which ends the process. https://github.com/porsager/postgres/issues/1208
    file: 'connection.js',
    find: `      return queryError(q, Errors.connection('CONNECTION_DESTROYED', options))
`,
    replace: `      return queryError(q, Errors.connection('CONNECTION_DESTROYED', options))

    if (!socket)
      return (queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true)
`,
  },
  {
    // A write that was still waiting left its timer behind, so that the next connection was never written to.
    // https://github.com/LanternOps/breeze/issues/3225
    file: 'connection.js',
    find: `    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)
`,
    replace: `    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    socket.removeListener('data', data)
`,
  },
  {
    // What was sent between the error of a connection and its end never settled, and the next connection waited for its
    // answer. The last words of the lost connection were taken for the answer to the first statement on the next one.
    file: 'connection.js',
    find: `    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
`,
    replace: `    if (query || sent.length)
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = results = errorResponse = null
    result = new Result()
`,
  },
  {
    // The driver's own first question on a new connection: when it fails, nobody heard, which ends the process.
    file: 'connection.js',
    find: `        return fetchArrayTypes()
`,
    replace: `        return fetchArrayTypes().catch(error)
`,
  },
  {
    // Whoever waited for a connection of their own was forgotten when the connection meant for them was lost.
    file: 'index.js',
    find: `    queries.length && connect(c, queries.shift())
`,
    replace: `    const next = queries.length ? queries.shift() : null
    next && next.reserve && queries.push(next)
    next && connect(c, next)
`,
  },
  {
    // Whose wait for a connection of their own had failed was given one all the same, which nobody then used or gave back.
    file: 'index.js',
    find: `        const query = { reserve: resolve, reject }
`,
    replace: `        const query = { reserve: resolve, reject: error => (queries.remove(query), reject(error)) }
`,
  },
];

for (const folder of ['src', 'cjs/src']) {
  for (const { file, find, replace } of MENDS) {
    const place = path.join(ROOT, 'node_modules', 'postgres', folder, file);
    const text = readFileSync(place, 'utf8');
    if (text.includes(replace)) continue;
    if (text.split(find).length !== 2) throw new Error(`${place} is not the text of postgres 3.4.9 that this script knows`);
    writeFileSync(
      place,
      text.replace(find, () => replace),
    );
  }
}
