// After someone else reset a person's second factor, that person can't approve for a day.
import { expect, it } from 'vitest'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { submitDocument } from '../../../src/books/documents/submit-document.ts'
import { insertPerson, updateSecondFactorUse } from '../../../src/kernel/auth/person-store.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { manualClock } from '../../support/clock.ts'
import { newBooks } from '../../support/documents.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })

it('keeps a person from approving documents', async () => {
  const books = await newBooks(world())
  await books.set({ approvalsOn: true })
  const approver = books.person('approver')
  const { id } = await books.draft('bill')
  await runOperation(submitDocument, world().context, books.owner, { id })
  const { personId } = approver
  const now = clock.now()
  await world().database.transaction(async (tx) => {
    const person = { email: `${personId}@example.com`, name: 'Ada Example', createdAt: now }
    await insertPerson(tx, { id: personId, ...person, twoFactorEnabled: true })
    await updateSecondFactorUse(tx, personId, { isEnabled: true, resetAt: now, updatedAt: now })
  })
  const approve = () => runOperation(approveDocument, world().context, approver, { id })
  clock.advance(24 * 60 * 60 * 1000 - 1)
  await expect(approve()).rejects.toThrow('You can approve again from')
  clock.advance(1)
  expect(await approve()).toMatchObject({ approvedBy: personId })
})
