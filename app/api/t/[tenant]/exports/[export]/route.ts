import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { exportView } from '#lib/record/contract.ts';

const params = z.object({ export: idParameter('export') });

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'audit:export',
    params,
    response: exportView,
    handle: ({ actor, params: { export: id } }) => application().getExport(actor, id),
  }),
  DELETE: defineRoute({
    permission: 'audit:export',
    params,
    response: exportView,
    handle: ({ actor, params: { export: id } }) => application().cancelExport(actor, id),
  }),
});
