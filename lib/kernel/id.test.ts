import { describe, expect, it } from 'vitest';
import { fromUuid, newId, parseId, toUuid } from './id.ts';

const UUID = '018f3c5e-7a2b-7c4d-9e6f-0123456789ab';
const RUN = 'run_018f3c5e7a2b7c4d9e6f0123456789ab';

describe('newId', () => {
  it('gives an id of its kind that parses again', () => {
    const id = newId('run');
    expect(id).toMatch(/^run_[0-9a-f]{32}$/);
    expect(parseId('run', id)).toBe(id);
  });

  it('gives ids that sort by the time they were made', () => {
    const ids = Array.from({ length: 1_000 }, () => newId('message'));
    expect(ids.toSorted()).toEqual(ids);
  });
});

describe('parseId', () => {
  it('refuses an id of another kind', () => {
    expect(parseId('session', RUN)).toBeNull();
  });

  it.each([
    ['nothing', undefined],
    ['a number', 7],
    ['a bare UUID', UUID],
    ['digits short of 32', RUN.slice(0, -1)],
    ['more than 32 digits', `${RUN}0`],
    ['upper case', RUN.toUpperCase()],
    ['a line break at the end', `${RUN}\n`],
    ['what is no hex digit', `${RUN.slice(0, -1)}g`],
  ])('refuses %s', (_, text) => {
    expect(parseId('run', text)).toBeNull();
  });
});

describe('toUuid and fromUuid', () => {
  it('turn an id into the UUID of its column and back', () => {
    expect(toUuid(fromUuid('run', UUID))).toBe(UUID);
    expect(fromUuid('run', UUID)).toBe(RUN);
  });
});
