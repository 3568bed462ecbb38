// Fills a demo business with sample data, in the background. The job does a second's worth of steps
// and queues itself again, so that a process that stops does not wait for it.
//
// Each step is claimed before it starts, so it happens once at most: a process that dies in a step
// loses that step, and the next one goes on. The claims, and the ids that later steps need, are
// idempotency keys of the business.
//
// The books read the merchant ledger in the order of time, and someone may use the demo meanwhile.
// So automatic bookkeeping is off until all is there, and then starts with the first day.
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { setServiceMoney } from '../../books/service-money/set-service-money.ts'
import { findBusiness } from '../../kernel/auth/business-store.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { enqueueJob } from '../../kernel/jobs/enqueue-job.ts'
import { CauseMissing, defineJob } from '../../kernel/jobs/job.ts'
import { claimIdempotencyKey, findEarlierObject } from '../../kernel/operations/idempotency.ts'
import { runOperation } from '../../kernel/operations/run-operation.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import type { MerchantContext } from '../../merchant/context.ts'
import { planSampleData } from './sample-plan.ts'
import { openSampleWorld, type SampleStep, type SampleWorld } from './sample-world.ts'

const sliceMs = 1000
// Requests get their turn between two steps.
const pauseMs = 15

const operation = 'sample-data'

const payloadSchema = z.object({
  ownerId: z.uuid(),
  approverId: z.uuid(),
  // The last moment of the sample data, as text.
  until: z.iso.datetime(),
  step: z.int().min(0),
})
type Payload = z.infer<typeof payloadSchema>

export const fillSampleDataJob = defineJob({
  kind: 'fill-sample-data',
  schema: payloadSchema,
  attemptsMax: 10,
  retryDelaysSeconds: [1, 5, 30],
  leaseSeconds: 30,
  async run(context: MerchantContext, { tenant, payload }, signal) {
    await fillSlice(
      context,
      assertDefined(tenant, 'sample data without a business'),
      payload,
      signal,
    )
  },
})

export async function queueSampleData(
  tx: Tx,
  context: Pick<ServiceContext, 'clock' | 'ids'>,
  tenant: Tenant,
  payload: Payload,
): Promise<void> {
  const uniqueKey = String(payload.step)
  await enqueueJob(tx, context, fillSampleDataJob, { tenant, payload, uniqueKey })
}

async function fillSlice(
  context: MerchantContext,
  tenant: Tenant,
  payload: Payload,
  signal: AbortSignal,
): Promise<void> {
  const { ownerId, approverId } = payload
  if (!(await findBusiness(context.database.sql, tenant.businessId))) {
    throw new CauseMissing('sample data of no business')
  }
  const steps = planSampleData(tenant.businessId, new Date(payload.until))
  const names = createNames(context, tenant)
  const opened = await openSampleWorld(context, { tenant, ownerId, approverId }, names)
  const endMs = context.clock.monotonicMs() + sliceMs
  let next = payload.step
  try {
    while (next < steps.length && context.clock.monotonicMs() < endMs) {
      if (signal.aborted) throw new Error('the sample data is continued by another worker')
      const step = assertDefined(steps[next], 'a step of the plan')
      await runStep(context, tenant, { step, number: next, world: opened.at(step.at) })
      next += 1
      await pause(pauseMs)
    }
  } finally {
    await opened.close()
  }
  if (next === steps.length) {
    const owner = { kind: 'person', personId: ownerId, role: 'owner', ...tenant } as const
    const from = assertDefined(steps[0], 'a plan without steps').at.toISOString().slice(0, 10)
    await runOperation(setServiceMoney, context, owner, { isOn: true, from })
    context.log.info({ steps: next }, 'the demo business has its sample data')
    return
  }
  await context.database.transaction((tx) =>
    queueSampleData(tx, context, tenant, { ...payload, step: next }),
  )
}

type RunningStep = {
  readonly step: SampleStep
  readonly number: number
  readonly world: SampleWorld
}

async function runStep(
  context: MerchantContext,
  tenant: Tenant,
  { step, number, world }: RunningStep,
): Promise<void> {
  const call = { operation, key: `step ${number}` }
  const done = await context.database.transaction((tx) =>
    claimIdempotencyKey(tx, context, tenant, call, context.ids.uuid()),
  )
  if (done !== undefined) return
  try {
    await step.run(world)
  } catch (error) {
    // Someone may use the demo meanwhile: a balance is lower, a link is off. The rest goes on.
    if (!(error instanceof Fault)) throw error
    context.log.warn(
      { step: number, reason: error.message },
      'a step of the sample data was refused',
    )
  }
}

function createNames(context: MerchantContext, tenant: Tenant): Pick<SampleWorld, 'find' | 'keep'> {
  const known = new Map<string, string>()
  const call = (name: string) => ({ operation, key: `name ${name}` })
  return {
    async find(name) {
      return known.get(name) ?? findEarlierObject(context, tenant, call(name))
    },
    async keep(name, id) {
      known.set(name, id)
      await context.database.transaction((tx) =>
        claimIdempotencyKey(tx, context, tenant, call(name), id),
      )
    },
  }
}
