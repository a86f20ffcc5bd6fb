import { describe, expect, it } from 'vitest';
import { findDraftProblems, fromDraft, readFields, toDraft } from './settings-draft.ts';

const fields = readFields({
  type: 'object',
  properties: {
    sides: { type: 'integer', default: 6, 'x-title': { en: 'Sides', 'zh-CN': '面数' } },
    key: { type: 'string', writeOnly: true, title: 'Key' },
    mode: { enum: ['fair', 'loaded'] },
    loud: { type: 'boolean', default: true },
    names: { type: 'array', items: { type: 'string' } },
    table: { type: 'object' },
  },
  required: ['sides', 'key'],
});

describe('a form from a schema', () => {
  it('has a field for what it can show, with the words of the schema', () => {
    expect(fields.map(({ name, kind, title, isRequired }) => [name, kind, title['zh-CN'], isRequired])).toEqual([
      ['sides', 'number', '面数', false],
      ['key', 'secret', 'Key', true],
      ['mode', 'choice', 'mode', false],
      ['loud', 'switch', 'loud', false],
      ['names', 'list', 'names', false],
    ]);
    expect(readFields(null)).toEqual([]);
  });

  it('holds what is set, and never a secret', () => {
    expect(toDraft(fields, { sides: 20, key: 'no', names: ['a', 'b'] })).toEqual({
      sides: '20',
      key: '',
      mode: '',
      loud: true,
      names: 'a\nb',
    });
  });

  it('sends what was entered, and leaves out what was not', () => {
    expect(fromDraft(fields, { sides: ' 8 ', key: '', mode: 'fair', loud: false, names: 'a\n\n b ' })).toEqual({
      sides: 8,
      mode: 'fair',
      loud: false,
      names: ['a', 'b'],
    });
  });

  it('says what is missing, unless it is kept, and what is no number', () => {
    const draft = toDraft(fields, {});
    expect(findDraftProblems(fields, { ...draft, sides: 'six' }, new Set())).toEqual({ sides: 'notNumber', key: 'isRequired' });
    expect(findDraftProblems(fields, draft, new Set(['key']))).toEqual({});
  });
});
