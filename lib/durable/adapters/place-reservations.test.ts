import { expect, it } from 'vitest';
import { createPlaceReservations, type PlaceReservations } from './place-reservations.ts';

const enqueued = { key: 'run:1' };

function aProcess(places: number, begin: () => Promise<void> = async () => undefined) {
  const begun: string[] = [];
  const doubted: string[] = [];
  const reservations: PlaceReservations<{ key: string }> = createPlaceReservations<{ key: string }>({
    mayBegin: () => reservations.count() < places,
    begin: async ({ key }) => {
      begun.push(key);
      await begin();
    },
    doubt: (token) => doubted.push(token),
  });
  return { reservations, begun, doubted };
}

it('holds a place until it is used or given back', async () => {
  const { reservations, begun, doubted } = aProcess(1);
  const first = reservations.reserve();
  expect(reservations.reserve()).toBeNull();
  first?.release();
  const second = reservations.reserve();
  if (second) reservations.keep(second, enqueued);
  await second?.begin();
  expect(begun).toEqual(['run:1']);
  expect(reservations.reserve()).not.toBeNull();
  expect(doubted).toEqual([]);
});

it('has looked for what could not be begun, and what may have been left', async () => {
  const { reservations, doubted } = aProcess(2, () => Promise.reject(new Error('stopping')));
  const first = reservations.reserve();
  if (first) reservations.keep(first, enqueued);
  await expect(first?.begin()).rejects.toThrow('stopping');
  const second = reservations.reserve();
  second?.doubt();
  expect(doubted).toEqual([first?.token, second?.token]);
  expect(reservations.count()).toBe(0);
});
