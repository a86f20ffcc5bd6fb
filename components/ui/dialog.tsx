'use client';

import { XIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Dialog as Primitive } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from './button.tsx';
import { isTakenByInputMethod } from './field-keys.ts';
import { joinClasses } from './join-classes.ts';

export const Dialog = Primitive.Root;
export const DialogTrigger = Primitive.Trigger;
export const DialogClose = Primitive.Close;

/** The Escape that drops a candidate of an input method leaves the panel open. */
function keepWhileComposing(event: KeyboardEvent): void {
  if (isTakenByInputMethod(event)) event.preventDefault();
}

interface DialogPanelProps extends Omit<ComponentProps<typeof Primitive.Content>, 'title'> {
  title: ReactNode;
  /** Read out with the title; say what the panel asks for. */
  description?: ReactNode;
  isTitleHidden?: boolean;
}

/** A question in the middle of the screen; focus stays in it and returns to what opened it. */
export function DialogPanel({ title, description, isTitleHidden = false, className, children, ...rest }: DialogPanelProps) {
  return (
    <Primitive.Portal>
      <Primitive.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
      <Primitive.Content
        {...(description ? {} : { 'aria-describedby': undefined })}
        onEscapeKeyDown={keepWhileComposing}
        className={joinClasses(
          'fixed top-1/2 left-1/2 z-50 flex max-h-[85dvh] w-[min(32rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 animate-appear flex-col gap-3 overflow-auto rounded-sheet border border-border bg-card p-5 shadow-floating',
          className,
        )}
        {...rest}
      >
        <PanelHead title={title} description={description} isTitleHidden={isTitleHidden} />
        {children}
      </Primitive.Content>
    </Primitive.Portal>
  );
}

/** A panel from the left edge, for what a wide screen shows beside the page. */
export function SheetPanel({ title, description, isTitleHidden = false, className, children, ...rest }: DialogPanelProps) {
  return (
    <Primitive.Portal>
      <Primitive.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
      <Primitive.Content
        {...(description ? {} : { 'aria-describedby': undefined })}
        onEscapeKeyDown={keepWhileComposing}
        className={joinClasses(
          'fixed inset-y-0 left-0 z-50 flex w-[min(20rem,calc(100vw-3rem))] animate-slide flex-col overflow-auto border-e border-border bg-background shadow-floating',
          className,
        )}
        {...rest}
      >
        <PanelHead title={title} description={description} isTitleHidden={isTitleHidden} className="p-3 pb-0" />
        {children}
      </Primitive.Content>
    </Primitive.Portal>
  );
}

/** A panel near the top that is all one field and its list, and needs no head: Escape and a click beside it close it. */
export function PalettePanel({ title, className, children, ...rest }: Omit<DialogPanelProps, 'description' | 'isTitleHidden'>) {
  return (
    <Primitive.Portal>
      <Primitive.Overlay className="fixed inset-0 z-40 bg-scrim" />
      <Primitive.Content
        aria-describedby={undefined}
        onEscapeKeyDown={keepWhileComposing}
        className={joinClasses(
          'fixed inset-x-0 top-[max(0.5rem,10dvh)] z-50 mx-auto flex max-h-[min(32rem,80dvh)] w-[min(40rem,calc(100vw-1rem))] flex-col overflow-hidden rounded-sheet border border-border bg-card shadow-floating',
          className,
        )}
        {...rest}
      >
        <Primitive.Title className="sr-only">{title}</Primitive.Title>
        {children}
      </Primitive.Content>
    </Primitive.Portal>
  );
}

function PanelHead({
  title,
  description,
  isTitleHidden,
  className,
}: {
  title: ReactNode;
  description: ReactNode;
  isTitleHidden: boolean;
  className?: string;
}) {
  const t = useTranslations('ui');
  return (
    <div className={joinClasses('flex items-start gap-3', className)}>
      <div className="min-w-0 flex-1">
        <Primitive.Title className={isTitleHidden ? 'sr-only' : 'text-section font-semibold'}>{title}</Primitive.Title>
        {description ? <Primitive.Description className="mt-1 text-ui text-muted-foreground">{description}</Primitive.Description> : null}
      </div>
      <Primitive.Close asChild>
        <Button look="quiet" size="squareSmall" aria-label={t('close')}>
          <XIcon aria-hidden />
        </Button>
      </Primitive.Close>
    </div>
  );
}
