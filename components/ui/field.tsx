import { type ReactNode, useId } from 'react';
import { joinClasses } from './join-classes.ts';

export interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
}

interface FieldProps {
  label: ReactNode;
  /** What to enter, said before anything goes wrong. */
  hint?: ReactNode;
  /** What is wrong and how to mend it. */
  problem?: ReactNode;
  className?: string;
  children: (control: FieldControl) => ReactNode;
}

/** A label, its control, a hint and what is wrong with it, tied together for screen readers. */
export function Field({ label, hint, problem, className, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const problemId = `${id}-problem`;
  const describedBy = [hint ? hintId : '', problem ? problemId : ''].filter(Boolean).join(' ');
  return (
    <div className={joinClasses('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="text-ui font-medium">
        {label}
      </label>
      {children({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': problem ? true : undefined })}
      {hint ? (
        <p id={hintId} className="text-meta text-muted-foreground">
          {hint}
        </p>
      ) : null}
      {problem ? (
        <p id={problemId} className="text-meta text-destructive">
          {problem}
        </p>
      ) : null}
    </div>
  );
}
