import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly to: readonly string[];
  /** Headers and body as they came over the wire. */
  readonly raw: string;
}

/** A real SMTP server on this machine that keeps what it is given. `refuse` answers a recipient with that code. */
export async function startMailServer() {
  const mails: ReceivedMail[] = [];
  let refusal: { code: number; text: string } | null = null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, done) {
      done(refusal ? Object.assign(new Error(refusal.text), { responseCode: refusal.code }) : null);
    },
    onData(stream, session, done) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(pieces).toString('utf8') });
        done(null);
      });
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse(code: number | null, text = 'refused') {
      refusal = code === null ? null : { code, text };
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

export interface ReceivedMessage {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks. `answers` are given in their order, then 204. */
export async function startWebhookReceiver() {
  const messages: ReceivedMessage[] = [];
  const answers: { status: number; headers?: Record<string, string> }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      messages.push({ headers: request.headers, body });
      const answer = answers.shift() ?? { status: 204 };
      response.writeHead(answer.status, answer.headers).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    messages,
    answers,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
