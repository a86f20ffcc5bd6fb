// Builds the pages unless the build that is there was made from these sources.
import path from 'node:path';
import { buildIfChanged } from './start/build.ts';
import { openDataDirectory } from './start/data-directory.ts';

const root = path.resolve(import.meta.dirname, '..');
try {
  const wasNeeded = await buildIfChanged(root, openDataDirectory(root));
  console.log(wasNeeded ? 'built' : 'built already from these sources');
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
