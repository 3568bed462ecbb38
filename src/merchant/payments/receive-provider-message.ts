// The provider's webhooks. A message is only a hint that something happened: it is recorded, a job
// that asks the provider is queued in the same transaction, and the sender gets its response.
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { authenticationFailed, notFound } from '../../kernel/basics/fault.ts'
import { type HostedObject, parseHostedReference } from '../../kernel/basics/hosted-reference.ts'
import { type Environment, environments } from '../../kernel/basics/tenant.ts'
import { enqueueJob } from '../../kernel/jobs/enqueue-job.ts'
import { CauseMissing, defineJob } from '../../kernel/jobs/job.ts'
import { findChargebacksJob } from '../chargebacks/find-chargebacks.ts'
import type { MerchantContext } from '../context.ts'
import { parsePayoutReference } from '../payouts/payout.ts'
import { resolvePayoutJob } from '../payouts/resolve-payouts.ts'
import { type ProviderHint, referencesIn } from '../provider/provider-message.ts'
import { updateNextLookOfTransaction } from '../refunds/refund-store.ts'
import { insertProviderMessage } from './provider-message-store.ts'
import { resolvePayment } from './resolve-payment.ts'
import { sealMessage } from './seal-messages.ts'

export const resolvePaymentJob = defineJob({
  kind: 'resolve-payment',
  schema: z.object({ paymentId: z.uuid() }),
  // The poller looks anyway. This job is only faster.
  attemptsMax: 5,
  retryDelaysSeconds: [5, 30, 120],
  leaseSeconds: 60,
  endsWithoutCause: true,
  async run(context: MerchantContext, { tenant, payload }) {
    const known = assertDefined(tenant, 'a message without its tenant')
    const resolved = await resolvePayment(context, known, payload.paymentId)
    if (!resolved) throw new CauseMissing('a message about no payment')
    if (resolved.charge === 'unknown') throw new Error('the provider did not say')
  },
})

export async function mountProviderHook(
  app: FastifyInstance,
  context: MerchantContext,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, async (_: unknown, body: string) => body)
    scope.post<{ Params: { environment: string } }>(
      '/hooks/provider/:environment',
      async (request, reply) => {
        const environment = environments.find((name) => name === request.params.environment)
        if (!environment) throw notFound('path')
        if (!context.isFromProvider(environment, request.headers['verif-hash'])) {
          throw authenticationFailed('The message is not from the payment provider.')
        }
        await recordMessage(context, environment, textOf(request.body))
        return reply.code(200).type('text/plain').send('ok')
      },
    )
  })
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : ''
}

// Messages that we don't understand are also stored and accepted, or the provider would send them
// again and again.
async function recordMessage(
  context: MerchantContext,
  environment: Environment,
  body: string,
): Promise<void> {
  const hint = referencesIn(body)
  const meant = meantBy(hint, environment, parseHostedReference)
  context.failpoint('message.received')
  await context.database.transaction(async (tx) => {
    const receivedAt = context.clock.now()
    // The database can't store U+0000. No real message contains it.
    const kept = body.replaceAll('\0', '')
    const id = context.ids.uuid()
    const sealed = sealMessage(context.secrets, id, kept)
    await insertProviderMessage(tx, { id, environment, ...sealed, receivedAt })
    if (hint.about === 'refund' && hint.transactionId !== undefined) {
      await updateNextLookOfTransaction(tx, environment, hint.transactionId, receivedAt)
    }
    const transfer = meantBy(hint, environment, parsePayoutReference)
    if (transfer) {
      const { tenant, id: payoutId } = transfer
      await enqueueJob(tx, context, resolvePayoutJob, { tenant, payload: { payoutId } })
    }
    if (!meant) return
    const { tenant, id: paymentId } = meant
    const job = hint.about === 'chargeback' ? findChargebacksJob : resolvePaymentJob
    await enqueueJob(tx, context, job, { tenant, payload: { paymentId } })
    context.failpoint('message.keeping')
  })
  context.failpoint('message.kept')
}

function meantBy(
  { reference }: ProviderHint,
  environment: Environment,
  parse: (reference: string) => HostedObject | undefined,
): HostedObject | undefined {
  const meant = reference === undefined ? undefined : parse(reference)
  return meant?.tenant.environment === environment ? meant : undefined
}
