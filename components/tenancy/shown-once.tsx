'use client';

import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';

/** A secret that can be seen this once, to be copied before the dialog is closed. */
export function ShownOnce({ value, words, onDone }: { value: string; words: { copy: string; done: string }; onDone: () => void }) {
  return (
    <>
      <code className="rounded-control border border-border bg-sunken p-3 font-mono text-ui break-all">{value}</code>
      <div className="flex flex-wrap justify-end gap-2">
        <CopyButton value={value} label={words.copy} isLabelled look="outline" size="normal" />
        <Button look="primary" onClick={onDone}>
          {words.done}
        </Button>
      </div>
    </>
  );
}
