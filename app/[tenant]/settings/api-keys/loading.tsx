import { SkeletonRows } from '#components/ui/skeleton.tsx';

export default function ApiKeysLoading() {
  return <SkeletonRows className="px-4 pt-4" />;
}
