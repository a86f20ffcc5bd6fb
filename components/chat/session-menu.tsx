'use client';

import { ArchiveIcon, ArchiveRestoreIcon, EllipsisVerticalIcon, PencilIcon, PinIcon, PinOffIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { requestDone } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Menu, MenuItem, MenuPanel, MenuTrigger } from '#components/ui/menu.tsx';
import type { SessionView } from '#lib/conversations/contract.ts';

interface SessionMenuProps {
  session: SessionView;
  onRename: () => void;
  onChanged: () => void;
}

/** What can be done with a chat. */
export function SessionMenu({ session, onRename, onChanged }: SessionMenuProps) {
  const t = useTranslations('chat.list');
  const { tenant, user, permissions } = useMe();
  const [hasFailed, setHasFailed] = useState(false);
  if (session.ownerId !== user.id || !permissions.includes('conversation:write')) return null;
  const change = async (body: { isPinned?: boolean; isArchived?: boolean }) => {
    try {
      await requestDone(`/api/t/${tenant.slug}/sessions/${session.id}`, { method: 'PATCH', body });
      setHasFailed(false);
      onChanged();
    } catch {
      setHasFailed(true);
    }
  };
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button look="quiet" size="squareSmall" aria-label={t('actions', { title: session.title || t('untitled') })} className="me-1">
          <EllipsisVerticalIcon aria-hidden className={hasFailed ? 'text-destructive' : 'text-muted-foreground'} />
        </Button>
      </MenuTrigger>
      <MenuPanel align="end" onCloseAutoFocus={(event) => event.preventDefault()}>
        {hasFailed ? <p className="px-2 py-1 text-meta text-destructive">{t('changeFailed')}</p> : null}
        <MenuItem onSelect={onRename}>
          <PencilIcon aria-hidden />
          {t('rename')}
        </MenuItem>
        <MenuItem onSelect={() => void change({ isPinned: !session.isPinned })}>
          {session.isPinned ? <PinOffIcon aria-hidden /> : <PinIcon aria-hidden />}
          {session.isPinned ? t('unpin') : t('pin')}
        </MenuItem>
        <MenuItem onSelect={() => void change({ isArchived: !session.isArchived })}>
          {session.isArchived ? <ArchiveRestoreIcon aria-hidden /> : <ArchiveIcon aria-hidden />}
          {session.isArchived ? t('unarchive') : t('archive')}
        </MenuItem>
      </MenuPanel>
    </Menu>
  );
}
