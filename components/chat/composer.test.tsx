import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import { Composer } from './composer.tsx';

const draftKey = { tenantSlug: 'acme', userId: 'usr_1', sessionId: 'ses_1' };
const ENTER = { key: 'Enter', code: 'Enter', keyCode: 13 };

afterEach(() => {
  cleanup();
  localStorage.clear();
});

function open(onSend = vi.fn()) {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal('CSS', { supports: () => true });
  render(
    <WorkspaceFrame>
      <Composer draftKey={draftKey} placeholder="Ask" onSend={onSend} />
    </WorkspaceFrame>,
  );
  return { onSend, field: screen.getByLabelText<HTMLTextAreaElement>('Message') };
}

describe('Composer', () => {
  it('sends on Enter and empties itself, but keeps the draft until it is told that the message has arrived', () => {
    const { onSend, field } = open();
    fireEvent.change(field, { target: { value: 'hello' } });
    fireEvent.keyDown(field, ENTER);
    expect(onSend).toHaveBeenCalledExactlyOnceWith('hello');
    expect(field.value).toBe('');
    expect(localStorage.getItem('bw-draft:acme:usr_1:ses_1')).toBe('hello');
  });

  it('does not send the Enter that picks a candidate of an input method', () => {
    const { onSend, field } = open();
    fireEvent.change(field, { target: { value: 'ni hao' } });
    fireEvent.compositionStart(field);
    fireEvent.keyDown(field, { ...ENTER, isComposing: true });
    fireEvent.keyDown(field, { key: 'Process', code: 'Enter', keyCode: 229 });
    fireEvent.compositionEnd(field);
    expect(onSend).not.toHaveBeenCalled();
    fireEvent.change(field, { target: { value: '你好' } });
    fireEvent.keyDown(field, ENTER);
    expect(onSend).toHaveBeenCalledExactlyOnceWith('你好');
  });

  it('sends neither nothing nor blanks', () => {
    const { onSend, field } = open();
    fireEvent.change(field, { target: { value: '  \n ' } });
    fireEvent.keyDown(field, ENTER);
    expect(onSend).not.toHaveBeenCalled();
  });

  it('counts the limit in bytes as the server does', () => {
    const { onSend, field } = open();
    fireEvent.change(field, { target: { value: '字'.repeat(21_846) } });
    expect(screen.getByText(/Longer than 64 KB/)).toBeTruthy();
    fireEvent.keyDown(field, ENTER);
    expect(onSend).not.toHaveBeenCalled();
    fireEvent.change(field, { target: { value: '字'.repeat(21_845) } });
    fireEvent.keyDown(field, ENTER);
    expect(onSend).toHaveBeenCalledOnce();
  });

  it('brings a draft back, each chat its own', () => {
    localStorage.setItem('bw-draft:acme:usr_1:ses_1', 'half a thought');
    localStorage.setItem('bw-draft:acme:usr_1:ses_2', 'another');
    expect(open().field.value).toBe('half a thought');
  });
});
