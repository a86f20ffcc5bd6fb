import { NothingHere } from '#components/shell/nothing-here.tsx';

export default function NotFound() {
  return (
    <main className="mx-auto max-w-5xl pt-[12dvh]">
      <NothingHere />
    </main>
  );
}
