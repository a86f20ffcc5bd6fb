import type { ServerResponse } from 'node:http';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { PROVIDER } from '#components/testing/a-provider.ts';
import { answerJson, startApiServer } from '#components/testing/api-server.ts';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import type { ModelsView, ProviderTestView } from '#lib/models/contract.ts';
import { ModelsSettings } from './models-settings.tsx';

const MODELS: ModelsView = {
  policy: { isEnabled: true, fallsBack: true, fallbacks: [] },
  offered: { kind: 'openai', model: 'offered-1' },
  providers: [PROVIDER],
  inUse: { source: 'workspace', kind: 'compatible', model: 'small-1' },
};
const FAILED: ProviderTestView = {
  at: '2026-01-01T11:59:00Z',
  url: 'http://models.test/v1/models',
  reach: { ok: true, detail: 'answered 401', ms: 12 },
  authenticate: { ok: false, detail: 'the key was refused with 401: Incorrect API key', ms: 30 },
  call: null,
};

afterEach(cleanup);

function open(models: ModelsView, canManage = true) {
  return render(
    <WorkspaceFrame path="/acme/settings/models">
      <ModelsSettings models={models} search={null} canManage={canManage} />
    </WorkspaceFrame>,
  );
}

/** Presses a button as soon as it can be pressed: none can while something is saved. */
async function press(name: string): Promise<void> {
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(false));
  fireEvent.click(screen.getByRole('button', { name }));
}

describe('ModelsSettings', () => {
  it('offers nothing to change to who may only read', () => {
    open(MODELS, false);
    expect(screen.queryAllByRole('button')).toEqual([]);
    for (const policy of screen.getAllByRole<HTMLInputElement>('switch')) expect(policy.disabled).toBe(true);
    expect(screen.getByText('ends in 7890')).toBeDefined();
    expect(screen.getByText('OpenAI: offered-1')).toBeDefined();
  });

  it('says that runs are planned by rules, and why', () => {
    open({ policy: { isEnabled: true, fallsBack: true, fallbacks: [] }, offered: null, providers: [], inUse: null });
    expect(screen.getByText('Deterministic planner')).toBeDefined();
    expect(screen.getByText(/no provider is set up here and the operator offers none/)).toBeDefined();
  });

  it('shows the three parts of a test in the provider’s words, and what was not tried', async () => {
    const waiting: ServerResponse[] = [];
    const { asked } = await startApiServer((_request, response) => void waiting.push(response));
    open(MODELS);
    fireEvent.click(screen.getByRole('button', { name: 'Test' }));
    expect(screen.getAllByText('To come')).toHaveLength(3);
    await waitFor(() => expect(asked).toMatchObject([{ method: 'POST', path: '/api/t/acme/models/providers/mdl_1/test' }]));
    for (const response of waiting) answerJson(response, FAILED);
    await screen.findByText('the key was refused with 401: Incorrect API key');
    expect(screen.getByText('answered 401')).toBeDefined();
    expect(screen.getByText('Not tried: the part before it failed.')).toBeDefined();
    expect(screen.getByText('http://models.test/v1/models')).toBeDefined();
    expect(screen.getByText('The test failed')).toBeDefined();
  });

  it('takes a switch back when the server does not keep it', async () => {
    const { asked } = await startApiServer((_request, response) =>
      answerJson(response, { code: 'internal', message: 'no', traceId: 't' }, 500),
    );
    open(MODELS);
    const policy = screen.getByRole<HTMLInputElement>('switch', { name: 'Use a model in this workspace' });
    fireEvent.click(policy);
    expect(policy.checked).toBe(false);
    await screen.findByRole('alert');
    expect(policy.checked).toBe(true);
    expect(asked).toMatchObject([
      { method: 'PUT', path: '/api/t/acme/models/policy', body: { isEnabled: false, fallsBack: true, fallbacks: [] } },
    ]);
  });

  it('asks before it deletes, and says what a default leaves behind', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, null));
    open(MODELS);
    fireEvent.click(screen.getByRole('button', { name: 'Delete Team key' }));
    expect(await screen.findByText(/until another is made default/)).toBeDefined();
    expect(asked).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(asked).toMatchObject([{ method: 'DELETE', path: '/api/t/acme/models/providers/mdl_1' }]));
  });

  it('orders who is asked when the default fails, by buttons, and keeps the rest of the policy', async () => {
    const [second, third] = ['Second', 'Third'].map((name) => ({ ...PROVIDER, id: `mdl_${name}`, name, isDefault: false }));
    if (!second || !third) throw new Error('there are two');
    const { asked } = await startApiServer((request, response) => answerJson(response, request.body));
    open({ ...MODELS, providers: [PROVIDER, second, third] });
    expect(screen.getByText('No other provider is asked.')).toBeDefined();
    for (const name of ['Ask Second too', 'Ask Third too', 'Move Third up', 'Do not ask Second']) await press(name);
    await waitFor(() => expect(asked).toHaveLength(4));
    expect(asked.map(({ body }) => body)).toEqual(
      [['mdl_Second'], ['mdl_Second', 'mdl_Third'], ['mdl_Third', 'mdl_Second'], ['mdl_Third']].map((fallbacks) => ({
        isEnabled: true,
        fallsBack: true,
        fallbacks,
      })),
    );
  });

  it('says who set a key, and since when calls cost what they do', () => {
    open(MODELS);
    expect(screen.getByText('ends in 7890').parentElement?.textContent).toMatch(/2 hours ago · Li/);
    expect(screen.getByText('Jan 1, 2026').parentElement?.textContent).toContain('since Jan 1, 2026');
  });
});
