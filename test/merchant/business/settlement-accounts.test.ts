// Where payouts go: who can change it, and what holds until a second person has agreed.
import { beforeEach, describe, expect, it } from 'vitest'
import type { PersonActor } from '../../../src/kernel/auth/actor.ts'
import { updateMembershipRole } from '../../../src/kernel/auth/membership-store.ts'
import { mailNoticeJob } from '../../../src/kernel/notices/notify.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { findApproval } from '../../../src/merchant/approvals/approval-store.ts'
import { approveApproval } from '../../../src/merchant/approvals/approve-approval.ts'
import { rejectApproval } from '../../../src/merchant/approvals/reject-approval.ts'
import { listSettlementAccounts } from '../../../src/merchant/business/list-settlement-accounts.ts'
import * as removal from '../../../src/merchant/business/remove-settlement-account.ts'
import { setSettlementAccount } from '../../../src/merchant/business/set-settlement-account.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { workerFor } from '../../support/jobs.ts'
import { credit, member, type Payer, payer } from '../../support/payouts.ts'
import { handOut } from '../../support/run-log.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

let shop: Payer
let owner: PersonActor

beforeEach(async () => {
  shop = await payer(world())
  await mailNotices()
  owner = await member(world(), shop.tenant, 'owner')
  handOut('0690000040', '0690000041')
})

const account = { bankCode: '044', accountNumber: '0690000040', beneficiaryName: 'Corner shop' }

const set = (change: Partial<typeof account> & { currency?: string } = {}, actor = owner) =>
  runOperation(setSettlementAccount, world().context, actor, { ...account, ...change })

const remove = (accountEnding: string, currency: string | null = null) =>
  runOperation(removal.removeSettlementAccount, world().context, owner, { accountEnding, currency })

const approve = (id: string, actor: PersonActor) =>
  runOperation(approveApproval, world().context, actor, { id })

const endings = async () => {
  const listed = await runOperation(listSettlementAccounts, world().context, owner, {})
  return listed.map(({ currency, accountEnding }) => [currency, accountEnding])
}

async function requested(change?: Parameters<typeof set>[0]): Promise<string> {
  const { approvalId } = await set(change)
  if (approvalId === null) throw new Error('no one has to approve it')
  return approvalId
}

const payTo = async (accountNumber: string, more: object = {}) =>
  (await shop.payOut({ bankDetails: { accountNumber }, ...more })).status

const mailNotices = () => workerFor(world().context, { jobs: [mailNoticeJob] }).drain()

// Who was mailed, and about what.
async function mailed(): Promise<string[]> {
  await mailNotices()
  const rows = await world().database.sql<{ recipients: string[]; subject: string }[]>`
    select recipients, subject
    from kernel.mails
    where business_id = ${shop.tenant.businessId}
    order by created_at, id`
  return rows.map(({ recipients, subject }) => `${recipients.join()} ${subject}`).toSorted()
}

it('changes at once where no one else could approve, and the owners are mailed', async () => {
  expect(await set()).toMatchObject({ accountEnding: '0040', approvalId: null })
  expect(await payTo('0690000040')).toBe(200)
  expect(await mailed()).toEqual([
    `${owner.personId}@example.com The bank account for payouts has changed`,
  ])
})

it('waits for a second person; until then payouts go to the old account', async () => {
  const approver = await member(world(), shop.tenant, 'approver')
  const id = await requested()
  const subject = 'Please decide: another bank account for payouts'
  expect(await mailed()).toEqual(
    [owner, approver].map(({ personId }) => `${personId}@example.com ${subject}`).toSorted(),
  )
  expect(await endings()).toEqual([[null, '0031']])
  expect(await payTo('0690000040')).toBe(403)
  await expect(approve(id, owner)).rejects.toMatchObject({ kind: 'permission_denied' })
  expect(await payTo('0690000031')).toBe(200)
  await approve(id, approver)
  expect(await payTo('0690000031')).toBe(403)
  expect(await payTo('0690000040')).toBe(200)
  await expectInvariants(world().database)
})

it('shows the approver the old and the new account, without their numbers', async () => {
  await member(world(), shop.tenant, 'admin')
  const id = await requested()
  const approval = await findApproval(world().database.sql, owner, id)
  expect(approval?.request).toMatchObject({
    accountEnding: '0040',
    holderName: 'SIMULATED HOLDER 0040',
    beforeAccountEnding: '0031',
  })
  expect(JSON.stringify(approval?.request)).not.toMatch(/06900000/)
  const [row] = await world().database.sql<{ accountSealed: Buffer }[]>`
    select account_sealed
    from merchant.settlement_account_requests
    where business_id = ${owner.businessId}
      and id = ${id}`
  expect(row?.accountSealed.toString('latin1')).not.toContain('0690000040')
})

