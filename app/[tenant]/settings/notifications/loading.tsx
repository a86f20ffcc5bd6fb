import { SkeletonRows } from '#components/ui/skeleton.tsx';

export default function NotificationsLoading() {
  return <SkeletonRows className="px-4 pt-4" />;
}
