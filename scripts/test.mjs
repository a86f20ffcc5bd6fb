// `npm test`: every check there is, in order, from a fresh clone. What it does stands in scripts/test/main.ts.
import { bootstrap } from './bootstrap.mjs';

await bootstrap('scripts/test/main.ts', 0);
