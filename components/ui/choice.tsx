import { Select } from './input.tsx';
import { joinClasses } from './join-classes.ts';

interface ChoiceProps {
  label: string;
  /** null: any. */
  value: string | null;
  /** What is shown where nothing is chosen. */
  any: string;
  options: readonly (readonly [value: string, label: string])[];
  onChoose: (value: string | null) => void;
  className?: string;
}

/** One of several values, or any of them: what a list is narrowed to. A value that is no option (any more) is shown as it is. */
export function Choice({ label, value, any, options, onChoose, className }: ChoiceProps) {
  return (
    <Select
      value={value ?? ''}
      onChange={(event) => onChoose(event.target.value || null)}
      aria-label={label}
      className={joinClasses('w-auto max-w-44', className)}
    >
      <option value="">{any}</option>
      {value !== null && !options.some(([known]) => known === value) ? <option value={value}>{value}</option> : null}
      {options.map(([known, name]) => (
        <option key={known} value={known}>
          {name}
        </option>
      ))}
    </Select>
  );
}
