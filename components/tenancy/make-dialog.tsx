'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { Dialog, DialogPanel, DialogTrigger } from '#components/ui/dialog.tsx';
import { ShownOnce } from './shown-once.tsx';

interface MakeDialogProps {
  trigger: ReactNode;
  /** What the dialog says while the form is filled in, and once the secret is there. */
  words: Readonly<Record<'new' | 'made', { title: string; body: string }>> & { readonly copy: string; readonly done: string };
  className?: string;
  /** `close` is for a form that has nothing to show. */
  renderForm: (onMade: (secret: string) => void, close: () => void) => ReactNode;
}

/** A form that makes something whose secret, a key or a link, is then shown this once. The page is read again on closing. */
export function MakeDialog({ trigger, words, className, renderForm }: MakeDialogProps) {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const change = (opens: boolean) => {
    setIsOpen(opens);
    if (opens) setMade(null);
    else router.refresh();
  };
  const { title, body } = made === null ? words.new : words.made;
  return (
    <Dialog open={isOpen} onOpenChange={change}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogPanel
        title={title}
        description={body}
        {...(className !== undefined && { className })}
        // A click beside it would lose what was typed, or a secret that is shown once.
        onPointerDownOutside={(event) => event.preventDefault()}
      >
        {made === null ? renderForm(setMade, () => change(false)) : <ShownOnce value={made} words={words} onDone={() => change(false)} />}
      </DialogPanel>
    </Dialog>
  );
}
