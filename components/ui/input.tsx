import type { ComponentProps } from 'react';
import { joinClasses } from './join-classes.ts';

const CONTROL =
  'w-full rounded-control border border-input bg-card text-foreground text-ui transition-colors duration-[120ms] aria-invalid:border-destructive disabled:cursor-not-allowed disabled:opacity-60';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={joinClasses(CONTROL, 'touchable h-8 px-2.5', className)} {...rest} />;
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={joinClasses(CONTROL, 'px-2.5 py-1.5', className)} {...rest} />;
}

/** The platform's own list: it works with every keyboard, screen reader and phone. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select className={joinClasses(CONTROL, 'touchable h-8 px-2', className)} {...rest} />;
}
