// The product as a peer of agent-platform-bench. README.md says how to plug it in; `serve-for-peers.ts` gives the environment:
// PRODUCT_URL, PRODUCT_PID, PRODUCT_DB, PRODUCT_TENANT, PRODUCT_TOKEN, PRODUCT_SESSIONS. Without a probe the harness reads
// processor time from /proc.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';

export const kind = 'http';
export const persistence = 'Postgres: row-level security, audit, durable segments, over HTTP with an API key';
const now = () => Number(process.hrtime.bigint()) / 1e6;
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/** Our sessions for the harness's names: they were made beforehand, so making one is no part of a turn. */
const sessions = new Map();
let pool;
function sessionFor(name) {
  pool ??= readFileSync(process.env.PRODUCT_SESSIONS, 'utf8').trim().split('\n');
  if (!sessions.has(name)) {
    const id = pool.pop();
    if (!id) throw new Error('no prepared session is left: start serve-for-peers.ts with a larger --sessions');
    sessions.set(name, id);
  }
  return sessions.get(name);
}

/** Who of ours does the work of which of the harness's specialists, and with what instead of its `lookup`. */
const SPECIALISTS = { researcher: 'echo', writer: 'documents', critic: 'calculations' };
const WORK = {
  echo: ({ query }) => ({ name: 'echo', args: { text: resultOf(query) } }),
  documents: ({ query }) => ({ name: 'knowledge_search', args: { query } }),
  calculations: () => ({ name: 'math_calculate', args: { expression: '0.17 * 2340' } }),
};

/** About as much as the harness's `lookup` returns. */
function resultOf(query) {
  const items = Array.from({ length: 5 }, (_, i) => ({ id: `item-${i}`, title: `Result number ${i} of the lookup`, score: 0.9 - i / 10 }));
  return JSON.stringify({ query, found: true, items });
}

/** The harness's script in our words: it travels as a tag in the message, for its model server to read. */
function inOurWords(text) {
  return text.replaceAll(/\[\[bench:([\w-]+)\]\]/g, (_tag, encoded) => {
    const plan = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    const roles = Object.entries(plan.roles).map(([role, script]) => {
      const name = SPECIALISTS[role] ?? role;
      const work = WORK[name] ?? WORK.echo;
      const steps = script.steps.map((calls) => calls.map((call) => (call.name === 'lookup' ? work(call.args) : call)));
      return [name, { ...script, steps }];
    });
    return `[[bench:${Buffer.from(JSON.stringify({ ...plan, roles: Object.fromEntries(roles) })).toString('base64url')}]]`;
  });
}

/** The entry for PRODUCTS of peers/http/adapter.mjs. */
export const ours = {
  url: process.env.PRODUCT_URL,
  pid: Number(process.env.PRODUCT_PID),
  db: process.env.PRODUCT_DB,
  request: ({ sessionId, text }) => ({
    path: `/api/t/${process.env.PRODUCT_TENANT}/sessions/${sessionFor(sessionId)}/messages`,
    headers: { authorization: `Bearer ${process.env.PRODUCT_TOKEN}`, accept: 'text/event-stream' },
    body: { text: inOurWords(text) },
  }),
  parse(data) {
    const event = JSON.parse(data);
    if (event.type === 'text-delta') return { delta: event.payload.text };
    if (event.type === 'RUN_ERROR') return { error: JSON.stringify(event.payload.error) };
    return null;
  },
  delegate: (role) => ({ name: 'delegate', args: { agent: SPECIALISTS[role] ?? role, task: 'Do your part. $TAG' } }),
};

export const { delegate } = ours;

/** The same as an adapter of its own: the harness's reader takes only frames that begin with `data:`, ours begin with `id:`. */
export async function connect() {
  const { url, pid, db } = ours;
  return { url, pid, db, delegate, turn: (turn) => readTurn(ours.request(turn)) };
}

function readTurn({ path, headers, body }) {
  return new Promise((resolve, reject) => {
    const payload = JSON.stringify(body);
    const start = now();
    const outgoing = request(
      ours.url + path,
      {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload), ...headers },
      },
      (response) => {
        let buffer = '';
        let text = '';
        let first = null;
        let error = null;
        response.setEncoding('utf8');
        response.on('data', (part) => {
          buffer += part;
          const frames = buffer.split('\n\n');
          buffer = frames.pop();
          for (const frame of frames) {
            const data = /^data: (.*)$/m.exec(frame)?.[1];
            const parsed = data && ours.parse(data);
            if (parsed?.delta) {
              first ??= now();
              text += parsed.delta;
            }
            error ??= parsed?.error ?? null;
          }
        });
        response.on('end', () => {
          const refused = response.statusCode === 200 ? null : `HTTP ${response.statusCode} ${buffer.slice(0, 500)}`;
          resolve({ start, first: first ?? now(), end: now(), text, error: error ?? refused });
        });
        response.on('error', reject);
      },
    );
    outgoing.setTimeout(60_000, () => outgoing.destroy(new Error('the turn did not end within 60 s')));
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}
