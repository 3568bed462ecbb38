// The account of a tax must be active, like that of every line.

import { beforeEach, expect, it } from 'vitest'
import { createAccount } from '../../../src/books/accounts/create-account.ts'
import { updateAccount } from '../../../src/books/accounts/update-account.ts'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { updateTaxCode } from '../../../src/books/taxes/update-tax-code.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { refusal } from '../../support/refusal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const context = () => world().context
let books: Books

beforeEach(async () => {
  books = await newBooks(world())
})

it.each(['invoice', 'bill'] as const)(
  'no %s books its tax on an account that was retired',
  async (kind) => {
    const { id: accountId } = await runOperation(createAccount, context(), books.owner, {
      ...{ code: '2110', name: 'Old tax', type: 'liability', subtype: 'current_liability' },
    })
    const code = await books.taxCode('20', { accountId })
    const lines = [{ description: 'Work', unitPrice: '100', taxCodeId: code.id }]
    const { id } = await books.draft(kind, { lines })
    await runOperation(updateAccount, context(), books.owner, { id: accountId, active: false })
    const enter = () =>
      kind === 'invoice'
        ? runOperation(issueDocument, context(), books.owner, { id })
        : runOperation(approveDocument, context(), books.owner, { id })
    expect(await refusal(enter())).toBe('2110 Old tax: The account is not active.')
    await runOperation(updateTaxCode, context(), books.owner, {
      id: code.id,
      accountId: books.account('2100'),
    })
    expect((await enter()).number).not.toBeNull()
  },
)
