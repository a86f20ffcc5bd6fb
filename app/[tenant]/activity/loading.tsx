import { SkeletonRows } from '#components/ui/skeleton.tsx';

export default function MemoryLoading() {
  return <SkeletonRows className="px-4 pt-12" />;
}
