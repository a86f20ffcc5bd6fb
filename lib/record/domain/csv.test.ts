import { describe, expect, it } from 'vitest';
import { csvRow } from './csv.ts';

describe('csvRow', () => {
  it('quotes what has commas, quotes and line ends, and ends with CRLF', () => {
    expect(csvRow(['plain', 'a,b', 'say "hi"', 'two\nlines', '', null, 12, -3.5])).toBe(
      'plain,"a,b","say ""hi""","two\nlines",,,12,-3.5\r\n',
    );
  });
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '  =1', '＝cmd', '=HYPERLINK("http://x","y")', '\r=1'])(
    'makes text of the formula %j',
    (text) => {
      const [cell] = csvRow([text]).split('\r\n').slice(0, 1);
      expect(csvRow([text]).startsWith(`"'`)).toBe(true);
      expect(cell).toBeDefined();
    },
  );
  it('keeps Chinese and emoji as they are', () => expect(csvRow(['奖学金 😀'])).toBe('奖学金 😀\r\n'));
});
