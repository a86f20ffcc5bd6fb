import { SkeletonRows } from '#components/ui/skeleton.tsx';

export default function ApprovalsLoading() {
  return <SkeletonRows className="px-4 pt-4" />;
}
