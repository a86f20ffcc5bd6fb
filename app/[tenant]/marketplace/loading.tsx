import { SkeletonRows } from '#components/ui/skeleton.tsx';

export default function MarketplaceLoading() {
  return <SkeletonRows className="px-4 pt-4" />;
}
