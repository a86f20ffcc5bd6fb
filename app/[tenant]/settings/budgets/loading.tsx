import { SkeletonRows } from '#components/ui/skeleton.tsx';

export default function BudgetsLoading() {
  return <SkeletonRows className="px-4 pt-4" />;
}
