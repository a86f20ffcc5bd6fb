export { accountRoute } from './account-route.ts';
export { defineRoute, type RouteCall, type RouteDefinition } from './define-route.ts';
export { nextAuthRoute } from './next-auth-route.ts';
export { publicRoute } from './public-route.ts';
export { requireMetricsReader } from './require-metrics-reader.ts';
export { idParameter } from './route-parts.ts';
export { multiplexedFrames, type RunSource, runFrames } from './run-frames.ts';
export { methods, type RouteHandler, unknownRoute } from './serve.ts';
export { resumeAfter, streamWhileAllowed, wantsEventStream } from './stream-route.ts';
