import { campusAssistant } from './catalogue/campus-assistant/manifest.ts';
import { documentQa } from './catalogue/document-qa/manifest.ts';
import { financeCalculator } from './catalogue/finance-calculator/manifest.ts';
import { meetingSummariser } from './catalogue/meeting-summariser/manifest.ts';
import { parallelTasks } from './catalogue/parallel-tasks/manifest.ts';
import { qaSim } from './catalogue/qa-sim/manifest.ts';
import { reportWriter } from './catalogue/report-writer/manifest.ts';
import type { PluginManifest } from './domain/manifest.ts';

/** Every plugin this build knows, in the order of the marketplace. A new one is a folder under `catalogue/` and a line here. */
export const CATALOGUE: readonly PluginManifest[] = [
  qaSim,
  documentQa,
  campusAssistant,
  meetingSummariser,
  reportWriter,
  financeCalculator,
  parallelTasks,
];
