'use client';

import { Broken } from '#components/shell/broken.tsx';

export default function TenantError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return <Broken reference={error.digest} onReload={reset} />;
}
