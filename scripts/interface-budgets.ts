// `npm run budgets`: the JavaScript of our own that each page of the build in .next loads, beyond what an empty page of Next
// does. Fails when a page is over its budget. What is loaded later (Markdown, the palette, dialogs) is not counted.
import path from 'node:path';
import { type Budget, judgeBudgets, writeReport } from './interface-budgets/judge-budgets.ts';
import { readRouteScripts } from './interface-budgets/route-scripts.ts';

const BUDGETS: readonly Budget[] = [
  { route: '/sign-in', limitKiB: 30 },
  { route: '/welcome', limitKiB: 66 },
  { route: '/account', limitKiB: 64 },
  { route: '/operator', limitKiB: 84 },
  { route: '/[tenant]', limitKiB: 130, aimKiB: 90 },
  { route: '/[tenant]/chat', limitKiB: 146, aimKiB: 140 },
  { route: '/[tenant]/runs', limitKiB: 154, aimKiB: 140 },
];

const verdicts = judgeBudgets(readRouteScripts(path.resolve(import.meta.dirname, '..', '.next')), BUDGETS);
console.log(writeReport(verdicts));
const over = verdicts.filter(({ isOver }) => isOver);
if (over.length > 0) {
  console.error(`\nOver budget: ${over.map(({ route }) => route).join(', ')}. Load what is not seen at once later, or leave it out.`);
  process.exitCode = 1;
}
