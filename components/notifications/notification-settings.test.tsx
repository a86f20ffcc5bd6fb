import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { answerJson, startApiServer } from '#components/testing/api-server.ts';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import type { DeliveryView, WebhookView } from '#lib/notifications/contract.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { MailPreference } from './mail-preference.tsx';
import { WebhookSettings } from './webhook-settings.tsx';

afterEach(cleanup);

const WEBHOOK: WebhookView = {
  url: 'https://hooks.example/x',
  kinds: ['approval.requested'],
  isEnabled: true,
  earlierSecretUntil: '2026-01-02T12:00:00.000Z',
  updatedAt: '2026-01-01T12:00:00.000Z',
};
const DELIVERY: DeliveryView = {
  id: 'dlv_1',
  kind: 'approval.requested',
  channel: 'mail',
  recipient: { userId: 'usr_1', name: 'Li' },
  state: 'DEAD',
  createdAt: '2026-01-01T11:00:00.000Z',
  nextAttemptAt: null,
  endedAt: '2026-01-01T11:30:00.000Z',
  attempts: [{ at: '2026-01-01T11:30:00.000Z', ok: false, status: 550, detail: '550 no such mailbox', durationMs: 12 }],
};
const PATH = '/acme/settings/notifications';

describe('MailPreference', () => {
  it('keeps a choice, and says that no mail is sent where there is no server', async () => {
    const { asked } = await startApiServer(({ body }, response) => answerJson(response, body));
    const preference = { approvals: true, questions: true, budgets: true };
    render(
      <WorkspaceFrame path={PATH}>
        <MailPreference initial={{ hasMail: false, address: 'li@example.com', preference }} isDisabled={false} />
      </WorkspaceFrame>,
    );
    expect(screen.getByText(/No mail is sent/)).toBeDefined();
    fireEvent.click(screen.getByRole('switch', { name: 'Budgets' }));
    await waitFor(() => expect(asked).toHaveLength(1));
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Budgets' }).disabled).toBe(false));
    expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Budgets' }).checked).toBe(false);
    expect(asked).toMatchObject([
      { method: 'PUT', path: '/api/t/acme/notifications/preference', body: { approvals: true, questions: true, budgets: false } },
    ]);
  });
});

describe('WebhookSettings', () => {
  it('says what is wrong before it asks, and shows the secret once', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, { webhook: WEBHOOK, secret: 'whsec_abc' }));
    render(
      <WorkspaceFrame path={PATH}>
        <WebhookSettings webhook={null} />
      </WorkspaceFrame>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Add a webhook' }));
    const dialog = within(screen.getByRole('dialog'));
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.getByText('Enter a whole address that begins with https://.')).toBeDefined();
    expect(asked).toEqual([]);
    fireEvent.change(dialog.getByRole('textbox', { name: 'Address' }), { target: { value: 'https://hooks.example/x' } });
    fireEvent.click(dialog.getByRole('checkbox', { name: 'A budget is used up' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('whsec_abc')).toBeDefined();
    expect(asked[0]?.body).toEqual({
      url: 'https://hooks.example/x',
      kinds: ['approval.requested', 'question.asked', 'budget.soft-limit'],
      isEnabled: true,
    });
  });

  it('tells how a test went, and until when the earlier secret signs', async () => {
    const made = { ...DELIVERY, kind: 'webhook.test', channel: 'webhook', recipient: null };
    await startApiServer((_request, response) => answerJson(response, made));
    render(
      <WorkspaceFrame path={PATH}>
        <WebhookSettings webhook={WEBHOOK} />
      </WorkspaceFrame>,
    );
    expect(screen.getByText(/signs too until/)).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Send a test' }));
    await waitFor(() => expect(screen.getAllByText(/Did not arrive: 550 no such mailbox/).length).toBeGreaterThan(0));
  });
});

describe('DeliveryLog', () => {
  it('names what was sent to whom and how each attempt went, and sends it again', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, { ...DELIVERY, state: 'PENDING' }));
    render(
      <WorkspaceFrame path={PATH}>
        <DeliveryLog page={{ items: [DELIVERY], nextCursor: null }} state={null} isFirst />
      </WorkspaceFrame>,
    );
    expect(screen.getByText('Given up', { selector: 'span' })).toBeDefined();
    expect(screen.getByText('550 no such mailbox')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Send again: An approval waits, by mail to Li' }));
    await waitFor(() => expect(asked.map(({ path }) => path)).toEqual(['/api/t/acme/notifications/deliveries/dlv_1/redeliver']));
  });

  it('tells an empty log from one that is narrowed to nothing', () => {
    const { unmount } = render(
      <WorkspaceFrame path={PATH}>
        <DeliveryLog page={{ items: [], nextCursor: null }} state={null} isFirst />
      </WorkspaceFrame>,
    );
    expect(screen.getByText('Nothing has been sent yet.')).toBeDefined();
    unmount();
    render(
      <WorkspaceFrame path={PATH}>
        <DeliveryLog page={{ items: [], nextCursor: null }} state="DEAD" isFirst />
      </WorkspaceFrame>,
    );
    expect(screen.getByText('Nothing is in this state.')).toBeDefined();
  });
});
