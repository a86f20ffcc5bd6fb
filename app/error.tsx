'use client';

import { Broken } from '#components/shell/broken.tsx';

export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className="mx-auto max-w-5xl pt-[12dvh]">
      <Broken reference={error.digest} onReload={reset} />
    </main>
  );
}
