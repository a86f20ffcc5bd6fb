'use client';

import { lazy, Suspense } from 'react';
import { SkeletonRows } from '#components/ui/skeleton.tsx';
import type { ApprovalView } from '#lib/supervisor/contract.ts';

// Most answers ask for nothing.
const ApprovalCard = lazy(async () => ({ default: (await import('./approval-card.tsx')).ApprovalCard }));

/** The calls of a run that somebody has to decide about, and those that somebody has. */
export function ApprovalList({ approvals, isOver }: { approvals: readonly ApprovalView[]; isOver: boolean }) {
  if (approvals.length === 0) return null;
  return (
    <div className="flex flex-col gap-3">
      {approvals.map((approval) => (
        <Suspense key={approval.id} fallback={<SkeletonRows rows={2} />}>
          <ApprovalCard approval={isOver && approval.state === 'OPEN' ? { ...approval, state: 'WITHDRAWN' } : approval} />
        </Suspense>
      ))}
    </div>
  );
}
