// The database refuses invalid changes of a payment's status.
import { expect, it } from 'vitest'
import { mayBecome, paymentStatuses } from '../../../src/merchant/payments/payment.ts'
import { payment } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

const pairs = paymentStatuses.flatMap((from) => paymentStatuses.map((to) => ({ from, to })))

it('of two statuses the one follows the other in the database when it does in the code', async () => {
  const { id } = await payment(world())
  const { sql } = world().database
  // What else has to hold of each status, so that nothing but the transition decides.
  const fields = (status: string) => ({
    status,
    refunded_minor: { refunded: '100000', partially_refunded: '1' }[status] ?? '0',
    failure_reason: status === 'failed' ? 'declined' : null,
  })
  await sql`
    update merchant.payments
    set fee_minor = 1500, net_minor = 98500, succeeded_at = now()
    where id = ${id}`
  const put = (status: string) => sql`
    update merchant.payments
    set ${sql(fields(status))}
    where id = ${id}`
  const seen: Record<string, boolean> = {}
  for (const { from, to } of pairs) {
    await sql`alter table merchant.payments disable trigger payments_follow_their_life`
    await put(from)
    await sql`alter table merchant.payments enable trigger payments_follow_their_life`
    seen[`${from} to ${to}`] = await put(to).then(
      () => true,
      (error: unknown) => {
        expect(error).toMatchObject({ code: '23514', message: expect.stringContaining('become') })
        return false
      },
    )
  }
  const meant = pairs.map(({ from, to }) => [
    `${from} to ${to}`,
    from === to || mayBecome(from, to),
  ])
  expect(seen).toEqual(Object.fromEntries(meant))
})
