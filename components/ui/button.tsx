import { cva, type VariantProps } from 'class-variance-authority';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { joinClasses } from './join-classes.ts';

export const buttonClasses = cva(
  'touchable inline-flex shrink-0 items-center justify-center gap-2 rounded-control border text-ui font-medium whitespace-nowrap transition-colors duration-[120ms] select-none disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      look: {
        primary: 'border-transparent bg-primary text-primary-foreground hover:not-disabled:bg-primary/88',
        outline: 'border-input bg-background text-foreground hover:not-disabled:bg-sunken',
        quiet: 'border-transparent bg-transparent text-foreground hover:not-disabled:bg-foreground/6',
        danger: 'border-destructive bg-background text-destructive hover:not-disabled:bg-destructive/8',
      },
      size: {
        normal: 'h-8 px-3',
        small: 'h-7 px-2 text-meta [&_svg]:size-3.5',
        large: 'h-10 px-4 text-chat',
        square: 'size-8 p-0',
        squareSmall: 'size-7 p-0 [&_svg]:size-3.5',
      },
    },
    defaultVariants: { look: 'outline', size: 'normal' },
  },
);

export type ButtonProps = ComponentProps<'button'> & VariantProps<typeof buttonClasses> & { asChild?: boolean };

/** A button, or with `asChild` its one child made to look like it. It never submits a form unless `type="submit"` is given. */
export function Button({ className, look, size, asChild = false, ...rest }: ButtonProps) {
  const classes = joinClasses(buttonClasses({ look, size }), className);
  return asChild ? <Slot.Root className={classes} {...rest} /> : <button type="button" className={classes} {...rest} />;
}
