'use client';

import { CheckIcon } from 'lucide-react';
import { DropdownMenu as Primitive } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { joinClasses } from './join-classes.ts';

export const Menu = Primitive.Root;
export const MenuTrigger = Primitive.Trigger;
export const MenuChoices = Primitive.RadioGroup;

const ITEM =
  'relative flex min-h-8 touchable cursor-default items-center gap-2 rounded-control px-2 text-ui outline-none select-none data-[disabled]:opacity-50 data-[highlighted]:bg-foreground/8 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted-foreground';

export function MenuPanel({ className, ...rest }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        sideOffset={4}
        collisionPadding={8}
        className={joinClasses('z-50 min-w-44 animate-appear rounded-card border border-border bg-card p-1 shadow-floating', className)}
        {...rest}
      />
    </Primitive.Portal>
  );
}

export function MenuItem({ className, ...rest }: ComponentProps<typeof Primitive.Item>) {
  return <Primitive.Item className={joinClasses(ITEM, className)} {...rest} />;
}

export function MenuChoice({ className, children, ...rest }: ComponentProps<typeof Primitive.RadioItem>) {
  return (
    <Primitive.RadioItem className={joinClasses(ITEM, 'ps-8', className)} {...rest}>
      <Primitive.ItemIndicator className="absolute start-2">
        <CheckIcon aria-hidden />
      </Primitive.ItemIndicator>
      {children}
    </Primitive.RadioItem>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Primitive.Label className="px-2 pt-1.5 pb-1 text-meta text-muted-foreground">{children}</Primitive.Label>;
}

export function MenuRule() {
  return <Primitive.Separator className="-mx-1 my-1 border-t border-border" />;
}
