// Approvals at the terminal, with password and code.
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  approveCommand,
  rejectCommand,
  showApprovals,
  withdrawCommand,
} from '../../src/cli/commands/merchant/approval-commands.ts'
import { setApprovalThreshold } from '../../src/cli/commands/merchant/threshold-commands.ts'
import { addPerson } from '../../src/cli/commands/people/people-commands.ts'
import type { Command, CommandOptions } from '../../src/cli/core/command.ts'
import { readSettings } from '../../src/config.ts'
import type { Role } from '../../src/kernel/auth/actor.ts'
import { createPeople, type People } from '../../src/kernel/auth/people.ts'
import { findApproval } from '../../src/merchant/approvals/approval-store.ts'
import { paidPayment } from '../merchant/refunds/paid-payment.ts'
import { addPending, credit, payer } from '../support/payouts.ts'
import { password } from '../support/people.ts'
import { putPerson } from '../support/put-person.ts'
import { totp } from '../support/totp.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

let people: People
let business: string
let approval: string

beforeAll(async () => {
  people = await createPeople(world().context, world().context)
})

beforeEach(async () => {
  const { text, businessId } = await world().key({ service: 'merchant' })
  business = businessId
  const payment = await paidPayment(world(), { businessId, environment: 'live' }, 0n)
  const path = `/merchant/api/v1/payments/${payment.id}/refund`
  approval = (await world().call('POST', path, { key: text })).body.approvalId
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

const stateOf = async () =>
  (
    await findApproval(
      world().database.sql,
      { businessId: business, environment: 'live' },
      approval,
    )
  )?.state

describe('cli approvals', () => {
  it('lists what waits, in words and as JSON', async () => {
    const { status, text } = await run(showApprovals, {})
    expect(status).toBe(0)
    expect(text).toContain(approval)
    expect(text).toContain('refund NGN 5000.00 of payment')
    const { text: json } = await run(showApprovals, { json: true })
    expect(JSON.parse(json)).toMatchObject([
      { id: approval, state: 'pending', operation: 'refund' },
    ])
  })

  it('approves with the password and the code of an approver', async () => {
    const { email, code } = await member('approver')
    const { status, text } = await run(approveCommand, { approval, email }, [password, code])
    expect(status).toBe(0)
    expect(text).toContain('Approved: refund NGN 5000.00')
    expect(await stateOf()).toBe('approved')
    expect((await run(showApprovals, {})).text).toBe('Nothing waits.\n')
    expect((await run(showApprovals, { all: true })).text).toContain('approved')
  })

  it('rejects with a reason', async () => {
    const { email, code } = await member('admin')
    await run(rejectCommand, { approval, email, reason: 'No' }, [password, code])
    expect(await stateOf()).toBe('rejected')
  })

  it('refuses a wrong password, a wrong code, and people without the role', async () => {
    const good = await member('approver')
    const viewer = await member('viewer')
    const attempts = [
      { ...good, secrets: ['wrong horse battery', good.code] },
      { ...good, secrets: [password, good.code === '000000' ? '000001' : '000000'] },
      { ...viewer, secrets: [password, viewer.code] },
    ]
    for (const { email, secrets } of attempts) {
      await expect(run(approveCommand, { approval, email }, secrets)).rejects.toMatchObject({
        kind: 'permission_denied',
      })
    }
    expect(await stateOf()).toBe('pending')
  })

  it('refuses a member of another business', async () => {
    const mine = business
    business = await world().business()
    const { email, code } = await member('owner')
    business = mine
    await expect(run(approveCommand, { approval, email }, [password, code])).rejects.toThrow(
      'is not a member of the business',
    )
  })

  it('asks for no secret when what was typed cannot work', async () => {
    const email = 'a@example.com'
    await expect(run(approveCommand, { approval: '1', email })).rejects.toThrow('--approval')
    await expect(run(approveCommand, { approval })).rejects.toThrow('--email')
  })
})

describe('cli approvals list', () => {
  it('names the requester, and marks duplicate requests', async () => {
    const { text: first } = await run(showApprovals, {})
    expect(first).toContain('requested by the key "Test key"')
    expect(first).not.toContain('Warning: duplicate')
    const [row] = await world().database.sql`
      select object_id
      from merchant.approvals
      where id = ${approval}`
    const { text: key } = await world().key({
      service: 'merchant',
      businessId: business,
      name: 'Back office',
    })
    const path = `/merchant/api/v1/payments/${row?.objectId}/refund`
    expect((await world().call('POST', path, { key })).status).toBe(202)
    const { text: both } = await run(showApprovals, {})
    expect(both).toContain('requested by the key "Back office"')
    expect(both.match(/Warning: duplicate pending request/g)).toHaveLength(2)
    const { text: json } = await run(showApprovals, { json: true })
    expect(JSON.parse(json)).toMatchObject([
      { requester: 'the key "Back office"', is_duplicate: true },
      { requester: 'the key "Test key"', is_duplicate: true },
    ])
  })

  it('warns of a refund that takes the available balance below zero, and only of that', async () => {
    const tenant = { businessId: business, environment: 'live' } as const
    // The fee of a payment is not given back.
    const warning = 'Warning: this brings the available balance to NGN -75.00'
    expect((await run(showApprovals, {})).text).toContain(`${warning}\n`)
    await addPending(world(), tenant, 'NGN', 1_050n)
    expect((await run(showApprovals, {})).text).toContain(`${warning}; NGN 10.50 is pending\n`)
    const overdraft = { currency: 'NGN', available_minor: '-7500', pending_minor: '1050' }
    const { text: json } = await run(showApprovals, { json: true })
    expect(JSON.parse(json)).toMatchObject([{ overdraft }])
    const { email, code } = await member('approver')
    const { text } = await run(approveCommand, { approval, email }, [password, code])
    expect(text).toMatch(
      /^Warning: this brings the available balance to NGN -75\.00.*\nApproved: refund/,
    )
    // What was approved a moment ago is not booked yet, and counts.
    const { text: key } = await world().key({ service: 'merchant', businessId: business })
    const payment = await paidPayment(world(), tenant, 0n)
    await world().call('POST', `/merchant/api/v1/payments/${payment.id}/refund`, { key })
    expect((await run(showApprovals, {})).text).toContain('to NGN -150.00')
    await credit(world(), tenant, 'NGN', 15_000n)
    expect((await run(showApprovals, {})).text).not.toContain('Warning')
  })

  it('names the person who asked', async () => {
    const owner = await member('owner')
    await member('approver')
    const wanted = { operation: 'refund', currency: 'NGN', amount: '7' }
    await run(setApprovalThreshold, { ...wanted, email: owner.email }, [password, owner.code])
    expect((await run(showApprovals, {})).text).toContain(`requested by ${owner.email}`)
  })
})

describe('cli approvals withdraw', () => {
  const hold = async (createdBy: string) => {
    const { text: key } = await world().key({
      service: 'merchant',
      businessId: business,
      createdBy,
    })
    const tenant = { businessId: business, environment: 'live' } as const
    const payment = await paidPayment(world(), tenant, null)
    const path = `/merchant/api/v1/payments/${payment.id}/refund`
    return (await world().call('POST', path, { key })).body.approvalId
  }

  it('lets a sole owner take back the refund that a key of theirs asked for', async () => {
    const owner = await member('owner')
    approval = await hold(owner.personId)
    const { text } = await run(withdrawCommand, { approval, email: owner.email }, [
      password,
      owner.code,
    ])
    expect(text).toMatch(/^Withdrawn: refund NGN 5000\.00 .* No money was moved\.\n$/)
    expect(await stateOf()).toBe('withdrawn')
    const acts = await world().database.sql`
      select actor_id
      from kernel.audit_log
      where action = 'approval.withdraw'
        and object_id = ${approval}`
    expect([...acts]).toEqual([{ actorId: owner.personId }])
  })

  it('cancels the payout that waited', async () => {
    const owner = await member('owner')
    const { payOut, key } = await payer(world(), {
      businessId: business,
      thresholdMinor: null,
      createdBy: owner.personId,
    })
    const held = (await payOut()).body
    approval = held.approvalId
    await run(withdrawCommand, { approval, email: owner.email }, [password, owner.code])
    expect(await stateOf()).toBe('withdrawn')
    const { body } = await world().call('GET', '/merchant/api/v1/payouts', { key })
    expect(body.data).toMatchObject([{ status: 'cancelled' }])
  })

  it('refuses everybody else, and what has ended', async () => {
    const [other, owner] = [await member('owner'), await member('owner')]
    approval = await hold(owner.personId)
    await expect(
      run(withdrawCommand, { approval, email: other.email }, [password, other.code]),
    ).rejects.toMatchObject({ kind: 'permission_denied' })
    expect(await stateOf()).toBe('pending')
    const decider = await member('approver')
    await run(rejectCommand, { approval, email: decider.email }, [password, decider.code])
    await expect(
      run(withdrawCommand, { approval, email: owner.email }, [password, owner.code]),
    ).rejects.toThrow('The approval is already rejected.')
    expect(await stateOf()).toBe('rejected')
  })
})

describe('cli people add', () => {
  const email = () => `${world().context.ids.uuid()}@example.com`

  it('adds someone who can decide with the password and the secret that were printed', async () => {
    const wanted = { email: email(), name: 'Grace Example', role: 'approver' }
    const added = JSON.parse((await run(addPerson, { ...wanted, json: true })).text)
    expect(added).toMatchObject({ email: wanted.email, role: 'approver' })
    const code = totp(added.totp_secret, new Date())
    await run(approveCommand, { approval, email: wanted.email }, [added.password, code])
    expect(await stateOf()).toBe('approved')
    await expect(run(addPerson, wanted)).rejects.toThrow('is already a member of the business')
  })

  it('adds someone who has an account elsewhere only when told so', async () => {
    const elsewhere = await world().business({})
    const wanted = { email: email(), name: 'Grace Example', role: 'approver' }
    const { text } = await run(addPerson, { ...wanted, business: elsewhere, json: true })
    const { person_id: personId, password: known, totp_secret: seed } = JSON.parse(text)
    await expect(run(addPerson, { ...wanted, name: 'Another' })).rejects.toThrow(
      'already has an account, named Grace Example',
    )
    const { name: _, ...existing } = { ...wanted, existing: true }
    const added = JSON.parse((await run(addPerson, { ...existing, json: true })).text)
    expect(added).toEqual({
      ...{ person_id: personId, email: wanted.email, role: 'approver', approval_id: null },
    })
    const code = totp(seed, new Date())
    await run(approveCommand, { approval, email: wanted.email }, [known, code])
    expect(await stateOf()).toBe('approved')
    await expect(run(addPerson, existing)).rejects.toThrow('is already a member of the business')
  })

  it('adds no one who has no account when told that they have one', async () => {
    const wanted = { email: email(), role: 'viewer', existing: true }
    await expect(run(addPerson, wanted)).rejects.toThrow('There is no account')
  })

  it('shows the password once, in words', async () => {
    const wanted = { email: email(), name: 'Grace Example', role: 'viewer' }
    const { text } = await run(addPerson, wanted)
    expect(text).toMatch(/^Viewer {7}\S+@example\.com\nPassword {5}\S+\nTOTP secret {2}\S+\n/)
  })

  it.each([
    { name: 'A', role: 'king', email: 'a@example.com' },
    { name: 'A', role: 'viewer', email: 'no-one' },
    { name: '', role: 'viewer', email: 'a@example.com' },
  ])('refuses %o', async (options) => {
    await expect(run(addPerson, options)).rejects.toThrow('--')
  })
})
