'use client';

import { useTranslations } from 'next-intl';
import { type ReactElement, useState } from 'react';
import { Dialog, DialogPanel, DialogTrigger } from '#components/ui/dialog.tsx';
import type { McpServersView, McpServerView } from '#lib/mcp/contract.ts';
import { ServerForm } from './server-form.tsx';

interface ServerDialogProps {
  server: McpServerView | null;
  programs: McpServersView['programs'];
  trigger: ReactElement;
}

/** The form of a server in a dialog behind its button. Each opening starts from what is stored. */
export function ServerDialog({ server, programs, trigger }: ServerDialogProps) {
  const t = useTranslations('mcp.form');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogPanel
        title={server ? t('editTitle', { name: server.name }) : t('addTitle')}
        className="w-[min(36rem,calc(100vw-2rem))]"
        // A click beside it would lose what was typed; Escape and the buttons close it.
        onPointerDownOutside={(event) => event.preventDefault()}
      >
        <ServerForm server={server} programs={programs} onDone={() => setIsOpen(false)} />
      </DialogPanel>
    </Dialog>
  );
}
