import { SkeletonRows } from '#components/ui/skeleton.tsx';

export default function MetricsLoading() {
  return <SkeletonRows className="px-4 pt-12" />;
}
