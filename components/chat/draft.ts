/** What somebody has begun to write, kept in their browser until it has been sent. */
export interface DraftKey {
  tenantSlug: string;
  userId: string;
  /** Null for a chat that does not exist yet. */
  sessionId: string | null;
}

export function readDraft(key: DraftKey): string {
  try {
    return localStorage.getItem(nameOf(key)) ?? '';
  } catch {
    // Storage may be switched off; then a draft lives as long as its page.
    return '';
  }
}

export function keepDraft(key: DraftKey, text: string): void {
  try {
    if (text === '') localStorage.removeItem(nameOf(key));
    else localStorage.setItem(nameOf(key), text);
  } catch {
    // As above, or the storage is full.
  }
}

function nameOf({ tenantSlug, userId, sessionId }: DraftKey): string {
  return `bw-draft:${tenantSlug}:${userId}:${sessionId ?? 'new'}`;
}
