// Where taxes are booked must be an account that is in use, like that of every line.
import { beforeEach, expect, it } from 'vitest'
import { createAccount } from '../../../src/books/accounts/create-account.ts'
import { updateAccount } from '../../../src/books/accounts/update-account.ts'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { updateTaxCode } from '../../../src/books/taxes/update-tax-code.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { refusal } from '../../support/refusal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const context = () => world().context
let books: Books

beforeEach(async () => {
  books = await newBooks(world())
})

it.each([
  ['invoice', issueDocument],
  ['bill', approveDocument],
] as const)('no %s books its tax on an account that was retired', async (kind, enter) => {
  const { id: accountId } = await createAccount(context(), books.owner, {
    ...{ code: '2110', name: 'Old tax', type: 'liability', subtype: 'current_liability' },
  })
  const code = await books.taxCode('20', { accountId })
  const lines = [{ description: 'Work', unit_price: '100', tax_code_id: code.id }]
  const { id } = await books.draft(kind, { lines })
  await updateAccount(context(), books.owner, accountId, { active: false })
  expect(await refusal(enter(context(), books.owner, id))).toBe(
    '2110 Old tax: The account is not active.',
  )
  await updateTaxCode(context(), books.owner, code.id, { accountId: books.account('2100') })
  expect((await enter(context(), books.owner, id)).number).not.toBeNull()
})
