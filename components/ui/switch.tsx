'use client';

import { type ReactNode, useId } from 'react';

interface SwitchProps {
  label: ReactNode;
  /** What changes with it. */
  hint?: ReactNode;
  isOn: boolean;
  isDisabled?: boolean;
  onChange: (isOn: boolean) => void;
}

/** Something that is on or off at once, with its label and what it does. */
export function Switch({ label, hint, isOn, isDisabled = false, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className="grid grid-cols-[2.25rem_1fr] items-start gap-x-3">
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        disabled={isDisabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
        className="relative mt-0.5 h-5 w-9 cursor-pointer appearance-none rounded-full border border-input bg-sunken transition-colors duration-[120ms] before:absolute before:start-0.5 before:top-1/2 before:size-3.5 before:-translate-y-1/2 before:rounded-full before:bg-muted-foreground checked:border-primary checked:bg-primary checked:before:start-auto checked:before:end-0.5 checked:before:bg-primary-foreground disabled:cursor-not-allowed disabled:opacity-60"
      />
      <div>
        <label htmlFor={id} className="touchable text-ui font-medium">
          {label}
        </label>
        {hint ? (
          <p id={`${id}-hint`} className="text-meta text-muted-foreground">
            {hint}
          </p>
        ) : null}
      </div>
    </div>
  );
}
