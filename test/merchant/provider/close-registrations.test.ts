// A real provider is configured where the simulator served live keys: what the simulator registered
// or verified does not count for it.
import { beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../../src/kernel/auth/actor.ts'
import { Decimal } from '../../../src/kernel/money/decimal.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import type { MerchantContext } from '../../../src/merchant/context.ts'
import { createPaymentLink } from '../../../src/merchant/payment-links/create-payment-link.ts'
import { closeSimulator } from '../../../src/merchant/provider/close-simulator.ts'
import { createRecipient } from '../../../src/merchant/recipients/create-recipient.ts'
import { findRecipient } from '../../../src/merchant/recipients/recipient-store.ts'
import { resolveRecipientsSchedule } from '../../../src/merchant/recipients/resolve-recipients.ts'
import { updateRecipient } from '../../../src/merchant/recipients/update-recipient.ts'
import { findSubscription } from '../../../src/merchant/subscriptions/subscription-store.ts'
import { setKycStatus } from '../../../src/merchant/verification/set-kyc-status.ts'
import { withProviders } from '../../../src/start/start-simulator.ts'
import { manualClock } from '../../support/clock.ts'
import { type Shop, shop } from '../../support/payments.ts'
import { recipientBody } from '../../support/recipients.ts'
import { renewDue, subscribed } from '../../support/subscriptions.ts'
import { applicant, apply } from '../../support/verification.ts'
import { createWorld, type World } from '../../support/world.ts'

const clock = manualClock()
const { signal } = new AbortController()

let world: World
let seller: Shop
let real: MerchantContext
let actor: Actor

// Its own database, since it has a real provider afterwards.
beforeEach(async () => {
  clock.set(new Date('2026-03-10T12:00:00Z'))
  world = await createWorld({ clock })
  seller = await shop(world)
  actor = { kind: 'system', name: 'test', ...seller.tenant }
  // Another account at the simulator's server plays the real provider.
  const flutterwave = {
    baseUrl: `${world.simulator.url}/v3`,
    secretKey: 'FLWSECK-platform-X',
    webhookHash: undefined,
  }
  real = withProviders(world.context, undefined, { flutterwave, simulatorServesLive: false })
  return () => world.close()
})

const close = () => closeSimulator(real, 'flutterwave', [seller.tenant.businessId])

describe('a split recipient of the simulator', () => {
  const wanted = () => ({
    ...recipientBody({ recipientMobile: '0800' }),
    splitValue: new Decimal(10n, 0),
  })
  const linkTo = (splitRecipientId: string) =>
    runOperation(createPaymentLink, real, actor, {
      title: 'Order',
      currency: 'NGN',
      splitRecipientId,
    })
  const change = (input: { id: string; disabled: boolean }) =>
    runOperation(updateRecipient, real, actor, input)

  it('is unregistered and disabled, and no one registers it unasked', async () => {
    const { id } = await runOperation(createRecipient, world.context, actor, wanted())
    await close()
    await resolveRecipientsSchedule.run(real, signal)
    expect(await findRecipient(world.database.sql, seller.tenant, id)).toMatchObject({
      subaccountId: null,
      provider: 'simulator',
      disabled: true,
      verified: false,
    })
    const refusal = expect.stringContaining('Create it again with the same externalReference')
    const refused = { kind: 'invalid_request', message: refusal }
    await expect(linkTo(id)).rejects.toMatchObject(refused)
    await expect(change({ id, disabled: false })).rejects.toMatchObject(refused)
  })

  it('is registered at the real provider when it is created again, and then enabled', async () => {
    const input = wanted()
    const first = await runOperation(createRecipient, world.context, actor, input)
    await close()
    const again = await runOperation(createRecipient, real, actor, input)
    expect(again).toMatchObject({ id: first.id, provider: 'flutterwave', disabled: true })
    await change({ id: first.id, disabled: false })
    await linkTo(first.id)
    await close()
    expect(await findRecipient(world.database.sql, seller.tenant, first.id)).toMatchObject({
      subaccountId: again.subaccountId,
      disabled: false,
    })
  })

  it('stays when the real provider refuses it', async () => {
    const input = wanted()
    const { id } = await runOperation(createRecipient, world.context, actor, input)
    await close()
    const refusing = { operation: 'POST /subaccounts', effect: 'refuse', status: 400 }
    const platform = { businessId: 'platform', environment: 'live' } as const
    await world.simulator.rule(platform, refusing)
    await expect(runOperation(createRecipient, real, actor, input)).rejects.toMatchObject({
      kind: 'provider_failed',
    })
    expect(await findRecipient(world.database.sql, seller.tenant, id)).toMatchObject({
      subaccountId: null,
      provider: 'simulator',
      sends: 0,
    })
  })
})

it('a card that was saved at the simulator is not charged by the real provider', async () => {
  const one = await subscribed(world, {}, seller)
  const stored = () => findSubscription(world.database.sql, seller.tenant, one.id)
  expect(await stored()).toMatchObject({ cardProvider: 'simulator' })
  await close()
  clock.set(new Date('2026-04-10T12:00:00Z'))
  await renewDue({ context: real })
  expect(await stored()).toMatchObject({ status: 'past_due' })
  const [payment] = await world.database.sql`
    select status, failure_reason, provider
    from merchant.payments
    where business_id = ${seller.tenant.businessId}
    order by id desc
    limit 1`
  expect(payment).toEqual({
    status: 'failed',
    failureReason:
      'the saved card belongs to another payment provider; ask the payer for a new one',
    provider: 'flutterwave',
  })
})

describe('a business that the simulated verifier has verified', () => {
  const verifiedBusiness = async () => {
    const one = await applicant(world)
    await apply(one)
    expect((await one.account()).kyc_status).toBe('verified')
    return one
  }

  it('is not verified, until the operator verifies it', async () => {
    const one = await verifiedBusiness()
    await close()
    expect(await one.account()).toMatchObject({
      kyc_status: 'unverified',
      beneficial_owners_verified: 0,
    })
    const operator = { kind: 'system', name: 'test', ...one.tenant } as const
    const decided = { status: 'verified', reason: 'Papers seen' } as const
    await runOperation(setKycStatus, real, operator, decided)
    await close()
    expect((await one.account()).kyc_status).toBe('verified')
  })

  it('stays verified if it is a demo', async () => {
    const one = await verifiedBusiness()
    await world.database.sql`
      update kernel.businesses
      set is_demo = true
      where id = ${one.tenant.businessId}`
    await close()
    expect((await one.account()).kyc_status).toBe('verified')
  })
})
