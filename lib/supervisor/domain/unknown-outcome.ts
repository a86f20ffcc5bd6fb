import type { InvocationRecord } from '#lib/capabilities/index.ts';
import { newId } from '#lib/kernel/index.ts';
import type { Question, Run } from './run.ts';

/**
 * What the person chose for a call whose outcome is unknown; null while nothing was chosen. To run again is granted for one
 * attempt: when that one is cut off as well, the person is asked again.
 */
export function resolutionOf(question: Question | null, existing: InvocationRecord | undefined): 'run-again' | 'skip' | null {
  if (!existing || question?.state !== 'ANSWERED' || question.invocationId !== existing.id) return null;
  if (question.answer !== 'run-again') return 'skip';
  return existing.attempt <= (question.repeatsGranted ?? 1) ? 'run-again' : null;
}

/** The question to a person about a call that may have run. */
export function askAboutUnknownOutcome(run: Run, invocation: InvocationRecord): Question {
  const say = UNKNOWN_OUTCOME[run.locale];
  return {
    id: newId('question'),
    runId: run.id,
    invocationId: invocation.id,
    kind: 'unknown-outcome',
    text: say.text(invocation.capabilityId),
    options: [
      { value: 'run-again', label: say.runAgain },
      { value: 'skip', label: say.skip },
    ],
    state: 'OPEN',
    answer: null,
  };
}

const UNKNOWN_OUTCOME = {
  en: {
    text: (capability: string) => `The server stopped during ${capability}. It may have run. Check its effect, then choose.`,
    runAgain: 'Run it again',
    skip: 'Go on without it',
  },
  'zh-CN': {
    text: (capability: string) => `服务器在执行 ${capability} 时停止，它可能已经执行。请先核对结果，再选择。`,
    runAgain: '重新执行',
    skip: '跳过并继续',
  },
} as const;
