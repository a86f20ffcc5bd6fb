import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import { NewChat } from './new-chat.tsx';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal('CSS', { supports: () => true });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it.each([
  [null, 'Deterministic planner · no model needed', 'gpt-5-mini answers'],
  ['gpt-5-mini', 'gpt-5-mini answers', 'Deterministic planner · no model needed'],
])('says before the first message who will answer: %s', (model, said, unsaid) => {
  render(
    <WorkspaceFrame>
      <NewChat presets={[]} model={model} />
    </WorkspaceFrame>,
  );
  expect(screen.getByText(said)).toBeTruthy();
  expect(screen.queryByText(unsaid)).toBeNull();
});
