import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { A_PLUGIN, anOperation } from '#components/testing/a-plugin.ts';
import { answerJson, startApiServer } from '#components/testing/api-server.ts';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import { InstallDialog } from './install-dialog.tsx';

afterEach(cleanup);

function open() {
  render(
    <WorkspaceFrame path="/acme/marketplace/DICE">
      <InstallDialog tenantSlug="acme" plugin={A_PLUGIN} trigger={<button type="button">Begin</button>} />
    </WorkspaceFrame>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Begin' }));
}

const startButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Install' });
const consent = () => fireEvent.click(screen.getByRole('checkbox', { name: /I consent/ }));

describe('InstallDialog', () => {
  it('starts only with consent and what has to be set, and sends what was shown', async () => {
    const { asked } = await startApiServer((request, response) =>
      answerJson(response, anOperation(request.method === 'GET' ? { state: 'SUCCEEDED' } : {}), request.method === 'GET' ? 200 : 202),
    );
    open();
    expect(startButton().disabled).toBe(true);
    consent();
    fireEvent.click(startButton());
    expect(screen.getByText('This is needed.')).toBeDefined();
    expect(asked).toEqual([]);
    fireEvent.change(screen.getByLabelText('Key'), { target: { value: 'secret-1' } });
    fireEvent.change(screen.getByLabelText('Sides'), { target: { value: '20' } });
    fireEvent.click(startButton());
    await screen.findByRole('list', { name: 'Stages' });
    expect(asked[0]).toMatchObject({
      method: 'POST',
      path: '/api/t/acme/marketplace/DICE/install',
      body: { version: '1.0.0', permissions: ['capability:invoke'], configuration: { sides: 20, key: 'secret-1' } },
    });
    expect(await screen.findByText('Dice is installed.', undefined, { timeout: 3_000 })).toBeDefined();
    expect(asked.at(-1)?.path).toBe('/api/t/acme/marketplace/operations/plo_1');
  });

  it('names the stage that failed and why, and begins anew with what was entered', async () => {
    const failed = anOperation({ state: 'FAILED', error: { stage: 'check', message: 'the dice fall on one side only' } });
    await startApiServer((_request, response) => answerJson(response, failed, 202));
    open();
    consent();
    fireEvent.change(screen.getByLabelText('Key'), { target: { value: 'secret-1' } });
    fireEvent.click(startButton());
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Try it out');
    expect(alert.textContent).toContain('the dice fall on one side only');
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.getByLabelText<HTMLInputElement>('Key').value).toBe('secret-1');
  });

  it('shows what the server refuses at its field', async () => {
    const refusal = {
      code: 'invalid_request',
      message: 'no',
      traceId: 't',
      details: { fields: [{ path: 'sides', message: 'must be >= 2' }] },
    };
    await startApiServer((_request, response) => answerJson(response, refusal, 400));
    open();
    consent();
    fireEvent.change(screen.getByLabelText('Key'), { target: { value: 'secret-1' } });
    fireEvent.click(startButton());
    expect(await screen.findByText('must be >= 2')).toBeDefined();
    expect(screen.getByLabelText('Sides').getAttribute('aria-invalid')).toBe('true');
  });
});
