import { render, screen, within } from '@testing-library/react';
import { NextIntlClientProvider } from 'next-intl';
import { describe, expect, it } from 'vitest';
import { ENGLISH } from '#components/testing/english-messages.ts';
import { ERROR_CODES } from '#lib/kernel/index.ts';
import description from '../../app/api/openapi.json/openapi.json' with { type: 'json' };
import chinese from '../../lib/i18n/messages/zh-CN/docs.json' with { type: 'json' };
import { ErrorCatalogue } from './error-catalogue.tsx';
import { OperationList } from './operation-list.tsx';
import { readOperations } from './read-operations.ts';

describe('the reference', () => {
  it('explains every code there is, in both languages', () => {
    const entries = ERROR_CODES.map((code) => ({ code, status: 400 }));
    for (const [locale, messages] of [['en', ENGLISH] as const, ['zh-CN', { ...ENGLISH, docs: chinese }] as const]) {
      const { unmount } = render(
        <NextIntlClientProvider locale={locale} messages={messages}>
          <ErrorCatalogue entries={entries} />
        </NextIntlClientProvider>,
      );
      expect(screen.getAllByRole('row')).toHaveLength(ERROR_CODES.length + 1);
      for (const row of screen.getAllByRole('row').slice(1)) {
        for (const cell of within(row).getAllByRole('cell')) expect(cell.textContent).not.toMatch(/^$|docs\.errors/);
      }
      unmount();
    }
    expect(Object.keys(chinese.errors.codes).sort()).toEqual([...ERROR_CODES].sort());
  });

  it('lists every operation once, with the right that it needs', () => {
    const groups = readOperations(description);
    const listed = groups.flatMap(({ operations }) => operations);
    const described = Object.values(description.paths).flatMap((methods) => Object.keys(methods));
    expect(listed).toHaveLength(described.length);
    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
    render(
      <NextIntlClientProvider locale="en" messages={ENGLISH}>
        <OperationList groups={groups} />
      </NextIntlClientProvider>,
    );
    expect(screen.getByText('Runs, newest first.').parentElement?.textContent).toContain('needs run:read');
  });
});
