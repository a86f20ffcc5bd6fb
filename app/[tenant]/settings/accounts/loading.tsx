import { SkeletonRows } from '#components/ui/skeleton.tsx';

export default function McpLoading() {
  return <SkeletonRows className="px-4 pt-4" />;
}
