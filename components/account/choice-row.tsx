'use client';

interface ChoiceRowProps {
  label: string;
  name: string;
  value: string;
  choices: readonly { value: string; label: string; lang?: string }[];
  onChoose: (value: string) => void;
}

/** A few choices side by side, of which one holds. */
export function ChoiceRow({ label, name, value, choices, onChoose }: ChoiceRowProps) {
  return (
    <fieldset>
      <legend className="text-ui font-medium">{label}</legend>
      <div className="mt-1 inline-flex flex-wrap rounded-control border border-input">
        {choices.map((choice) => (
          <label
            key={choice.value}
            lang={choice.lang}
            className="touchable flex h-8 cursor-pointer items-center gap-2 border-e border-input px-3 text-ui last:border-e-0 has-checked:bg-primary/8 has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-ring"
          >
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChoose(choice.value)}
              className="size-3.5 accent-primary"
            />
            {choice.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
