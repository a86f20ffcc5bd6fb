import { expect, it } from 'vitest';
import { isOneTypoAway } from './edit-distance.ts';
import { stemEnglish } from './english-stem.ts';

it.each([
  // From the examples of Porter's paper.
  ['caresses', 'caress'],
  ['ponies', 'poni'],
  ['agreed', 'agre'],
  ['plastered', 'plaster'],
  ['motoring', 'motor'],
  ['conflated', 'conflat'],
  ['hopping', 'hop'],
  ['falling', 'fall'],
  ['filing', 'file'],
  ['happy', 'happi'],
  ['relational', 'relat'],
  ['vietnamization', 'vietnam'],
  ['formalize', 'formal'],
  ['hopefulness', 'hope'],
  ['adjustment', 'adjust'],
  ['controll', 'control'],
  ['is', 'is'],
  ['vpn', 'vpn'],
])('stems %s to %s', (word, stem) => {
  expect(stemEnglish(word)).toBe(stem);
});

it.each([
  ['weather', 'wether', true],
  ['weather', 'wheather', true],
  ['weather', 'waether', true],
  ['weather', 'weathet', true],
  ['weather', 'weather', false],
  ['weather', 'wehtaer', false],
  ['mount', 'counts', false],
])('sees whether %s and %s are one slip apart: %s', (a, b, isOne) => {
  expect(isOneTypoAway(a, b)).toBe(isOne);
});
