// Deciding an unclear refund at the terminal.
import { beforeAll, expect, it, vi } from 'vitest'
import { decideUnclearRefund } from '../../src/cli/commands/merchant/refund-commands.ts'
import { type CommandOptions, UsageError } from '../../src/cli/core/command.ts'
import { readSettings } from '../../src/config.ts'
import type { Role } from '../../src/kernel/auth/actor.ts'
import { createPeople, type People } from '../../src/kernel/auth/people.ts'
import { systemClock } from '../../src/kernel/basics/clock.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { resolveRefundsSchedule } from '../../src/merchant/refunds/resolve-refunds.ts'
import { paidPayment, stateOf } from '../merchant/refunds/paid-payment.ts'
import { manualClock } from '../support/clock.ts'
import { discrepanciesOf } from '../support/payments.ts'
import { password } from '../support/people.ts'
import { putPerson } from '../support/put-person.ts'
import { totp } from '../support/totp.ts'
import { useWorld } from '../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })
let people: People

beforeAll(async () => {
  // Codes are of the real time.
  people = await createPeople({ ...world().context, clock: systemClock }, world().context)
})

async function member({ businessId }: Tenant, role: Role) {
  const created = await putPerson(world().context)
  await world().database.transaction((tx) =>
    people.addMembership(tx, businessId, created.personId, role),
  )
  const { email } = created
  return { email, secrets: () => [password, totp(created.totpSecret ?? '', new Date())] }
}

async function run(options: CommandOptions, secrets: string[] = []) {
  const printed: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed.push(String(chunk))
    return true
  })
  try {
    const { context } = world()
    const askSecrets = async () => secrets
    const commandWorld = { context, settings: readSettings([]), people: async () => people }
    await decideUnclearRefund.run({ ...commandWorld, askSecrets }, options)
    return printed.join('')
  } finally {
    write.mockRestore()
  }
}

async function resolveAfter(seconds: number) {
  clock.advance(seconds * 1000)
  await resolveRefundsSchedule.run(world().context, new AbortController().signal)
}

it('names the entry that a refund is, for owners and admins with their password and code', async () => {
  const { text: key, businessId } = await world().key({ service: 'merchant' })
  const tenant = { businessId, environment: 'live' } as const
  const payment = await paidPayment(world(), tenant)
  const rule = (wanted: object) => world().simulator.rule(tenant, { ...wanted })
  await rule({ operation: 'POST /transactions/:id/refund', effect: 'drop_after', count: 1 })
  await rule({ operation: 'refund_list', effect: 'other_amount', difference: '5' })
  const path = `/merchant/api/v1/payments/${payment.id}/refund`
  expect((await world().call('POST', path, { key, body: { amount: 40_000 } })).status).toBe(502)
  await resolveAfter(60)
  const [found] = await discrepanciesOf(world(), tenant)
  const [refund] = (await stateOf(world(), tenant, payment.id)).refunds
  const entry = found?.detail.entries.split(':')[0]
  const reason = 'The provider says so'
  const wanted = { business: businessId, refund: refund?.id, is: entry, reason }

  await expect(run({ ...wanted, is: undefined, email: 'a@example.com' })).rejects.toThrow(
    UsageError,
  )
  await expect(run({ ...wanted, 'none-of': '1' })).rejects.toThrow('either --is or --none-of')
  await expect(run({ ...wanted, refund: 'x' })).rejects.toThrow('--refund is not an id')
  const approver = await member(tenant, 'approver')
  await expect(run({ ...wanted, email: approver.email }, approver.secrets())).rejects.toThrow(
    'Only an owner or admin',
  )
  const admin = await member(tenant, 'admin')
  await expect(run({ ...wanted, email: admin.email }, ['wrong', '000000'])).rejects.toThrow()
  const printed = await run({ ...wanted, email: admin.email }, admin.secrets())
  expect(printed).toContain(`Matched with ${entry}`)
  await resolveAfter(1)
  const after = await stateOf(world(), tenant, payment.id)
  expect(after.refunds).toMatchObject([{ providerRefundId: entry, sends: 1 }])
})
