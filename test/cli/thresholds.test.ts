// Thresholds at the terminal: an owner sets them with a password and a code.
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { approveCommand, showApprovals } from '../../src/cli/commands/merchant/approval-commands.ts'
import {
  setApprovalThreshold,
  showThresholds,
} from '../../src/cli/commands/merchant/threshold-commands.ts'
import type { Command, CommandOptions } from '../../src/cli/core/command.ts'
import { readSettings } from '../../src/config.ts'
import type { Role } from '../../src/kernel/auth/actor.ts'
import { createPeople, type People } from '../../src/kernel/auth/people.ts'
import { paidPayment, putThreshold } from '../merchant/refunds/paid-payment.ts'
import { password } from '../support/people.ts'
import { putPerson } from '../support/put-person.ts'
import { totp } from '../support/totp.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

let people: People
let business: string

beforeAll(async () => {
  people = await createPeople(world().context, world().context)
})

beforeEach(async () => {
  business = await world().business()
  await putThreshold(world(), { businessId: business, environment: 'live' }, 'NGN', 0n)
})

async function member(role: Role) {
  const created = await putPerson(world().context)
  await world().database.transaction((tx) =>
    people.addMembership(tx, business, created.personId, role),
  )
  return {
    ...created,
    get code() {
      return totp(created.totpSecret ?? '', new Date())
    },
  }
}

async function run(command: Command, options: CommandOptions, secrets: string[] = []) {
  const printed: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed.push(String(chunk))
    return true
  })
  try {
    const own = { context: world().context, settings: readSettings([]) }
    const asked = { people: async () => people, askSecrets: async () => secrets }
    const status = await command.run({ ...own, ...asked }, { business, ...options })
    return { status, text: printed.join('') }
  } finally {
    write.mockRestore()
  }
}

describe('cli thresholds list', () => {
  it('lists what the business has set and what holds otherwise', async () => {
    const { sql } = world().database
    await run(setApprovalThreshold, {
      ...{ operation: 'payout', currency: 'KES', amount: '700' },
      ...{ business: undefined, default: true },
    })
    try {
      const { text } = await run(showThresholds, {})
      expect(text).toBe(
        'the business  a refund above NGN 0.00 needs an approval\n' +
          'the default   a payout above KES 700.00 needs an approval\n' +
          'Without a threshold, every live refund and payout needs an approval.\n' +
          'Recommended: a limit for the payouts of a day (`--operation daily_payouts`), and approval of\n' +
          'refunds that overdraw the balance (`--operation overdraft --amount 0`).\n',
      )
      const { text: json } = await run(showThresholds, { json: true })
      expect(JSON.parse(json)).toEqual({
        business: [{ operation: 'refund', currency: 'NGN', amount_minor: '0' }],
        default: [{ operation: 'payout', currency: 'KES', amount_minor: '70000' }],
      })
      // With a second business, none is meant by default.
      await world().business()
      const { text: defaults } = await run(showThresholds, { business: undefined })
      expect(defaults).not.toContain('the business')
    } finally {
      await sql`delete from merchant.default_thresholds`
    }
  })
})

