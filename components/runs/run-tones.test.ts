import { describe, expect, it } from 'vitest';
import { sessionStanding, stepCountOf, stepTones, summaryTones } from './run-tones.ts';

const plan = (steps: number) => ({
  intent: { kind: 'task', confidence: 1, rationale: '' },
  summary: '',
  steps: Array.from({ length: steps }, () => ({ capabilityId: 'x', rationale: '', arguments: {}, clause: '' })),
  candidates: [],
});

describe('stepTones', () => {
  it('gives each planned step what its last call came to', () => {
    const invocations = [
      { step: 0, state: 'SUCCEEDED' as const },
      { step: 1, state: 'FAILED' as const },
      { step: 1, state: 'EXECUTING' as const },
    ];
    expect(stepTones({ state: 'RUNNING', plan: plan(3), invocations })).toEqual(['ok', 'active', 'idle']);
  });
  it('shows a call whose outcome a person must tell as waiting, and as stopped once the run is', () => {
    const invocations = [{ step: 0, state: 'EXECUTING' as const }];
    expect(stepTones({ state: 'WAITING', plan: plan(1), invocations })).toEqual(['waiting']);
    expect(stepTones({ state: 'CANCELLED', plan: plan(1), invocations })).toEqual(['stopped']);
  });
  it('shows a run without steps by its own state', () => {
    expect(stepTones({ state: 'FINISH_OK', plan: plan(0), invocations: [] })).toEqual(['ok']);
    expect(stepTones({ state: 'QUEUED', plan: null, invocations: [] })).toEqual(['queued']);
  });
});

const staged = (...states: ('done' | 'waiting' | 'skipped')[]) => ({
  ...plan(0),
  stages: states.map((state, index) => ({
    id: `s${index}`,
    title: { en: '', 'zh-CN': '' },
    state,
    summary: '',
    confidence: null,
    reasons: [],
  })),
});

describe('the tones of stages', () => {
  it('show which are done and which is at work, and none that is not needed', () => {
    expect(stepTones({ state: 'RUNNING', plan: staged('done', 'waiting', 'waiting'), invocations: [] })).toEqual(['ok', 'active', 'idle']);
    expect(stepTones({ state: 'FINISH_OK', plan: staged('done', 'skipped', 'done'), invocations: [] })).toEqual(['ok', 'ok']);
    expect(stepTones({ state: 'FINISH_ERROR', plan: staged('done', 'waiting'), invocations: [] })).toEqual(['ok', 'error']);
    expect(stepCountOf(staged('done', 'skipped', 'done'))).toBe(2);
    expect(stepCountOf(plan(3))).toBe(3);
  });
});

describe('summaryTones', () => {
  it('shows a run that went well as done to its end', () => {
    expect(summaryTones({ state: 'FINISH_OK', stepCount: 4, callsSucceeded: 1, callsFailed: 1 })).toEqual(['ok', 'error', 'ok', 'ok']);
  });
  it('never shows fewer segments than calls', () => {
    expect(summaryTones({ state: 'FINISH_ERROR', stepCount: 1, callsSucceeded: 1, callsFailed: 1 })).toEqual(['ok', 'error']);
  });
  it('marks the step that is under way', () => {
    expect(summaryTones({ state: 'RUNNING', stepCount: 3, callsSucceeded: 1, callsFailed: 0 })).toEqual(['ok', 'active', 'idle']);
  });
});

describe('sessionStanding', () => {
  it('lets a question win over everything else', () => {
    expect(sessionStanding({ state: 'WAITING_USER', lastRun: { id: 'r', state: 'RUNNING' } })).toBe('waiting');
  });
  it('goes by the newest run when the chat is idle', () => {
    expect(sessionStanding({ state: 'IDLE', lastRun: { id: 'r', state: 'TIMEOUT' } })).toBe('failed');
    expect(sessionStanding({ state: 'IDLE', lastRun: { id: 'r', state: 'FINISH_OK' } })).toBe('done');
    expect(sessionStanding({ state: 'IDLE', lastRun: null })).toBe('empty');
  });
});
