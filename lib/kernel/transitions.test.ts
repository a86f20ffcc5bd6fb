import { describe, expect, it } from 'vitest';
import { defineTransitions, IllegalTransition } from './transitions.ts';

const door = defineTransitions('door', { OPEN: ['CLOSED'], CLOSED: ['OPEN', 'LOCKED'], LOCKED: [] });

describe('defineTransitions', () => {
  it('lets a thing move as its table says', () => {
    expect(door.can('OPEN', 'CLOSED')).toBe(true);
    expect(() => door.assert('CLOSED', 'LOCKED')).not.toThrow();
  });

  it('refuses every other move, and names thing and states', () => {
    expect(door.can('OPEN', 'LOCKED')).toBe(false);
    expect(() => door.assert('OPEN', 'LOCKED')).toThrow(new IllegalTransition('door', 'OPEN', 'LOCKED'));
    expect(() => door.assert('OPEN', 'LOCKED')).toThrow('door: OPEN -> LOCKED is not a legal transition');
  });

  it('refuses to stay, unless the table says so', () => {
    expect(() => door.assert('OPEN', 'OPEN')).toThrow(IllegalTransition);
  });

  it('calls a state without moves terminal', () => {
    expect(door.states.filter((state) => door.isTerminal(state))).toEqual(['LOCKED']);
  });
});
