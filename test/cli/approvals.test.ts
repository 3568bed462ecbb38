// Approving at the terminal: with a password and a code, or not at all.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  approveApproval,
  rejectApproval,
  setApprovalThreshold,
  showApprovals,
} from '../../src/cli/approval-commands.ts'
import type { Command, CommandOptions } from '../../src/cli/command.ts'
import { readSettings } from '../../src/config.ts'
import type { Role } from '../../src/kernel/auth/actor.ts'
import { createPeople, type People } from '../../src/kernel/auth/people.ts'
import { findApproval } from '../../src/merchant/approvals/approval-store.ts'
import { paidPayment } from '../merchant/refunds/paid-payment.ts'
import { totp } from '../support/totp.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const password = 'correct horse battery'

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
  const email = `${world().context.ids.uuid()}@example.com`
  const created = await people.createPerson({ email, name: 'Ada Example', password, totp: true })
  await world().database.transaction((tx) =>
    people.addMembership(tx, business, created.personId, role),
  )
  return { email, code: totp(created.totpSecret ?? '', new Date()) }
}

async function run(command: Command, options: CommandOptions, secrets: string[] = []) {
  const printed: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed.push(String(chunk))
    return true
  })
  try {
    const status = await command.run(
      {
        context: world().context,
        settings: readSettings([]),
        people: async () => people,
        askSecrets: async () => secrets,
      },
      { business, ...options },
    )
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
    const { status, text } = await run(approveApproval, { approval, email }, [password, code])
    expect(status).toBe(0)
    expect(text).toContain('Approved: refund NGN 5000.00')
    expect(await stateOf()).toBe('approved')
    expect((await run(showApprovals, {})).text).toBe('Nothing waits.\n')
    expect((await run(showApprovals, { all: true })).text).toContain('approved')
  })

  it('rejects with a reason', async () => {
    const { email, code } = await member('admin')
    await run(rejectApproval, { approval, email, reason: 'No' }, [password, code])
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
      await expect(run(approveApproval, { approval, email }, secrets)).rejects.toMatchObject({
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
    await expect(run(approveApproval, { approval, email }, [password, code])).rejects.toThrow(
      'does not belong to the business',
    )
  })

  it('asks for no secret when what was typed cannot work', async () => {
    const email = 'a@example.com'
    await expect(run(approveApproval, { approval: '1', email })).rejects.toThrow('--approval')
    await expect(run(approveApproval, { approval })).rejects.toThrow('--email')
  })
})

describe('cli thresholds set', () => {
  it('takes major units and says what it means', async () => {
    const options = { operation: 'refund', currency: 'NGN', amount: '50000.00' }
    const { text } = await run(setApprovalThreshold, options)
    expect(text).toBe('A refund above NGN 50000.00 needs a second person.\n')
    const rows = await world().database.sql`
      select operation, currency, amount_minor
      from merchant.approval_thresholds
      where business_id = ${business}`
    expect([...rows]).toEqual([{ operation: 'refund', currency: 'NGN', amountMinor: 5_000_000n }])
  })

  it.each([
    { operation: 'gift', currency: 'NGN', amount: '1' },
    { operation: 'refund', currency: 'ngn', amount: '1' },
    { operation: 'refund', currency: 'NGN', amount: '1.005' },
    { operation: 'refund', currency: 'NGN', amount: '-1' },
    { operation: 'refund', currency: 'NGN', amount: 'much' },
  ])('refuses %o', async (options) => {
    await expect(run(setApprovalThreshold, options)).rejects.toThrow('--')
  })
})

describe('secrets', () => {
  const ask = (input: string) =>
    spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { askSecrets } from './src/cli/ask.ts'
         process.stdout.write(JSON.stringify(await askSecrets(['Password', 'Code'])))`,
      ],
      { cwd: resolve(import.meta.dirname, '../..'), input, encoding: 'utf8' },
    )

  it('come from standard input, one a line, when it is no terminal', () => {
    const { stdout, stderr } = ask('pass word\n123456\n')
    expect(JSON.parse(stdout)).toEqual(['pass word', '123456'])
    expect(stderr).not.toContain('pass word')
  })

  it('must all be there', () => {
    const { status, stderr } = ask('only one\n')
    expect(status).not.toBe(0)
    expect(stderr).toContain('no answer to "Code"')
  })
})
