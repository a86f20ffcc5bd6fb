/** One thing a model is told before it starts (requirement P-23). */
export interface ContextFragment {
  readonly namespace: string;
  readonly key: string;
  readonly value: string;
  /** Not a part of the system prompt: the model is told it in another way, and the record shows it here. */
  readonly isSentApart?: boolean;
}

/** A fragment with who gave it; one that a later contributor replaced is kept, marked, and not sent. */
export interface AssembledFragment extends ContextFragment {
  readonly contributor: string;
  readonly order: number;
  readonly isOverridden: boolean;
}
