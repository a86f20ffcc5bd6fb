import { describe, expect, it } from 'vitest';
import { readConfig } from './index.ts';

const read = (more: Record<string, string>) =>
  readConfig({
    DATABASE_URL: 'postgres://localhost/x',
    BAILIWICK_SECRET: 'x'.repeat(40),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
    ...more,
  }).traces;

describe('OTEL_EXPORTER_OTLP_HEADERS', () => {
  it('are names and values, separated by commas, values in percent encoding', () => {
    expect(read({ OTEL_EXPORTER_OTLP_HEADERS: ' authorization=Bearer%20a%3Db%2C , x-tenant=t=1,, x-empty=' })).toMatchObject({
      endpoint: 'http://collector:4318/v1/traces',
      headers: { authorization: 'Bearer a=b,', 'x-tenant': 't=1', 'x-empty': '' },
    });
    expect(read({})?.headers).toEqual({});
  });

  it.each([
    ['a name without a value', 'authorization'],
    ['a value without a name', '=secret-value'],
    ['a name that is none', 'x y=secret-value'],
    ['percent encoding that is none', 'authorization=secret-value%'],
    ['a line break in a value', 'authorization=secret-value%0d%0ax-other: 1'],
    ['the same name twice', 'x-a=secret-value,X-A=2'],
  ])('stop the start with %s, and the value is not repeated', (_what, headers) => {
    const start = () => read({ OTEL_EXPORTER_OTLP_HEADERS: headers });
    expect(start).toThrow(/^OTEL_EXPORTER_OTLP_HEADERS: /);
    expect(start).not.toThrow(/secret-value/);
  });

  it('are not looked at while traces go nowhere', () => {
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_EXPORTER_OTLP_HEADERS: 'authorization' })).toBeNull();
  });
});

describe('OTEL_TRACES_SAMPLER_ARG', () => {
  it('is a share from 0 to 1, all where it is not set', () => {
    expect(read({})?.share).toBe(1);
    expect(read({ OTEL_TRACES_SAMPLER_ARG: '0.25' })?.share).toBe(0.25);
    expect(read({ OTEL_TRACES_SAMPLER_ARG: '0' })?.share).toBe(0);
  });

  it.each(['1.5', '-0.1', 'half'])('stops the start with %s', (share) => {
    expect(() => read({ OTEL_TRACES_SAMPLER_ARG: share })).toThrow('OTEL_TRACES_SAMPLER_ARG');
  });
});
