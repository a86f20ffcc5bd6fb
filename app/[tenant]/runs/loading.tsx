import { SkeletonRows } from '#components/ui/skeleton.tsx';

export default function RunsLoading() {
  return <SkeletonRows rows={10} className="px-4 pt-12" />;
}
