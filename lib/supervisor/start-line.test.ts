import { expect, it } from 'vitest';
import { StartLine } from './start-line.ts';

it('lets so many in, and the others in their order, one for each that leaves', async () => {
  const line = new StartLine(2);
  const entered: string[] = [];
  const enter = async (name: string) => {
    const place = await line.enter();
    entered.push(name);
    return place;
  };
  const [a, b] = await Promise.all([enter('a'), enter('b')]);
  const c = enter('c');
  const d = enter('d');
  await Promise.resolve();
  expect(entered).toEqual(['a', 'b']);
  a[Symbol.dispose]();
  a[Symbol.dispose]();
  await c;
  expect(entered).toEqual(['a', 'b', 'c']);
  b[Symbol.dispose]();
  await d;
  expect(entered).toEqual(['a', 'b', 'c', 'd']);
});
