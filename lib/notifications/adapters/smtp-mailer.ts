import { createTransport } from 'nodemailer';
import { messageOf } from '#lib/kernel/index.ts';
import type { Mailer } from '../ports.ts';

const TIMEOUT_MS = 20_000;
/** Answers after which the same mail would be refused again (RFC 5321): of the mailbox or the message. A refused sign-in is not among them. */
const FINAL_CODES = [550, 551, 552, 553, 554];

/**
 * Mail through the operator's SMTP server. `url` as nodemailer reads it: `smtp://user:password@host:587` (STARTTLS where it is offered),
 * `smtps://…:465`. Each delivery has a Message-ID of its own, the same at every attempt.
 */
export function createSmtpMailer({ url, from }: { url: string; from: string }): Mailer & { close(): void } {
  const transport = createTransport(url, {
    from,
    // Nothing that a mail names is fetched or read from a disk.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  Object.assign(transport.options, { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS });
  return {
    async send({ to, subject, text, html, id, host }) {
      try {
        const sent = await transport.sendMail({
          // An object, so that the address is taken as one and not parsed as a list.
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${id}@${host}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        return { ok: true, status: codeOf(sent.response), detail: sent.response };
      } catch (error) {
        const status = responseCodeOf(error);
        return {
          ok: false,
          status,
          detail: messageOf(error),
          isFinal: status !== null && FINAL_CODES.includes(status),
          retryAfterMs: null,
        };
      }
    },
    close: () => transport.close(),
  };
}

function codeOf(response: string): number | null {
  const code = Number.parseInt(response, 10);
  return Number.isNaN(code) ? null : code;
}

function responseCodeOf(error: unknown): number | null {
  const code: unknown = error instanceof Error && 'responseCode' in error ? error.responseCode : null;
  return typeof code === 'number' ? code : null;
}
