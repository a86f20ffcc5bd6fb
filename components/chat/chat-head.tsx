'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Badge } from '#components/ui/state-chip.tsx';
import { StateGlyph } from '#components/ui/state-glyph.tsx';
import type { SessionView } from '#lib/conversations/contract.ts';
import { RenameField } from './rename-field.tsx';
import { SessionListSheet } from './session-list-sheet.tsx';
import { SessionMenu } from './session-menu.tsx';

/** The name of a chat, what kind it is, and which model answers in it. */
export function ChatHead({
  session,
  presetName,
  model,
  onChanged,
}: {
  session: SessionView;
  presetName: string;
  model: string | null;
  onChanged: () => void;
}) {
  const t = useTranslations('chat');
  const [isRenaming, setIsRenaming] = useState(false);
  return (
    <header className="flex min-h-12 shrink-0 items-center gap-2 border-b border-border px-4 max-lg:ps-2">
      <SessionListSheet />
      {isRenaming ? (
        <div className="max-w-96 flex-1">
          <RenameField session={session} onDone={() => setIsRenaming(false)} onChanged={onChanged} />
        </div>
      ) : (
        <>
          <h1 className="min-w-0 truncate text-ui font-semibold">{session.title || t('list.untitled')}</h1>
          <Badge className="shrink-0 whitespace-nowrap max-sm:hidden">{presetName}</Badge>
          <Badge className="shrink-0 whitespace-nowrap max-xl:hidden">
            <StateGlyph tone={model === null ? 'idle' : 'ok'} />
            {model ?? t('planner')}
          </Badge>
          <div className="ms-auto">
            <SessionMenu session={session} onRename={() => setIsRenaming(true)} onChanged={onChanged} />
          </div>
        </>
      )}
    </header>
  );
}