it('stays as it is when the change is rejected', async () => {
  const approver = await member(world(), shop.tenant, 'approver')
  const id = await requested()
  await runOperation(rejectApproval, world().context, approver, { id, reason: 'Not ours' })
  await expect(approve(id, approver)).rejects.toThrow('already rejected')
  expect(await endings()).toEqual([[null, '0031']])
})

it('of two requests, the one that was approved first makes the other void', async () => {
  const approver = await member(world(), shop.tenant, 'approver')
  const [first, second] = [await requested(), await requested({ accountNumber: '0690000041' })]
  await approve(first, approver)
  await expect(approve(second, approver)).rejects.toThrow('has changed since this request')
  expect(await endings()).toEqual([[null, '0040']])
})

it('is not changed by the request of a person who may no longer ask', async () => {
  const approver = await member(world(), shop.tenant, 'approver')
  const id = await requested()
  await world().database.transaction((tx) =>
    updateMembershipRole(tx, owner.businessId, owner.personId, 'member'),
  )
  await expect(approve(id, approver)).rejects.toThrow('may no longer do so')
  expect(await endings()).toEqual([[null, '0031']])
})

it('can be another one for a currency', async () => {
  await set({ currency: 'USD' })
  expect(await endings()).toEqual([
    [null, '0031'],
    ['USD', '0040'],
  ])
  await credit(world(), shop.tenant, 'USD', 100_000n)
  // Without a threshold, payouts in USD wait for a second person.
  expect(await payTo('0690000031', { currency: 'USD' })).toBe(403)
  expect(await payTo('0690000040', { currency: 'USD' })).toBe(202)
  expect(await payTo('0690000031')).toBe(200)
})

it('takes the name of the holder from the bank, or asks for it', async () => {
  const { beneficiaryName } = await set({ beneficiaryName: '' })
  expect(beneficiaryName).toBe('SIMULATED HOLDER 0040')
  const unknown = { bankCode: '999', beneficiaryName: '' }
  await expect(set(unknown)).rejects.toMatchObject({ kind: 'invalid_request' })
  const named = await set({ ...unknown, beneficiaryName: 'Corner shop' })
  expect(named).toMatchObject({ beneficiaryName: 'Corner shop', holderName: null })
})

it('is not saved twice, and not in the sandbox', async () => {
  await set()
  await expect(set()).rejects.toMatchObject({ kind: 'invalid_request' })
  const inSandbox = { ...owner, environment: 'test' } as const
  await expect(set({ accountNumber: '0690000041' }, inSandbox)).rejects.toThrow('sandbox')
})

describe('removing one', () => {
  it('takes effect at once where no one else could approve, and the owners are mailed', async () => {
    await set({ currency: 'USD' })
    expect(await remove('0040', 'USD')).toMatchObject({ approvalId: null })
    expect(await endings()).toEqual([[null, '0031']])
    await remove('0031')
    expect(await endings()).toEqual([])
    expect(await payTo('0690000031')).toBe(400)
    const subject = 'A bank account for payouts was removed'
    const removals = (await mailed()).filter((mail) => mail.endsWith(subject))
    expect(removals).toEqual(Array(2).fill(`${owner.personId}@example.com ${subject}`))
    await expectInvariants(world().database)
  })

  it('waits for a second person, who sees the account', async () => {
    const approver = await member(world(), shop.tenant, 'approver')
    const { approvalId } = await remove('0031')
    const id = approvalId ?? ''
    expect(await mailed()).toContain(
      `${approver.personId}@example.com Please decide: removal of a bank account for payouts`,
    )
    const approval = await findApproval(world().database.sql, owner, id)
    expect(approval?.request).toMatchObject({ beforeAccountEnding: '0031' })
    await expect(approve(id, owner)).rejects.toMatchObject({ kind: 'permission_denied' })
    expect(await payTo('0690000031')).toBe(200)
    await approve(id, approver)
    expect(await endings()).toEqual([])
  })

  it('never removes another account than the one that was seen', async () => {
    await expect(remove('0040')).rejects.toThrow('The bank account has changed.')
    await expect(remove('0031', 'USD')).rejects.toMatchObject({ kind: 'not_found' })
    const approver = await member(world(), shop.tenant, 'approver')
    const { approvalId } = await remove('0031')
    await approve(await requested(), approver)
    await expect(approve(approvalId ?? '', approver)).rejects.toThrow('It was not removed.')
    expect(await endings()).toEqual([[null, '0040']])
  })
})
