import { type ComponentProps, type ReactNode, useId } from 'react';
import { RowKeys } from '#components/keyboard/row-keys.tsx';
import { joinClasses } from './join-classes.ts';

interface TableProps {
  /** What is listed; read out where the table is entered. */
  label: string;
  /** The `Column`s, left to right. */
  columns: ReactNode;
  /** The `Row`s. */
  children: ReactNode;
  className?: string;
}

/**
 * Rows under names that stay in sight while what is around them scrolls. A table that is wider than its place scrolls
 * sideways inside itself, and can be reached by keyboard for it; J and K go from row to row. Drop columns of little weight on phones with `max-sm:hidden`.
 */
export function Table({ label, columns, children, className }: TableProps) {
  const id = useId();
  return (
    <table id={id} aria-label={label} className={joinClasses('w-full text-ui', className)}>
      <thead>
        <tr className="sticky top-0 z-[1] h-8 bg-background text-meta text-muted-foreground shadow-[inset_0_-1px_0_var(--border)]">
          {columns}
        </tr>
      </thead>
      <tbody>{children}</tbody>
      <RowKeys listId={id} />
    </table>
  );
}

interface CellProps extends Omit<ComponentProps<'td'>, 'align'> {
  /** Numbers stand at the end, digit under digit. */
  isNumber?: boolean;
}

export function Column({ isNumber = false, className, ...rest }: CellProps) {
  return (
    <th
      scope="col"
      className={joinClasses('px-2 font-normal whitespace-nowrap first:ps-4 last:pe-4', isNumber ? 'text-end' : 'text-start', className)}
      {...rest}
    />
  );
}

/** A row. A link in it with `rowLinkClasses` makes the whole row its target. */
export function Row({ className, ...rest }: ComponentProps<'tr'>) {
  return <tr className={joinClasses('relative h-11 border-b border-border hover:bg-foreground/4', className)} {...rest} />;
}

export function Cell({ isNumber = false, className, ...rest }: CellProps) {
  return (
    <td
      className={joinClasses('px-2 py-1.5 first:ps-4 last:pe-4', isNumber ? 'text-end whitespace-nowrap tabular' : 'text-start', className)}
      {...rest}
    />
  );
}

export const rowLinkClasses =
  "font-medium after:absolute after:inset-0 after:content-[''] focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-[-2px] focus-visible:after:outline-ring";
