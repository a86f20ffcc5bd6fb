import { describe, expect, it } from 'vitest';
import { draftOf, readLimits } from './budget-draft.ts';

const draft = (more: object) => ({ ...draftOf(null), ...more });

describe('readLimits', () => {
  it('reads tokens as people write them', () => {
    expect(readLimits(draft({ hardLimit: '1,000,000', softLimit: '800 000' }))).toEqual({
      ok: true,
      limits: { hardLimit: 1_000_000, softLimit: 800_000 },
    });
    expect(readLimits(draft({ hardLimit: '1000' }))).toEqual({ ok: true, limits: { hardLimit: 1_000, softLimit: null } });
    expect(readLimits(draft({ softLimit: '50.000' }))).toEqual({ ok: true, limits: { hardLimit: null, softLimit: 50_000 } });
  });

  it('reads money in micro-units', () => {
    expect(readLimits(draft({ measure: 'money', hardLimit: '12.5', softLimit: '0,29' }))).toEqual({
      ok: true,
      limits: { hardLimit: 12_500_000, softLimit: 290_000 },
    });
  });

  it.each([
    [{}, { hardLimit: 'missing' }],
    [{ hardLimit: '1.5' }, { hardLimit: 'tokens' }],
    [{ hardLimit: '0' }, { hardLimit: 'tokens' }],
    [
      { hardLimit: 'many', softLimit: '-1' },
      { hardLimit: 'tokens', softLimit: 'tokens' },
    ],
    [{ hardLimit: '10', softLimit: '11' }, { softLimit: 'order' }],
    [{ measure: 'money', hardLimit: '1 dollar' }, { hardLimit: 'amount' }],
    [{ measure: 'money', hardLimit: '1', currency: 'euro' }, { currency: 'currency' }],
  ])('says what is wrong with %o', (typed, problems) => expect(readLimits(draft(typed))).toEqual({ ok: false, problems }));

  it('writes what it reads', () => {
    const view = {
      subject: 'user',
      person: null,
      measure: 'money',
      currency: 'EUR',
      period: 'day',
      softLimit: null,
      hardLimit: 2_500_000,
    } as const;
    const written = draftOf({ ...view, id: 'bud_x', endsAt: null, uses: [], updatedAt: '', updatedBy: null });
    expect(written).toMatchObject({ hardLimit: '2.5', softLimit: '', currency: 'EUR', period: 'day' });
    expect(readLimits(written)).toEqual({ ok: true, limits: { softLimit: null, hardLimit: 2_500_000 } });
  });
});
