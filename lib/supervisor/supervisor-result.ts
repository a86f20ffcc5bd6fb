import type { InvocationView, RunView, SupervisorResult } from './contract.ts';

/** As much of a run as its result tells. */
export interface RunOutcome
  extends Pick<RunView, 'id' | 'sessionId' | 'preset' | 'state' | 'plan' | 'answer' | 'ontologyRevision' | 'error'> {
  readonly invocations: readonly Pick<InvocationView, 'step' | 'capabilityId' | 'output' | 'error'>[];
}

/** What a run's stream ends with, and `?wait=true` answers (requirement P-25). */
export function toSupervisorResult(run: RunOutcome): SupervisorResult {
  return {
    sessionId: run.sessionId,
    preset: run.preset,
    terminal: run.state,
    snapshot: {
      runId: run.id,
      echo: run.answer ?? '',
      pipeline_trace: (run.plan?.steps ?? run.invocations.map(toChosenStep)).map((step, index) => {
        const call = run.invocations.find((invocation) => invocation.step === index);
        return {
          capabilityId: step.capabilityId,
          rationale: step.rationale,
          output: call?.output ?? (call?.error ? { error: call.error } : null),
        };
      }),
      execution_plan: run.plan && { intent: run.plan.intent, summary: run.plan.summary },
      ontology_revision: run.ontologyRevision,
      error: run.error,
    },
  };
}

/** A model plans as it goes: what it called is its plan. */
function toChosenStep({ capabilityId }: Pick<InvocationView, 'capabilityId'>) {
  return { capabilityId, rationale: 'chosen by the model' };
}
