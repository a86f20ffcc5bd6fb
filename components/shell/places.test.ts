import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openPlaces, PLACES } from './places.ts';
import { openSettings, SETTINGS_PLACES } from './settings-places.ts';

const pages = new URL('../../app/[tenant]/', import.meta.url);
const hasPage = (path: string) => existsSync(new URL(`.${path.split('?')[0]}/page.tsx`, pages));

describe('the places of a workspace', () => {
  it('all have a page', () => {
    expect(PLACES.filter(({ path }) => !hasPage(path)).map(({ path }) => path)).toEqual([]);
  });
  it('are shown to nobody without a right to them', () => {
    expect(openPlaces([])).toEqual([]);
    expect(openPlaces(['run:read']).map(({ key }) => key)).toEqual(['runs']);
  });
  it('lead to the settings of whoever may open one section of them', () => {
    for (const { permissions } of SETTINGS_PLACES)
      for (const permission of permissions) expect(openPlaces([permission]).map(({ key }) => key)).toContain('settings');
  });
});

describe('the sections of the settings', () => {
  it('are the pages that there are, no more and no fewer', () => {
    const folders = readdirSync(new URL('./settings/', pages), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(SETTINGS_PLACES.map(({ key }) => key as string).sort()).toEqual(folders.map(({ name }) => name).sort());
  });
  it('are shown to nobody without a right to them', () => {
    expect(openSettings([])).toEqual([]);
  });
});
