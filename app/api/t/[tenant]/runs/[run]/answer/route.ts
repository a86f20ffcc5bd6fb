import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, idParameter, methods } from '#lib/http/index.ts';
import { answerQuestionBody } from '#lib/supervisor/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'conversation:write',
    params: z.object({ run: idParameter('run') }),
    body: answerQuestionBody.extend({ questionId: idParameter('question') }),
    status: 202,
    handle: async ({ actor, params: { run }, body }) => {
      await application().answerQuestion(actor, { runId: run, ...body });
      return { runId: run };
    },
  }),
});
