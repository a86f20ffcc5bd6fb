import { type ClassValue, clsx } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

const merge = extendTailwindMerge({
  extend: {
    theme: {
      text: ['meta', 'ui', 'chat', 'field', 'section', 'page'],
      radius: ['control', 'card', 'sheet', 'full'],
      shadow: ['floating'],
    },
  },
});

/** Class names of which later ones win over earlier ones of the same kind. */
export function joinClasses(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
