// `npm run openapi`: writes the description of the API that `GET /api/openapi.json` answers, from the routes as they are.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeRoutes } from './openapi/describe-routes.ts';

const FILE = path.resolve(import.meta.dirname, '..', 'app', 'api', 'openapi.json', 'openapi.json');
const { text, operations } = await describeRoutes();
writeFileSync(FILE, text);
console.log(`${operations} operations are described in ${path.relative(process.cwd(), FILE)}`);
// Importing the routes opens what they would use.
process.exit(0);
