import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { answerJson, startApiServer } from '#components/testing/api-server.ts';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import { JoinAsAccount, JoinAsNewcomer } from './accept-invitation.tsx';

afterEach(cleanup);

const refusal = (code: string, status: number) => ({ body: { code, message: 'The server said so.', traceId: 't' }, status });

describe('joining by an invitation', () => {
  it('sends a newcomer’s account, and leads who has one to sign in and back', async () => {
    const { body, status } = refusal('email_taken', 409);
    const { asked } = await startApiServer((_request, response) => answerJson(response, body, status));
    render(
      <WorkspaceFrame>
        <JoinAsNewcomer token="abc" />
      </WorkspaceFrame>,
    );
    fireEvent.change(screen.getByLabelText('Your name'), { target: { value: 'Noor' } });
    fireEvent.change(screen.getByLabelText('Your email'), { target: { value: 'noor@example.test' } });
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'correct horse battery' } });
    fireEvent.click(screen.getByText('Make account and join'));
    await waitFor(() =>
      expect(asked).toMatchObject([
        {
          method: 'POST',
          path: '/api/invitations/accept',
          body: { token: 'abc', person: { name: 'Noor', email: 'noor@example.test', password: 'correct horse battery' } },
        },
      ]),
    );
    expect(await screen.findByText('This address cannot be used for a new account.')).toBeDefined();
    expect(screen.getByText('Sign in to join with it').getAttribute('href')).toBe('/sign-in?callback=%2Finvite%2Fabc');
  });

  it('sends nothing but the link for who is signed in, and says when it was used meanwhile', async () => {
    const { body, status } = refusal('not_found', 404);
    const { asked } = await startApiServer((_request, response) => answerJson(response, body, status));
    render(
      <WorkspaceFrame>
        <JoinAsAccount token="abc" email="li@example.com" />
      </WorkspaceFrame>,
    );
    fireEvent.click(screen.getByText('Join'));
    expect(await screen.findByText('The invitation was used or withdrawn meanwhile.')).toBeDefined();
    expect(asked).toMatchObject([{ body: { token: 'abc' } }]);
  });
});
