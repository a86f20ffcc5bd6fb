import { AppError } from '#lib/kernel/index.ts';

export interface MailSettings {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly url: string;
  /** `Name <address>` or an address. */
  readonly from: string;
}

const FROM = /^(?:[^<>\r\n]{1,200} )?<?[^\s<>@]+@[^\s<>@]+>?$/;

/** Both settings or neither. Throws `invalid_request` for one without the other, and for a sender that is none. */
export function readMailSettings({ url, from }: { url: string | undefined; from: string | undefined }): MailSettings | null {
  if (!url && !from) return null;
  if (!url || !from) throw new AppError({ code: 'invalid_request', message: 'Set SMTP_URL and MAIL_FROM together, or neither.' });
  if (!FROM.test(from))
    throw new AppError({ code: 'invalid_request', message: 'MAIL_FROM must be an address, or a name with an address in <…>.' });
  return { url, from };
}
