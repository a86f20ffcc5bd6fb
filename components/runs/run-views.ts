/** The views of one run. */
export const RUN_VIEWS = ['timeline', 'tree', 'events', 'states', 'plan', 'model'] as const;
export type RunViewKey = (typeof RUN_VIEWS)[number];

export function parseRunView(value: unknown): RunViewKey {
  return RUN_VIEWS.find((view) => view === value) ?? 'timeline';
}
