import { describe, expect, it } from 'vitest';
import { detailChanges } from './detail-changes.ts';

describe('detailChanges', () => {
  it('tells field by field what was and what is, and leaves out what stayed', () => {
    expect(detailChanges({ before: { role: 'member', name: 'Li' }, after: { role: 'admin', name: 'Li', note: 1 }, by: 'x' })).toEqual({
      changes: [
        { field: 'role', before: 'member', after: 'admin' },
        { field: 'note', before: undefined, after: 1 },
      ],
      rest: { by: 'x' },
    });
  });
  it('takes what has no fields as a whole', () => {
    expect(detailChanges({ from: 'a', to: 'b' })).toEqual({ changes: [{ field: '', before: 'a', after: 'b' }], rest: {} });
  });
  it('takes fields that tell of themselves what they were and are', () => {
    expect(detailChanges({ role: { from: 'member', to: 'admin' }, disabled: { from: false, to: false }, scope: { from: 'a' } })).toEqual({
      changes: [{ field: 'role', before: 'member', after: 'admin' }],
      rest: { scope: { from: 'a' } },
    });
  });
  it('has none where nothing was before', () => expect(detailChanges({ reason: 'x' })).toEqual({ changes: [], rest: { reason: 'x' } }));
});
