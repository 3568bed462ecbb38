// Drawings, dividends and reserves are separate equity, beside capital and earnings.
import { expect, it } from 'vitest'
import { createAccount } from '../../../src/books/accounts/create-account.ts'
import { reportBalanceSheet } from '../../../src/books/reports/get-balance-sheet.ts'
import { writeJson } from '../../../src/kernel/money/exact-number.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { newJournal } from '../../support/journal.ts'
import { refusal } from '../../support/refusal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

it('stand under other equity in the balance sheet', async () => {
  const books = await newJournal(world())
  await books.post('2026-01-31', [
    ['1000', 70_00n],
    ['3100', -100_00n],
    ['3300', 20_00n],
    ['3400', 10_00n],
  ])
  const sheet = await runOperation(reportBalanceSheet, world().context, books.owner, {
    asOf: '2026-01-31',
  })
  const { equity, check } = JSON.parse(writeJson(sheet)).data
  expect(check).toBe(0)
  expect(equity.groups[1]).toMatchObject({
    ...{ key: 'other_equity', total: 70 },
    accounts: [
      { code: '3100', subtype: 'reserves', amount: 100 },
      { code: '3300', subtype: 'dividends', amount: -20 },
      { code: '3400', subtype: 'drawings', amount: -10 },
    ],
  })
})

it.each(['drawings', 'dividends', 'reserves'] as const)(
  'are of the type equity: %s',
  async (subtype) => {
    const { owner } = await newJournal(world())
    const account = { code: '3410', name: 'Partner', subtype }
    const create = (type: 'equity' | 'asset') =>
      runOperation(createAccount, world().context, owner, { ...account, type })
    expect(await refusal(create('asset'))).toContain('must have the type equity')
    expect(await create('equity')).toMatchObject({ subtype })
  },
)
