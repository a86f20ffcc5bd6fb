import { SkeletonRows } from '#components/ui/skeleton.tsx';

export default function KnowledgeLoading() {
  return <SkeletonRows className="px-4 pt-12" />;
}
