'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogClose, DialogPanel, DialogTrigger } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { type RequestFailure, toRequestFailure } from './request.ts';

interface ConfirmDialogProps {
  /** The button that asks. */
  trigger: ReactNode;
  title: ReactNode;
  /** What is lost, and what is not. */
  description: ReactNode;
  /** The verb: "Delete", "Remove". */
  confirm: ReactNode;
  /** Shown on the button meanwhile: "Deleting…". */
  confirming: ReactNode;
  /** "Keep it": the way out names what stays. */
  keep: ReactNode;
  /** False while something is missing that `children` ask for. */
  isReady?: boolean;
  /** Where much hangs on it: this must be typed first. */
  typed?: { text: string; label: ReactNode };
  /** Does it. What it throws is shown in the dialog; "not found" counts as done, since what was asked for is so. */
  onConfirm: () => Promise<unknown>;
  /** After it was done; the dialog is closed then. */
  onDone: () => void;
  children?: ReactNode;
}

/** A question before what cannot be taken back. */
export function ConfirmDialog({ trigger, title, description, typed, children, ...rest }: ConfirmDialogProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogPanel title={title} description={description}>
        {children}
        <Answer typed={typed} {...rest} onClose={() => setIsOpen(false)} />
      </DialogPanel>
    </Dialog>
  );
}

type AnswerProps = Pick<ConfirmDialogProps, 'confirm' | 'confirming' | 'keep' | 'isReady' | 'onConfirm' | 'onDone'> & {
  typed: ConfirmDialogProps['typed'];
  onClose: () => void;
};

/** Lives as long as the dialog is open, so that an answer begun is not there the next time. */
function Answer({ confirm, confirming, keep, isReady = true, typed, onConfirm, onDone, onClose }: AnswerProps) {
  const t = useTranslations('ui');
  const [isWorking, setIsWorking] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const [text, setText] = useState('');
  const act = async () => {
    setIsWorking(true);
    setFailure(null);
    try {
      await onConfirm();
    } catch (thrown) {
      const refused = toRequestFailure(thrown);
      if (refused.code !== 'not_found') {
        setFailure(refused);
        setIsWorking(false);
        return;
      }
    }
    onClose();
    onDone();
  };
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void act();
      }}
    >
      {typed ? (
        <Field label={typed.label} hint={t('typeToConfirm', { text: typed.text })}>
          {(control) => (
            <Input {...control} value={text} onChange={(event) => setText(event.target.value)} autoComplete="off" spellCheck={false} />
          )}
        </Field>
      ) : null}
      {failure ? <FailureNotice failure={failure} /> : null}
      <div className="flex flex-wrap justify-end gap-2">
        <DialogClose asChild>
          <Button look="quiet">{keep}</Button>
        </DialogClose>
        <Button type="submit" look="danger" disabled={isWorking || !isReady || (typed !== undefined && text.trim() !== typed.text)}>
          {isWorking ? confirming : confirm}
        </Button>
      </div>
    </form>
  );
}
