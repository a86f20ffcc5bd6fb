import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PROVIDER } from '#components/testing/a-provider.ts';
import { answerJson, startApiServer } from '#components/testing/api-server.ts';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import type { ModelProviderView } from '#lib/models/contract.ts';
import { ProviderForm } from './provider-form.tsx';

afterEach(cleanup);

function open(provider: ModelProviderView | null) {
  const onDone = vi.fn();
  const { container } = render(
    <WorkspaceFrame>
      <ProviderForm provider={provider} onDone={onDone} />
    </WorkspaceFrame>,
  );
  return { onDone, container };
}
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const write = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }));
const problemOf = (name: string) => {
  const ids = field(name).getAttribute('aria-describedby')?.split(' ') ?? [];
  return field(name).getAttribute('aria-invalid') === 'true' ? document.getElementById(ids.at(-1) ?? '')?.textContent : null;
};

describe('ProviderForm', () => {
  it('sends prices in micro-units, settings as numbers and absent ones not at all', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, {}, 201));
    const { onDone } = open(null);
    fireEvent.change(screen.getByLabelText('Kind'), { target: { value: 'compatible' } });
    write('Name', ' Local ');
    write('Address', 'http://localhost:11434/v1');
    write('Model', 'small-1');
    write('Key', 'sk-secret-1234');
    write('Currency', 'eur');
    write('Input', '0.29');
    write('Output', '1,1');
    write('Temperature', '0.5');
    save();
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
    expect(asked).toMatchObject([{ method: 'POST', path: '/api/t/acme/models/providers' }]);
    expect(asked[0]?.body).toEqual({
      kind: 'compatible',
      name: 'Local',
      baseUrl: 'http://localhost:11434/v1',
      model: 'small-1',
      apiKey: 'sk-secret-1234',
      settings: { temperature: 0.5 },
      price: { currency: 'EUR', inputMicros: 290_000, cachedInputMicros: 290_000, cacheWriteMicros: 290_000, outputMicros: 1_100_000 },
    });
  });

  it('names each wrong field and sends nothing', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, {}));
    open(null);
    fireEvent.change(screen.getByLabelText('Kind'), { target: { value: 'compatible' } });
    write('Input', 'free');
    write('Temperature', '3');
    write('Top K', '0');
    write('Seed', '1.5');
    save();
    expect(problemOf('Name')).toBe('Fill this in.');
    expect(problemOf('Model')).toBe('Fill this in.');
    expect(problemOf('Address')).toBe('An OpenAI-compatible provider needs its address.');
    expect(problemOf('Input')).toContain('amount');
    expect(problemOf('Output')).toBe('Input and output prices are both needed.');
    expect(problemOf('Temperature')).toBe('Enter a number from 0 to 2.');
    expect(problemOf('Top K')).toBe('Enter 1 or more.');
    expect(problemOf('Seed')).toBe('Enter a whole number.');
    expect(problemOf('Key')).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(field('Name')));
    write('Name', 'x');
    expect(problemOf('Name')).toBeNull();
    write('Address', 'javascript:alert(1)');
    save();
    expect(problemOf('Address')).toContain('http://');
    expect(asked).toEqual([]);
  });

  it('starts an edit from what is stored, never with the key, and keeps that key when its field stays empty', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, PROVIDER));
    const { onDone } = open(PROVIDER);
    expect(field('Key').value).toBe('');
    expect(field('Key').type).toBe('password');
    expect(screen.getByText(/Leave empty to keep the one that ends in 7890/)).toBeDefined();
    expect([field('Input').value, field('Input from cache').value, field('Output').value]).toEqual(['2.5', '0.25', '10']);
    write('Model', 'small-2');
    save();
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
    expect(asked).toMatchObject([
      { method: 'PATCH', path: '/api/t/acme/models/providers/mdl_1', body: { model: 'small-2', price: PROVIDER.price } },
    ]);
    expect(asked[0]?.body).not.toHaveProperty('apiKey');
    expect(asked[0]?.body).not.toHaveProperty('kind');
  });

  it('says that the key goes with the address, and removes it when asked to', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, PROVIDER));
    const { onDone } = open(PROVIDER);
    write('Address', 'http://elsewhere.test/v1');
    expect(screen.getByText(/will be removed/)).toBeDefined();
    write('Address', 'http://models.test/v1');
    expect(screen.queryByText(/will be removed/)).toBeNull();
    fireEvent.click(screen.getByLabelText('Remove the stored key'));
    save();
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
    expect(asked[0]?.body).toMatchObject({ apiKey: null });
  });

  it('puts the server’s refusal to the field it is about and keeps what was typed', async () => {
    const refusals = [
      { code: 'conflict', message: 'There is a provider named Team key already.', details: { path: 'name' } },
      { code: 'invalid_request', message: 'x', details: { problems: [{ path: 'body.settings.topP', message: 'Too small' }] } },
      { code: 'internal', message: 'no' },
    ];
    await startApiServer((_request, response) => answerJson(response, { traceId: 't', ...refusals.shift() }, 409));
    const { onDone, container } = open(PROVIDER);
    write('Key', 'sk-typed-0001');
    save();
    await waitFor(() => expect(problemOf('Name')).toBe('Another provider has this name.'));
    write('Name', 'Mine');
    save();
    await waitFor(() => expect(problemOf('Top P')).toBe('The server did not take this: Too small'));
    write('Top P', '0.5');
    save();
    await screen.findByRole('alert');
    expect(field('Key').value).toBe('sk-typed-0001');
    expect(container.textContent).not.toContain('sk-typed-0001');
    expect(onDone).not.toHaveBeenCalled();
  });
});
