import { type RecordedCall, type RecordedCallInputs, recordCall, resultAccepted, type SettledOutcome } from './recorded-call.ts';

/** Makes a call whose result is for whoever made it, an agent or a stage, and not for the reader; as `recordCall` does. */
export function invokeSilently(inputs: RecordedCallInputs, call: RecordedCall): Promise<SettledOutcome> {
  return recordCall(inputs, call, {
    alongside: (invocation) => (invocation.state === 'SUCCEEDED' ? { events: [resultAccepted(invocation, inputs.clock)] } : {}),
  });
}