describe('cli thresholds set', () => {
  const wanted = { operation: 'refund', currency: 'NGN', amount: '50000.00' }
  const thresholds = async () => [
    ...(await world().database.sql`
      select operation, currency, amount_minor
      from merchant.approval_thresholds
      where business_id = ${business}`),
  ]
  const set = { operation: 'refund', currency: 'NGN', amountMinor: 5_000_000n }
  const before = { ...set, amountMinor: 0n }

  it('takes major units from an owner who has proved it, and says what it means', async () => {
    const { email, code } = await member('owner')
    const { text } = await run(setApprovalThreshold, { ...wanted, email }, [password, code])
    expect(text).toBe('Saved: a refund above NGN 50000.00 needs an approval.\n')
    expect(await thresholds()).toEqual([set])
  })

  it.each([
    ['daily_payouts', '5', 'a payout that takes the payouts of a day above NGN 5.00'],
    ['overdraft', '0', 'a refund that overdraws the balance by more than NGN 0.00'],
    ['daily_payouts', undefined, 'the NGN payouts of a day have no limit'],
    ['overdraft', undefined, 'refunds that overdraw the NGN balance need no approval'],
  ])('sets %s to %s, which is optional', async (operation, amount, meaning) => {
    const { email, code } = await member('owner')
    const options = { ...wanted, operation, amount, off: amount === undefined, email }
    const { text } = await run(setApprovalThreshold, options, [password, code])
    expect(text).toContain(`Saved: ${meaning}`)
    expect(await thresholds()).toHaveLength(amount === undefined ? 1 : 2)
  })

  it('shows an optional one to its approver', async () => {
    const { email, code } = await member('owner')
    await member('approver')
    await run(setApprovalThreshold, { ...wanted, operation: 'overdraft', email }, [password, code])
    expect((await run(showApprovals, {})).text).toContain('balance by more than NGN 50000.00')
  })

  it('waits for a second person where the business has one who may decide', async () => {
    const owner = await member('owner')
    await member('viewer')
    const other = await member('approver')
    const { text } = await run(setApprovalThreshold, { ...wanted, email: owner.email }, [
      password,
      owner.code,
    ])
    expect(await thresholds()).toEqual([before])
    const id = /approval ([0-9a-f-]{36})/.exec(text)?.[1] ?? ''
    expect((await run(showApprovals, {})).text).toContain(
      'require an approval for each refund above NGN 50000.00',
    )
    const approved = await run(approveCommand, { approval: id, email: other.email }, [
      password,
      other.code,
    ])
    expect(approved.text).not.toContain('sent')
    expect(await thresholds()).toEqual([set])
  })

  it('is void once another threshold holds', async () => {
    // Codes are spent, so everybody acts once.
    const [one, two, three, four] = [
      await member('owner'),
      await member('owner'),
      await member('approver'),
      await member('admin'),
    ]
    const ask = async ({ email, code }: typeof one, amount: string) => {
      const { text } = await run(setApprovalThreshold, { ...wanted, amount, email }, [
        password,
        code,
      ])
      return /approval ([0-9a-f-]{36})/.exec(text)?.[1] ?? ''
    }
    const agree = ({ email, code }: typeof one, id: string) =>
      run(approveCommand, { approval: id, email }, [password, code])
    const first = await ask(one, '10')
    const second = await ask(two, '20')
    await agree(three, first)
    await expect(agree(four, second)).rejects.toMatchObject({ kind: 'conflict' })
    expect(await thresholds()).toEqual([{ ...set, amountMinor: 1_000n }])
    expect((await run(showApprovals, { all: true })).text).toContain(`${second}  void`)
  })

  it('refuses everybody who is no owner, and a wrong password', async () => {
    const admin = await member('admin')
    await expect(
      run(setApprovalThreshold, { ...wanted, email: admin.email }, [password, admin.code]),
    ).rejects.toMatchObject({ kind: 'permission_denied' })
    const owner = await member('owner')
    await expect(
      run(setApprovalThreshold, { ...wanted, email: owner.email }, ['wrong horse', owner.code]),
    ).rejects.toMatchObject({ kind: 'permission_denied' })
    expect(await thresholds()).toEqual([before])
  })

  it('sets the operator’s default, which holds until a business sets its own', async () => {
    const refund = async () => {
      const tenant = { businessId: business, environment: 'live' } as const
      const payment = await paidPayment(world(), tenant, null)
      const { text: key } = await world().key({ service: 'merchant', businessId: business })
      const path = `/merchant/api/v1/payments/${payment.id}/refund`
      return (await world().call('POST', path, { key })).status
    }
    expect(await refund()).toBe(202)
    const { text } = await run(setApprovalThreshold, {
      ...wanted,
      amount: '5000',
      business: undefined,
      default: true,
    })
    expect(text).toContain(
      'Saved for businesses without their own threshold: a refund above NGN 5000.00',
    )
    expect(await refund()).toBe(200)
    await world().database.sql`delete from merchant.default_thresholds`
    expect(await refund()).toBe(202)
  })

  it.each([
    { operation: 'gift', currency: 'NGN', amount: '1' },
    { operation: 'threshold', currency: 'NGN', amount: '1' },
    { operation: 'refund', currency: 'ngn', amount: '1' },
    { operation: 'refund', currency: 'NGN', amount: '1.005' },
    { operation: 'refund', currency: 'NGN', amount: '-1' },
    { operation: 'refund', currency: 'NGN', amount: 'much' },
    { operation: 'refund', currency: 'NGN', off: true },
    { operation: 'overdraft', currency: 'NGN', off: true, amount: '1' },
    { operation: 'overdraft', currency: 'NGN', amount: '1', default: true },
    { operation: 'refund', currency: 'NGN', amount: '1' },
  ])('refuses %o', async (options) => {
    await expect(run(setApprovalThreshold, options)).rejects.toThrow('--')
  })
})
