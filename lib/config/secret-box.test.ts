import { describe, expect, it } from 'vitest';
import { createSecretBox } from './secret-box.ts';

describe('createSecretBox', () => {
  const box = createSecretBox('a'.repeat(40));

  it('opens what it sealed, and never seals the same way twice', () => {
    const sealed = box.seal('sk-123 密钥', 'tenant/row');
    expect(box.open(sealed, 'tenant/row')).toBe('sk-123 密钥');
    expect(box.seal('sk-123 密钥', 'tenant/row').box).not.toBe(sealed.box);
    expect(sealed.box).not.toContain('sk-123');
  });

  it('refuses another context, changed bytes and another secret', () => {
    const sealed = box.seal('sk-123', 'tenant/row');
    expect(() => box.open(sealed, 'tenant/other')).toThrow('cannot be read');
    const bytes = Buffer.from(sealed.box, 'base64');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    expect(() => box.open({ ...sealed, box: bytes.toString('base64') }, 'tenant/row')).toThrow('cannot be read');
    expect(() => createSecretBox('b'.repeat(40)).open(sealed, 'tenant/row')).toThrow('another BAILIWICK_SECRET');
  });
});
