import Link from 'next/link';
import { buttonClasses } from './button.tsx';

interface PageLinksProps {
  /** Where the first page is; null on it. */
  first: string | null;
  /** Where the next one is; null on the last. */
  next: string | null;
  words: { first: string; next: string };
}

/** The ways from one page of a long list to another; nothing where there is one page. */
export function PageLinks({ first, next, words }: PageLinksProps) {
  if (first === null && next === null) return null;
  return (
    <div className="flex gap-2 py-3">
      {first === null ? null : (
        <Link href={first} className={buttonClasses({ look: 'outline' })}>
          {words.first}
        </Link>
      )}
      {next === null ? null : (
        <Link href={next} className={buttonClasses({ look: 'outline' })}>
          {words.next}
        </Link>
      )}
    </div>
  );
}
