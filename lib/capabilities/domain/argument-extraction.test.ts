import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#lib/kernel/index.ts';
import { compileSchema, extractArguments } from './argument-extraction.ts';
import { readArgumentHints } from './argument-hints.ts';
import type { ObjectSchema } from './capability.ts';
import { readRequestFeatures } from './request-features.ts';
import { compileSafePattern, isSafePattern } from './safe-pattern.ts';

const TODAY = { year: 2025, month: 3, day: 12 };

function schemaOf(properties: JsonObject, required: readonly string[] = Object.keys(properties)): ObjectSchema {
  return { type: 'object', properties, required };
}

/** Extracts from a whole message; `request` are the words by which the capability was recognised. */
function extract(schema: ObjectSchema, message: string, ...request: string[]) {
  const features = readRequestFeatures(message, TODAY);
  const requestSpans = request.map((word) => ({ start: features.folded.indexOf(word), end: features.folded.indexOf(word) + word.length }));
  return extractArguments({ schema: compileSchema(schema), features, clause: { start: 0, end: message.length }, requestSpans });
}

const PLACES = { Paris: ['paris', '巴黎'], Rome: ['rome', '罗马'], Oslo: ['oslo', '奥斯陆'] };

describe('extractArguments', () => {
  describe('from a plain schema, as most tools of others have', () => {
    it('goes by types, formats, enums and titles', () => {
      const schema = schemaOf({
        amount: { type: 'number' },
        when: { type: 'string', format: 'date' },
        mail: { type: 'string', format: 'email' },
        kind: { type: 'string', enum: ['sick_leave', 'holiday'] },
        size: {
          oneOf: [
            { const: 'S', title: 'small' },
            { const: 'L', title: '大号' },
          ],
        },
      });
      expect(extract(schema, 'sick leave tomorrow, 12.5 hours, tell ann@example.com, 大号').arguments).toEqual({
        amount: 12.5,
        when: '2025-03-13',
        mail: 'ann@example.com',
        kind: 'sick_leave',
        size: 'L',
      });
    });

    it('finds numbered things by their pattern, also written small', () => {
      const schema = schemaOf({ order: { type: 'string', pattern: '^ORD-[0-9]+$' } });
      expect(extract(schema, 'where is ord-1234?').arguments).toEqual({ order: 'ORD-1234' });
      expect(extract(schema, 'where is my order?').missing).toEqual(['order']);
    });

    it('takes a short name after its preposition', () => {
      const schema = schemaOf({ city: { type: 'string' } });
      expect(extract(schema, 'what is the weather in New Delhi tomorrow', 'weather').arguments).toEqual({ city: 'New Delhi' });
      expect(extract(schema, '明天上海天气怎么样', '天气').arguments).toEqual({ city: '上海' });
    });

    it('does not take a default for missing', () => {
      const schema = schemaOf({ value: { type: 'number', default: 1 }, count: { type: 'integer' } });
      expect(extract(schema, 'nothing').missing).toEqual(['count']);
    });

    it('takes whole numbers only where the schema does', () => {
      const schema = schemaOf({ people: { type: 'integer' }, price: { type: 'number' } });
      expect(extract(schema, '2.5 euros for 4').arguments).toEqual({ people: 4, price: 2.5 });
    });
  });

  describe('with annotations', () => {
    const route = schemaOf({
      from: { type: 'string', 'x-values': PLACES, 'x-after': ['from', '从'] },
      to: { type: 'string', 'x-values': PLACES, 'x-after': ['to', '到'] },
    });

    it('lets marker words decide, else the order', () => {
      expect(extract(route, 'to Rome from Oslo').arguments).toEqual({ from: 'Oslo', to: 'Rome' });
      expect(extract(route, '从巴黎到罗马').arguments).toEqual({ from: 'Paris', to: 'Rome' });
      expect(extract(route, 'Paris Rome').arguments).toEqual({ from: 'Paris', to: 'Rome' });
    });

    it('lets nearness decide over all arguments together', () => {
      const schema = schemaOf({
        time: { type: 'string', 'x-source': 'time' },
        from: { type: 'string', 'x-values': PLACES, 'x-near': 'time' },
        to: { type: 'string', 'x-values': PLACES, 'x-after': ['is it in', '是'] },
      });
      expect(extract(schema, 'when it is 3pm in Oslo, what time is it in Rome').arguments).toEqual({
        time: '15:00',
        from: 'Oslo',
        to: 'Rome',
      });
      expect(extract(schema, '巴黎时间下午3点是罗马几点').arguments).toEqual({ time: '15:00', from: 'Paris', to: 'Rome' });
    });

    it('reads numbers by the word after them', () => {
      const schema = schemaOf({
        nights: { type: 'integer', 'x-before': ['night', '晚'] },
        guests: { type: 'integer', 'x-before': ['people', '人'] },
      });
      expect(extract(schema, 'for 3 people and 2 nights').arguments).toEqual({ nights: 2, guests: 3 });
      expect(extract(schema, '2晚，3个人').arguments).toMatchObject({ nights: 2 });
    });

    it('says which further values were named in one breath', () => {
      const schema = schemaOf({ place: { type: 'string', 'x-values': PLACES } });
      expect(extract(schema, 'weather in Paris, Rome and Oslo').coordinated).toMatchObject({
        argument: 'place',
        values: [{ value: 'Paris' }, { value: 'Rome' }, { value: 'Oslo' }],
      });
      expect(extract(schema, 'weather in Paris but not Rome').coordinated).toBeNull();
    });

    it('collects them where the argument is a list', () => {
      const schema = schemaOf({ places: { type: 'array', items: { type: 'string', 'x-values': PLACES } } });
      expect(extract(schema, 'Paris, Rome and Oslo').arguments).toEqual({ places: ['Paris', 'Rome', 'Oslo'] });
    });

    it('takes a value its table lacks only beside a marker, and only where that is allowed', () => {
      const open = { type: 'string', 'x-values': PLACES, 'x-open': true, 'x-after': ['in'] };
      expect(extract(schemaOf({ place: open }), 'time in Gotham', 'time').arguments).toEqual({ place: 'Gotham' });
      expect(extract(schemaOf({ place: { ...open, 'x-open': false } }), 'time in Gotham', 'time').arguments).toEqual({});
    });

    it('does not see a unit in a preposition', () => {
      const schema = schemaOf({ unit: { type: 'string', 'x-values': { metre: ['m'], celsius: ['C'] } } });
      expect(extract(schema, "what's in C, I'm lost").arguments).toEqual({ unit: 'celsius' });
      expect(extract(schema, '5m').arguments).toEqual({ unit: 'metre' });
      expect(extract(schema, "I'm here, see c").arguments).toEqual({});
    });
  });

  describe('free text', () => {
    const schema = schemaOf({ text: { type: 'string', 'x-source': 'text' } });

    it.each([
      ['translate “good morning” please', 'good morning', ['translate']],
      ["say 'it isn't so'", "it isn't so", ['say']],
      ['Count the words in: what time is it, and where?', 'what time is it, and where?', ['count', 'words']],
      ['remember that I like tea, not coffee', 'I like tea, not coffee', ['remember']],
      ['please remember I parked on level 3.', 'I parked on level 3', ['remember']],
      ['请帮我记住我对花生过敏', '我对花生过敏', ['记住']],
      ['把谢谢翻译', '谢谢', ['翻译']],
      ['我的学号是 42，请记住', '我的学号是 42', ['记住']],
      ['echo hello', 'hello', ['echo']],
      ['复述中国', '中国', ['复述']],
      ['记住这本书是我的', '这本书是我的', ['记住']],
      ['echo  ＡＢＣ  ', 'ＡＢＣ', ['echo']],
    ])('is taken word for word: %s', (message, text, request) => {
      expect(extract(schema, message, ...request).arguments).toEqual({ text });
    });

    it('is missing when nothing but the request is left', () => {
      expect(extract(schema, 'please translate this for me', 'translate').missing).toEqual(['text']);
      expect(extract(schema, '帮我翻译一下', '翻译').missing).toEqual(['text']);
    });

    it('is not cut at a length a request has', () => {
      const long = 'word '.repeat(20_000).trim();
      expect(extract(schema, `Count: ${long}`, 'count').arguments).toEqual({ text: long });
    });
  });

  it('takes a whole clause without its courtesies', () => {
    const schema = schemaOf({ query: { type: 'string', 'x-source': 'clause' } });
    expect(extract(schema, 'Could you please tell me when the pool opens?').arguments).toEqual({ query: 'when the pool opens' });
    expect(extract(schema, '请问图书馆几点关门呢？').arguments).toEqual({ query: '图书馆几点关门' });
  });

  it('takes arithmetic as it is written, and doubts what may be none', () => {
    const schema = schemaOf({ expression: { type: 'string', 'x-source': 'expression' } });
    expect(extract(schema, 'what is 17% of 2,340?').arguments).toEqual({ expression: '17% of 2,340' });
    expect(extract(schema, 'open 24/7').evidence[0]?.isDoubtful).toBe(true);
  });

  it('never throws, whatever schema and message it is given', () => {
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constant(null),
        fc.boolean(),
        fc.double(),
        fc.string(),
        fc.array(tie('value')),
        fc.dictionary(fc.string(), tie('value')),
      ),
    })).value;
    const property = fc.record(
      {
        type: fc.oneof(fc.constantFrom('string', 'number', 'integer', 'boolean', 'array'), json),
        enum: json,
        pattern: fc.oneof(fc.constantFrom('(', '^(a+)+$', '[a-z]+'), json),
        format: fc.constantFrom('date', 'email', 'nonsense'),
        items: json,
        'x-source': fc.oneof(fc.constantFrom('values', 'text', 'name', 'clause', 'expression', 'pattern', 'date-time'), json),
        'x-values': json,
        'x-after': json,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), property), fc.string({ unit: 'binary' }), (properties, message) => {
        const schema = schemaOf(properties as JsonObject);
        expect(readArgumentHints(schema)).toHaveLength(Object.keys(properties).length);
        extract(schema, message);
      }),
    );
  });
});

describe('hints of a stranger', () => {
  it.each(['text', 'name', 'values'])('come to an end where a word to look for is blank (%s)', (source) => {
    const blank = ['', ' ', '\u3000'];
    const schema = schemaOf({
      it: { type: 'string', 'x-source': source, 'x-after': blank, 'x-before': blank, 'x-values': { one: blank } },
    });
    for (const message of ['', ' ', 'tell me one']) extract(schema, message);
    expect(readArgumentHints(schema)).toMatchObject([{ after: [], before: [] }]);
  });
});

describe('compileSafePattern', () => {
  it.each(['^ORD-[0-9]+$', '[A-Z]{2}\\d{2,4}', '^(INV|ORD)-\\d+$'])('compiles %s', (pattern) => {
    expect(compileSafePattern(pattern)).toBeInstanceOf(RegExp);
  });

  it.each(['^(a+)+$', '(a|a)*b', '(.*)(.*)(.*)(.*)x', '(?=a+)b', '('])('leaves %s alone', (pattern) => {
    expect(compileSafePattern(pattern)).toBeNull();
  });

  it('counts what is escaped or in a class as no repetition', () => {
    expect(isSafePattern('^\\+[0-9+*]+$')).toBe(true);
  });
});
