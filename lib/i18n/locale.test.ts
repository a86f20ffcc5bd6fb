import { describe, expect, it } from 'vitest';
import { chooseLocale, chooseTimeZone } from './locale.ts';

describe('chooseLocale', () => {
  it('takes the cookie before what the browser prefers', () => {
    expect(chooseLocale({ cookie: 'zh-CN', acceptLanguage: 'en-GB' })).toBe('zh-CN');
  });
  it('ignores a cookie that names no language of ours', () => {
    expect(chooseLocale({ cookie: 'xx', acceptLanguage: 'zh-TW,zh;q=0.9' })).toBe('zh-CN');
  });
  it('goes by the quality values, not by the order', () => {
    expect(chooseLocale({ acceptLanguage: 'en;q=0.3, fr, zh-Hans-CN;q=0.8' })).toBe('zh-CN');
  });
  it('does not offer a language that is refused with q=0', () => {
    expect(chooseLocale({ acceptLanguage: 'zh;q=0, en;q=0.1' })).toBe('en');
  });
  it('falls back to English', () => {
    expect(chooseLocale({ acceptLanguage: 'fr-FR' })).toBe('en');
    expect(chooseLocale({})).toBe('en');
  });
});

describe('chooseTimeZone', () => {
  it('keeps a zone that Intl knows and drops anything else', () => {
    expect(chooseTimeZone('Asia/Tokyo')).toBe('Asia/Tokyo');
    expect(chooseTimeZone('Not/AZone')).toBe('UTC');
    expect(chooseTimeZone(undefined)).toBe('UTC');
  });
});
