import { CircleIcon } from 'lucide-react';
import { describe, expect, it } from 'vitest';
import { type Command, matchCommands } from './command.ts';

const command = (id: string, label: string, also: Partial<Command> = {}): Command => ({
  id,
  label,
  group: 'go',
  icon: CircleIcon,
  run() {},
  ...also,
});
const ids = (commands: readonly Command[]) => commands.map(({ id }) => id);

describe('matchCommands', () => {
  const all = [
    command('runs', 'Runs'),
    command('memory', '记忆', { keywords: 'memory' }),
    command('dark', 'Theme: Dark', { group: 'actions', keywords: 'theme appearance' }),
    command('new', 'New chat: Research', { group: 'actions' }),
    command('roles', 'Roles', { isFoundOnly: true }),
  ];
  it('offers what is worth it for no query, in its order', () => {
    expect(ids(matchCommands(all, '  '))).toEqual(['runs', 'memory', 'dark', 'new']);
  });
  it('finds by its name what it does not offer', () => {
    expect(ids(matchCommands(all, 'role'))).toEqual(['roles']);
  });
  it('wants every word, in any order and case', () => {
    expect(ids(matchCommands(all, 'DARK theme'))).toEqual(['dark']);
    expect(ids(matchCommands(all, 'dark light'))).toEqual([]);
  });
  it('finds a Chinese label by itself and by its English name', () => {
    expect(ids(matchCommands(all, '记'))).toEqual(['memory']);
    expect(ids(matchCommands(all, 'mem'))).toEqual(['memory']);
  });
  it('puts what begins with the query before what contains it', () => {
    const some = [command('b', 'All chats'), command('a', 'Chats'), command('c', 'Outreach at')];
    expect(ids(matchCommands(some, 'chat'))).toEqual(['a', 'b']);
  });
});
