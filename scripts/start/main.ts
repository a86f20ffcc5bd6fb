// `npm start` under Node 24: database, migrations, build, server. It owns them all: when it ends, they end.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { startProduct } from './start-product.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const environmentFile = path.join(root, '.env');
if (existsSync(environmentFile)) process.loadEnvFile(environmentFile);

try {
  process.exitCode = await startProduct(root);
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
process.exit();
