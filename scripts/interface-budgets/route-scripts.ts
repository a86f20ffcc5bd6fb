import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';

/** The scripts of a page that a browser loads with it, beyond those that an empty page of Next loads too. */
export interface RouteScripts {
  /** As in app/: `/[tenant]/runs/[run]`. */
  readonly route: string;
  /** Of all its scripts, each compressed by itself as it is sent. */
  readonly gzipBytes: number;
}

const buildManifest = z.object({ rootMainFiles: z.array(z.string()) });
const clientManifest = z.object({ entryJSFiles: z.record(z.string(), z.array(z.string())) });
const MANIFEST = 'page_client-reference-manifest.js';
/** Loaded when a page has failed or is not there, not with it. */
const NOT_OF_THE_PAGE = /\/(?:global-error|error|not-found)$/;

/** Reads what each page of a build loads. Throws when `buildFolder` holds no build. */
export function readRouteScripts(buildFolder: string): RouteScripts[] {
  const empty = new Set(buildManifest.parse(JSON.parse(readFileSync(path.join(buildFolder, 'build-manifest.json'), 'utf8'))).rootMainFiles);
  const sizes = new Map<string, number>();
  const sizeOf = (file: string) => {
    const known = sizes.get(file) ?? gzipSync(readFileSync(path.join(buildFolder, file)), { level: 9 }).length;
    sizes.set(file, known);
    return known;
  };
  const server = path.join(buildFolder, 'server', 'app');
  return globSync(`**/${MANIFEST}`, { cwd: server })
    .map((file) => {
      const scripts = new Set(
        Object.entries(readClientManifest(path.join(server, file)).entryJSFiles)
          .filter(([entry]) => !NOT_OF_THE_PAGE.test(entry))
          .flatMap(([, files]) => files)
          .filter((script) => !empty.has(script)),
      );
      return { route: routeOf(file), gzipBytes: [...scripts].reduce((sum, script) => sum + sizeOf(script), 0) };
    })
    .sort((a, b) => a.route.localeCompare(b.route));
}

/** A script that puts one object into a global; the object is JSON. */
function readClientManifest(file: string): z.infer<typeof clientManifest> {
  const text = readFileSync(file, 'utf8');
  const from = text.indexOf('{', text.indexOf('__RSC_MANIFEST["'));
  return clientManifest.parse(JSON.parse(text.slice(from).trim().replace(/;$/, '')));
}

/** Folders in brackets group pages and are in no address. */
function routeOf(file: string): string {
  const route = path.dirname(file).replaceAll(/(?:^|\/)\([^/]*\)/g, '');
  return route === '.' ? '/' : `/${route.replace(/^\//, '')}`;
}
