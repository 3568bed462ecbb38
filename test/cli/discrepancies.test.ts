// Discrepancies with the provider, and the platform's fees, at the terminal and in the metrics.
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  resolveDiscrepancyCommand,
  showDiscrepancies,
} from '../../src/cli/commands/merchant/discrepancy-commands.ts'
import { setFee, showFees } from '../../src/cli/commands/merchant/fee-commands.ts'
import { showPaymentTimeline } from '../../src/cli/commands/merchant/payment-commands.ts'
import { type Command, type CommandOptions, UsageError } from '../../src/cli/core/command.ts'
import { readSettings } from '../../src/config.ts'
import type { Role } from '../../src/kernel/auth/actor.ts'
import { createPeople, type People } from '../../src/kernel/auth/people.ts'
import { reconcileChargesSchedule } from '../../src/merchant/discrepancies/reconcile-charges.ts'
import { metricsText } from '../support/metrics.ts'
import {
  type Begun,
  newLink,
  paidPayment,
  payment,
  type Shop,
  shop,
  storedPayment,
} from '../support/payments.ts'
import { password } from '../support/people.ts'
import { putPerson } from '../support/put-person.ts'
import { totp } from '../support/totp.ts'
import { useWorld } from '../support/world.ts'

const metricsToken = 'a-token-for-the-metrics-of-this-test'
const world = useWorld({ settings: { metricsToken } })

let people: People
let owner: Shop

beforeAll(async () => {
  people = await createPeople(world().context, world().context)
})

beforeEach(async () => {
  owner = await shop(world())
})

async function member(role: Role) {
  const created = await putPerson(world().context)
  await world().database.transaction((tx) =>
    people.addMembership(tx, owner.tenant.businessId, created.personId, role),
  )
  return {
    ...created,
    // Of the moment in which they are typed.
    get secrets() {
      return [password, totp(created.totpSecret ?? '', new Date())]
    },
  }
}

async function run(command: Command, options: CommandOptions = {}, secrets: string[] = []) {
  const printed: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed.push(String(chunk))
    return true
  })
  try {
    const { context } = world()
    const settings = readSettings([])
    const askSecrets = async () => secrets
    const commandWorld = { context, settings, people: async () => people, askSecrets }
    await command.run(commandWorld, { business: owner.tenant.businessId, ...options })
    return printed.join('')
  } finally {
    write.mockRestore()
  }
}

async function lastAct() {
  const [act] = await world().database.sql`
    select action, actor_kind, actor_id, detail
    from kernel.audit_log
    where business_id = ${owner.tenant.businessId}
    order by id desc
    limit 1`
  return act
}

