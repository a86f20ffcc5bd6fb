import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { A_PLUGIN } from '#components/testing/a-plugin.ts';
import { answerJson, startApiServer } from '#components/testing/api-server.ts';
import { ME, WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import type { PluginRequestView, PluginView } from '#lib/plugins/contract.ts';
import { PluginHead } from './plugin-head.tsx';
import { PluginList } from './plugin-list.tsx';
import { PluginPermissions } from './plugin-permissions.tsx';
import { PluginSettings } from './plugin-settings.tsx';
import { PluginUsage } from './plugin-usage.tsx';
import { PluginVersions } from './plugin-versions.tsx';
import { RequestList } from './request-list.tsx';

afterEach(cleanup);

const INSTALLED: PluginView = {
  ...A_PLUGIN,
  state: 'needs-consent',
  version: '2.0.0',
  installedVersion: '1.0.0',
  permissions: [
    { permission: 'capability:invoke', why: { en: 'To roll.', 'zh-CN': '' }, isConsented: true },
    { permission: 'memory:write', why: { en: 'To remember.', 'zh-CN': '' }, isConsented: false },
  ],
  changelog: [
    { version: '2.0.0', date: '2026-02-01', changes: [], permissions: [], addedPermissions: ['memory:write'], removedPermissions: [] },
    { version: '1.0.0', date: '2026-01-01', changes: [], permissions: ['capability:invoke'], addedPermissions: [], removedPermissions: [] },
  ],
  configuration: { values: { sides: 20 }, secretHints: { key: 'LAST' } },
  snapshots: ['pls_2', 'pls_1'].map((id) => ({
    id,
    version: '1.0.0',
    values: { sides: id === 'pls_2' ? 20 : 6 },
    secretNames: ['key'],
    createdBy: { id: 'usr_1', name: 'Li' },
    createdAt: '2026-01-01T11:00:00Z',
  })),
  presets: [{ key: 'dice', name: { en: 'Dice table', 'zh-CN': '' }, description: { en: '', 'zh-CN': '' } }],
  dependents: { sessions: [{ preset: 'dice', count: 2 }], openRuns: 0, plugins: [], documents: 0 },
};

function show(part: ReactNode, permissions: readonly string[] = ['plugin:read', 'plugin:install', 'plugin:request']) {
  render(
    <WorkspaceFrame me={{ ...ME, permissions: [...permissions] }} path="/acme/marketplace/DICE">
      {part}
    </WorkspaceFrame>,
  );
}

describe('a plugin’s head', () => {
  it('offers what its reader may do, and nothing else', () => {
    show(<PluginHead plugin={A_PLUGIN} />);
    expect(screen.getByRole('button', { name: 'Install…' })).toBeDefined();
    cleanup();
    show(<PluginHead plugin={A_PLUGIN} />, ['plugin:read', 'plugin:request']);
    expect(screen.queryByRole('button', { name: 'Install…' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Ask for it…' })).toBeDefined();
    cleanup();
    show(<PluginHead plugin={A_PLUGIN} />, ['plugin:read']);
    expect(screen.queryAllByRole('button')).toEqual([]);
    cleanup();
    show(<PluginHead plugin={INSTALLED} />);
    expect(screen.getByRole('button', { name: 'Review and upgrade…' })).toBeDefined();
    expect(screen.getByText('1.0.0 installed, 2.0.0 available')).toBeDefined();
  });
});

describe('what a plugin asks for', () => {
  it('is told in words: in the list, by permission, and as what a version asks for more', () => {
    show(<PluginList tenantSlug="acme" plugins={[INSTALLED]} />);
    expect(screen.getByText('Call tools · Remember and forget for you')).toBeDefined();
    cleanup();
    show(<PluginPermissions plugin={INSTALLED} />);
    expect(screen.getByText('Not given')).toBeDefined();
    cleanup();
    show(<PluginVersions plugin={INSTALLED} />);
    expect(screen.getByText('Asks for more: Remember and forget for you')).toBeDefined();
  });
});

describe('a plugin’s settings', () => {
  it('keep a secret that is left empty, and can be set as they were', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, {}));
    show(<PluginSettings plugin={INSTALLED} />);
    expect(screen.getByText(/Ends in LAST/)).toBeDefined();
    fireEvent.change(screen.getByLabelText('Sides'), { target: { value: '8' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(asked).toHaveLength(1));
    fireEvent.click(screen.getByRole('button', { name: 'Set again' }));
    await waitFor(() => expect(asked).toHaveLength(2));
    expect(asked).toMatchObject([
      { method: 'PUT', body: { configuration: { sides: 8 } } },
      { method: 'POST', path: '/api/t/acme/marketplace/DICE/configuration/rollback', body: { snapshotId: 'pls_1' } },
    ]);
  });
});

describe('uninstalling', () => {
  it('says what depends on it, and waits for its id', async () => {
    const { asked } = await startApiServer((_request, response) => response.writeHead(204).end());
    show(<PluginUsage tenantSlug="acme" plugin={INSTALLED} canInstall />);
    expect(screen.getByText('2 chats')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Uninstall…' }));
    const confirm = screen.getByRole<HTMLButtonElement>('button', { name: 'Uninstall' });
    expect(confirm.disabled).toBe(true);
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'DICE' } });
    fireEvent.click(confirm);
    await waitFor(() => expect(asked).toMatchObject([{ method: 'DELETE', path: '/api/t/acme/marketplace/DICE?confirm=DICE' }]));
  });
});

describe('a request', () => {
  const REQUEST: PluginRequestView = {
    id: 'plr_1',
    pluginId: 'DICE',
    pluginName: { en: 'Dice', 'zh-CN': '骰子' },
    requester: { id: 'usr_2', name: 'Wei' },
    reason: 'For the game',
    state: 'OPEN',
    decidedBy: null,
    decidedAt: null,
    note: null,
    createdAt: '2026-01-01T11:00:00Z',
  };

  it('is refused with a reason by those who may install', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, {}));
    show(<RequestList requests={[REQUEST]} />);
    expect(screen.getByRole('heading', { name: 'Wei asks for Dice' })).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Refuse…' }));
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Not now' } });
    fireEvent.click(screen.getByRole('button', { name: 'Refuse' }));
    await waitFor(() => expect(asked).toMatchObject([{ method: 'PATCH', body: { decision: 'refuse', note: 'Not now' } }]));
    cleanup();
    show(<RequestList requests={[REQUEST]} />, ['plugin:read']);
    expect(screen.queryAllByRole('button')).toEqual([]);
  });
});
