import { SkeletonRows } from '#components/ui/skeleton.tsx';

export default function ChatLoading() {
  return <SkeletonRows rows={6} className="mx-auto w-full max-w-[44rem] px-4 pt-16" />;
}
