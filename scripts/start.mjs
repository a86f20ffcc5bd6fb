// `npm start`: from a fresh clone to a running Bailiwick. What it does stands in scripts/start/main.ts.
import { bootstrap } from './bootstrap.mjs';

await bootstrap('scripts/start/main.ts', 30_000);
