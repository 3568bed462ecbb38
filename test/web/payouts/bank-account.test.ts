// Another bank account for payouts, asked for by one person and approved by another.
import { expect, it } from 'vitest'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { createPayout } from '../../../src/merchant/payouts/create-payout.ts'
import { appVisitor } from '../../support/app-visitor.ts'
import { member, payer } from '../../support/payouts.ts'
import { handOut } from '../../support/run-log.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

it('is used for payouts once the second person has approved it', async () => {
  handOut('0690000040')
  const { tenant } = await payer(world())
  const asking = await appVisitor(world(), tenant.businessId, 'admin')
  const deciding = await appVisitor(world(), tenant.businessId, 'approver')
  const answer = await asking.submit('/payouts/bank-account', {
    bankCode: '044',
    accountNumber: '0690 0000 40',
  })
  const path = answer.headers.get('location')?.slice(`/b/${tenant.businessId}`.length) ?? ''
  const shown = (await deciding.get(path)).text
  expect(shown).toContain('account ····0031')
  expect(shown).toContain('account ····0040')
  expect(shown).not.toContain('0690000040')
  const stale = await asking.get('/payouts/new')
  expect(stale.text).toContain('account ····0031')
  expect((await deciding.submit(`${path}/approve`)).status).toBe(303)
  expect((await asking.get('/payouts')).text).toContain('account ····0040')
  const fresh = await asking.submit('/payouts/new', { currency: 'NGN', amountMinor: '100' })
  expect(fresh.status).toBe(303)
  const old = 'Corner shop, bank 044, account ····0031'
  const refused = await asking.submit('/payouts/new', {
    currency: 'NGN',
    amountMinor: '100',
    destinationType: old,
  })
  expect(refused.text).toContain('The bank account has changed.')
})

it('that a payout was asked for is compared when the payout is recorded', async () => {
  const { tenant } = await payer(world())
  const actor = await member(world(), tenant, 'member')
  const shownAccount = { bankCode: '044', accountEnding: '0031', beneficiaryName: 'Corner shop' }
  const ask = (shown: typeof shownAccount) =>
    runOperation(createPayout, world().context, actor, {
      ...{ amountMinor: 10_000n, currency: 'NGN', destinationType: 'provider_bank' },
      shownAccount: shown,
    })
  await expect(ask({ ...shownAccount, accountEnding: '0040' })).rejects.toThrow()
  expect((await ask(shownAccount)).payout.accountEnding).toBe('0031')
})

it('is removed once the second person has approved it', async () => {
  const { tenant } = await payer(world())
  const asking = await appVisitor(world(), tenant.businessId, 'admin')
  const deciding = await appVisitor(world(), tenant.businessId, 'approver')
  const remove = '/payouts/bank-account/remove/others'
  expect((await asking.get('/payouts')).text).toContain(remove)
  expect((await deciding.get('/payouts')).text).not.toContain(remove)
  const answer = await asking.submit(remove)
  const path = answer.headers.get('location')?.slice(`/b/${tenant.businessId}`.length) ?? ''
  const shown = (await deciding.get(path)).text
  expect(shown).toContain('account ····0031')
  expect(shown).toContain('None: this one is removed')
  expect((await asking.get('/payouts')).text).toContain('The removal of account ····0031')
  expect((await deciding.submit(`${path}/approve`)).status).toBe(303)
  expect((await asking.get('/payouts')).text).toContain('No bank account is saved.')
  expect((await asking.get(remove)).status).toBe(404)
})
