/** Each language by its own name, so that it is found by those who cannot read the present one. */
export const LOCALE_NAMES = { en: 'English', 'zh-CN': '简体中文' } as const;
