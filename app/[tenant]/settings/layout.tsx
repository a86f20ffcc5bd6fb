import type { ReactNode } from 'react';
import { SettingsSections } from '#components/shell/settings-sections.tsx';

export default function SettingsLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-0 flex-1 max-md:flex-col">
      <SettingsSections />
      <div className="min-h-0 min-w-0 flex-1 overflow-y-auto">{children}</div>
    </div>
  );
}
