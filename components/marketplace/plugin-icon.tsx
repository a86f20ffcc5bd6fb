import {
  CalculatorIcon,
  ChartColumnIcon,
  FileTextIcon,
  FlaskConicalIcon,
  LandmarkIcon,
  type LucideIcon,
  NotebookPenIcon,
  PlugIcon,
  SearchIcon,
  UsersIcon,
} from 'lucide-react';
import type { PluginIconName } from '#lib/plugins/contract.ts';

const DRAWINGS: { readonly [Name in PluginIconName]: LucideIcon } = {
  beaker: FlaskConicalIcon,
  calculator: CalculatorIcon,
  campus: LandmarkIcon,
  chart: ChartColumnIcon,
  document: FileTextIcon,
  meeting: UsersIcon,
  plug: PlugIcon,
  report: NotebookPenIcon,
  search: SearchIcon,
};

/** What a plugin is recognised by, in the frame that all of them have. */
export function PluginIcon({ icon }: { icon: PluginIconName }) {
  const Drawing = DRAWINGS[icon];
  return (
    <span className="flex size-9 shrink-0 items-center justify-center rounded-card border border-border bg-sunken text-muted-foreground">
      <Drawing aria-hidden className="size-4" strokeWidth={1.75} />
    </span>
  );
}