describe('cli discrepancies', () => {
  let begun: Begun
  let id: string

  beforeEach(async () => {
    begun = await payment(world(), owner)
    const rule = { operation: 'charge', effect: 'underpay', difference: '1' }
    await world().simulator.rule(owner.tenant, rule)
    await world().simulator.pay(owner.tenant, begun.reference)
    await world().call('GET', `/pay/return/${begun.reference}`)
    id = JSON.parse(await run(showDiscrepancies, { json: true }))[0].id
  })

  it('lists what is open, with its age, cause, object and what was seen', async () => {
    await world().database.sql`
      update merchant.breaks
      set created_at = ${new Date(Date.now() - 50 * 3_600_000)}
      where id = ${id}`
    const text = await run(showDiscrepancies)
    expect(text).toContain(`${id}    2d  underpayment  payment ${begun.id}`)
    expect(text).toContain('amount 999, currency NGN')
    expect(await run(showDiscrepancies, { business: undefined })).toContain(id)
    const stranger = (await shop(world())).tenant.businessId
    expect(await run(showDiscrepancies, { business: stranger })).toBe('No discrepancies.\n')
  })

  it('shows in the timeline of the payment', async () => {
    const text = await run(showPaymentTimeline, { payment: begun.id })
    expect(text).toMatch(
      /Z {2}The payer paid only NGN 999\.00\. A person has to decide about it\.\n/,
    )
    const steps = JSON.parse(await run(showPaymentTimeline, { payment: begun.id, json: true }))
    expect(steps.at(-1)).toMatchObject({ object: 'payment', change: 'created' })
    const other = { payment: begun.id, business: (await shop(world())).tenant.businessId }
    await expect(run(showPaymentTimeline, other)).rejects.toMatchObject({ kind: 'not_found' })
  })

  it('resolves one with the password and the code, a reason, and a row in the audit log', async () => {
    const { email, secrets, personId } = await member('admin')
    const options = { discrepancy: id, email, reason: 'The payer sent the rest' }
    expect(await run(resolveDiscrepancyCommand, options, secrets)).toContain(
      'Resolved: underpayment',
    )
    expect(await lastAct()).toMatchObject({
      action: 'discrepancy.resolve',
      actorKind: 'person',
      actorId: personId,
      detail: { cause: 'underpayment', reason: 'The payer sent the rest' },
    })
    expect(await run(showDiscrepancies)).toBe('No discrepancies.\n')
    expect(await run(showDiscrepancies, { all: true })).toContain('The payer sent the rest')
  })

  it('refuses a wrong role, a wrong code and a second time', async () => {
    const viewer = await member('viewer')
    const good = await member('owner')
    const options = { discrepancy: id, reason: 'Seen to' }
    for (const [email, secrets] of [
      [viewer.email, viewer.secrets],
      [good.email, [password, good.secrets[1] === '000000' ? '000001' : '000000']],
    ] as const) {
      await expect(
        run(resolveDiscrepancyCommand, { ...options, email }, [...secrets]),
      ).rejects.toMatchObject({ kind: 'permission_denied' })
    }
    expect(await run(showDiscrepancies)).toContain(id)
    const other = await member('owner')
    await run(resolveDiscrepancyCommand, { ...options, email: good.email }, good.secrets)
    await expect(
      run(resolveDiscrepancyCommand, { ...options, email: other.email }, other.secrets),
    ).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('asks for no secret when what was typed cannot work', async () => {
    const email = 'a@example.com'
    for (const options of [
      { email, reason: 'x' },
      { email, reason: 'x', discrepancy: '7' },
      { email, discrepancy: id },
      { email, discrepancy: id, reason: 'two\nlines' },
    ]) {
      await expect(run(resolveDiscrepancyCommand, options)).rejects.toBeInstanceOf(UsageError)
    }
  })

  it('shows in the metrics, as does a comparison that could not be made', async () => {
    const metrics = async () => (await metricsText(world(), metricsToken)).split('\n')
    const open = async () =>
      (await metrics()).find((line) =>
        line.startsWith('tillbook_discrepancies_open{cause="underpayment"'),
      )
    const rows = await world().database.sql`
      select
      from merchant.breaks
      where cause = 'underpayment'
        and resolved_at is null`
    expect(await open()).toBe(`tillbook_discrepancies_open{cause="underpayment"} ${rows.length}`)
    const failed: string[] = []
    const context = {
      ...world().context,
      onReconciliationFailed: (what: string) => failed.push(what),
    }
    const rule = { operation: 'GET /transactions', effect: 'refuse', status: 503 }
    await world().simulator.rule(owner.tenant, rule)
    await reconcileChargesSchedule.run(context, new AbortController().signal)
    expect(failed).toEqual(['charges'])
    expect((await metrics()).join('\n')).toContain('tillbook_reconciliations_failed_total')
  })
})

describe('cli fees', () => {
  it('sets a fee that the next charge pays, and says so in the audit log', async () => {
    const text = await run(setFee, { currency: 'NGN', percent: '2.25', fixed: '0.10' })
    expect(text).toContain('2.25 % and NGN 0.10')
    const paid = await paidPayment(world(), owner, await newLink(world(), owner))
    expect((await storedPayment(world(), paid)).feeMinor).toBe(2_260n)
    await run(setFee, { currency: 'NGN', percent: '0.01' })
    expect(await lastAct()).toMatchObject({
      action: 'fee_schedule.set',
      actorKind: 'system',
      detail: {
        currency: 'NGN',
        basisPoints: 1,
        fixedMinor: '0',
        before: { basisPoints: 225, fixedMinor: '10' },
      },
    })
    expect(await run(showFees)).toBe(`${owner.tenant.businessId}  NGN  0.01 %\nall others: 1.5 %\n`)
    expect(JSON.parse(await run(showFees, { json: true }))).toMatchObject({
      default: { basis_points: 150, fixed_minor: '0' },
      schedules: [{ currency: 'NGN', basis_points: 1, fixed_minor: '0' }],
    })
  })

  it.each([
    [{ percent: '1.005' }, '--percent'],
    [{ percent: '100.01' }, '--percent'],
    [{ percent: '-1' }, '--percent'],
    [{ percent: 'x' }, '--percent'],
    [{}, '--percent'],
    [{ percent: '1', fixed: '0.001' }, '--fixed'],
    [{ percent: '1', fixed: '-1' }, '--fixed'],
    [{ percent: '1', currency: 'ngn' }, '--currency'],
  ])('refuses %j', async (options, part) => {
    await expect(run(setFee, { currency: 'NGN', ...options })).rejects.toThrow(part)
    expect(await run(showFees)).toBe('all others: 1.5 %\n')
  })
})
