/** How a reader wants the pages to look; `system` follows the device. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The server reads it and writes the theme into the page, so that no page ever flashes in the other one. */
export const THEME_COOKIE = 'bw-theme';

export function parseTheme(value: string | undefined): Theme {
  return THEMES.find((theme) => theme === value) ?? 'system';
}
