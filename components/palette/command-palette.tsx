'use client';

import { SearchIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useId, useState } from 'react';
import { z } from 'zod';
import { requestJson } from '#components/api/request.ts';
import { KeyCaps } from '#components/keyboard/key-caps.tsx';
import { bindingOf } from '#components/keyboard/key-map.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Dialog, PalettePanel } from '#components/ui/dialog.tsx';
import { useFieldKeys } from '#components/ui/field-keys.ts';
import { joinClasses } from '#components/ui/join-classes.ts';
import { useFocusReturn } from '#components/ui/use-focus-return.ts';
import { type PresetView, presetView } from '#lib/conversations/contract.ts';
import { COMMAND_GROUPS, type Command, matchCommands } from './command.ts';
import { useCommands } from './use-commands.ts';
import { useFound } from './use-found.ts';

/** Go anywhere, find a chat or a run, do what has no page of its own: all by its name. */
export function CommandPalette({ onClose, onCopied }: { onClose: () => void; onCopied: () => void }) {
  const t = useTranslations('palette');
  const returnFocus = useFocusReturn();
  return (
    <Dialog open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <PalettePanel title={t('title')} onCloseAutoFocus={returnFocus}>
        <Chooser onClose={onClose} onCopied={onCopied} />
      </PalettePanel>
    </Dialog>
  );
}

function Chooser({ onClose, onCopied }: { onClose: () => void; onCopied: () => void }) {
  const t = useTranslations('palette');
  const listId = useId();
  const [query, setQuery] = useState('');
  const [activeId, setActiveId] = useState<string | null>(null);
  const { found, isSearching } = useFound(query);
  const { fixed, things } = useCommands({ found, presets: usePresets(), onCopied });
  // What an earlier query found stays only where its name answers this one too: Enter must never go somewhere else.
  const matches = [...matchCommands(fixed, query), ...(isSearching ? matchCommands(things, query) : things)];
  const shown = COMMAND_GROUPS.flatMap((group) => matches.filter((command) => command.group === group));
  const active = shown.find(({ id }) => id === activeId) ?? shown[0];
  useEffect(() => {
    if (activeId !== null) document.getElementById(`${listId}-${activeId}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, activeId]);
  const choose = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const move = (by: number) => {
    const at = shown.findIndex(({ id }) => id === active?.id);
    setActiveId(shown[(at + by + shown.length) % shown.length]?.id ?? null);
  };
  const keys = useFieldKeys({
    onEnter: () => choose(active),
    onOther(event) {
      const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (by === 0) return;
      event.preventDefault();
      move(by);
    },
  });
  return (
    <>
      <div className="flex h-12 shrink-0 items-center gap-2.5 border-b border-border px-4">
        <SearchIcon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
        <input
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={active ? `${listId}-${active.id}` : undefined}
          aria-autocomplete="list"
          aria-label={t('field')}
          placeholder={t('placeholder')}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setActiveId(null);
          }}
          autoComplete="off"
          spellCheck={false}
          className="h-full min-w-0 flex-1 bg-transparent text-chat outline-none"
          {...keys}
        />
        <KeyCaps press="Esc" className="max-sm:hidden" />
      </div>
      <div id={listId} role="listbox" aria-label={t('title')} className="min-h-0 flex-1 overflow-y-auto p-1.5">
        {COMMAND_GROUPS.map((group) => {
          const commands = shown.filter((command) => command.group === group);
          if (commands.length === 0) return null;
          return (
            <div key={group} role="group" aria-labelledby={`${listId}-${group}`} className="pb-1.5">
              <p id={`${listId}-${group}`} className="px-2.5 pt-1.5 pb-1 text-meta text-muted-foreground">
                {t(`groups.${group}`)}
              </p>
              {commands.map((command) => (
                <Option
                  key={command.id}
                  id={`${listId}-${command.id}`}
                  command={command}
                  isActive={command.id === active?.id}
                  onPoint={() => setActiveId(command.id)}
                  onChoose={() => choose(command)}
                />
              ))}
            </div>
          );
        })}
      </div>
      {shown.length === 0 ? (
        <p className="px-4 pb-6 text-ui text-muted-foreground">{isSearching ? t('searching') : t('nothing', { query: query.trim() })}</p>
      ) : null}
      <p role="status" className="sr-only">
        {isSearching ? '' : t('count', { count: shown.length })}
      </p>
    </>
  );
}

interface OptionProps {
  id: string;
  command: Command;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

/** A row. The field keeps the focus; the row says by `aria-selected` that it is the one Enter takes. */
function Option({ id, command: { label, note, icon: Icon, keyId }, isActive, onPoint, onChoose }: OptionProps) {
  const press = keyId ? bindingOf(keyId).presses[0] : undefined;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- its keys are the field's
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      onPointerMove={isActive ? undefined : onPoint}
      onClick={onChoose}
      className={joinClasses(
        'touchable flex h-9 cursor-pointer items-center gap-2.5 rounded-control px-2.5 text-ui',
        isActive && 'bg-foreground/8',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" strokeWidth={1.75} />
      <span className="min-w-0 truncate">{label}</span>
      {note ? <span className="min-w-0 shrink truncate text-meta text-muted-foreground">{note}</span> : null}
      {press ? (
        <span aria-hidden className="ms-auto max-sm:hidden">
          <KeyCaps press={press} />
        </span>
      ) : null}
    </div>
  );
}

const presetList = z.object({ items: z.array(presetView) });
let known: { tenantSlug: string; presets: readonly PresetView[] } | null = null;

/** Kinds of chat; those of the last time until the server has answered. */
function usePresets(): readonly PresetView[] {
  const { tenant } = useMe();
  const [presets, setPresets] = useState<readonly PresetView[]>(() => (known?.tenantSlug === tenant.slug ? known.presets : []));
  useEffect(() => {
    const abort = new AbortController();
    const read = async () => {
      const { items } = await requestJson(`/api/t/${tenant.slug}/presets`, presetList, { signal: abort.signal });
      known = { tenantSlug: tenant.slug, presets: items };
      setPresets(items);
    };
    // Without them the palette offers a new chat of the usual kind, as it does until they are there.
    read().catch(() => undefined);
    return () => abort.abort();
  }, [tenant.slug]);
  return presets;
}
