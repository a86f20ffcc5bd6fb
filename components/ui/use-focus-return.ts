import { useState } from 'react';

/**
 * For a dialog that a key opens, and no trigger: gives the focus back to what had it. To be called where the dialog is mounted
 * with its opening, its result to be given to the panel as `onCloseAutoFocus`.
 */
export function useFocusReturn(): (event: Event) => void {
  const [opener] = useState(() => document.activeElement);
  return (event) => {
    event.preventDefault();
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
  };
}
