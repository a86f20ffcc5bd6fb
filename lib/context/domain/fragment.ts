/** One thing a model is told before it starts (requirement P-23). */
export interface ContextFragment {
  readonly namespace: string;
  readonly key: string;
  readonly value: string;
  /**
   * Whose words it holds: `own` what this system has worked out, its members have set, or was said in the session; `outside` what
   * others have written, after which a run may not write without asking. Absent: `outside`.
   */
  readonly contentOrigin?: 'own' | 'outside';
  /** Not a part of the system prompt: the model is told it in another way, and the record shows it here. */
  readonly isSentApart?: boolean;
}

/** A fragment with who gave it; one that a later contributor replaced is kept, marked, and not sent. */
export interface AssembledFragment extends ContextFragment {
  readonly contributor: string;
  readonly order: number;
  readonly isOverridden: boolean;
}

/** Whether a model is told words of others; pure. */
export function hasOutsideContent(fragments: readonly AssembledFragment[]): boolean {
  return fragments.some(({ isOverridden, value, contentOrigin }) => !isOverridden && value !== '' && contentOrigin !== 'own');
}
