import { z } from 'zod'
import { ok } from '../../kernel/http/route.ts'
import { defineHandledRoute } from '../context.ts'
import { startVerification } from './start-verification.ts'

export const createVerification = defineHandledRoute({
  method: 'POST',
  path: '/account/verification',
  operationId: 'createVerification',
  tag: 'Account',
  summary: 'Have the business verified',
  description:
    'Answers the address of a hosted page on which the owner of the business fills in its details, ' +
    'uploads documents, names the owners and does an identity check. The address holds a secret ' +
    'and is good for seven days; while it is, the same one is answered again. Poll `GET /account` ' +
    'for `kyc_status` afterwards. A verified business is 409. With a test key it is a rehearsal, ' +
    'which test keys see in `GET /account` and live keys do not.',
  scopes: ['kyc:write'],
  body: z.strictObject({}),
  responses: {
    200: {
      description: 'Where the owner goes.',
      schema: z.object({ verificationUrl: z.url(), sessionId: z.uuid() }),
    },
  },
  faults: ['conflict'],
  async handle(context, { actor }) {
    const { sessionId, path } = await startVerification(context, actor)
    return ok({ verificationUrl: `${context.publicUrl}${path}`, sessionId })
  },
})
