import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { accountEnding, type Recipient } from './recipient.ts'
import { findRecipient } from './recipient-store.ts'

export type ShownRecipient = Omit<Recipient, 'accountNumberSealed'> & {
  // The last digits; the number is never shown in full.
  readonly accountEnding: string
}

export const getRecipient = defineOperation({
  name: 'get-recipient',
  summary: 'Show a split recipient',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, secrets }, actor, { id }): Promise<ShownRecipient> {
    const recipient = await findRecipient(sql, actor, id)
    if (!recipient) throw notFound('split recipient')
    const { accountNumberSealed, ...shown } = recipient
    return { ...shown, accountEnding: accountEnding(recipient, secrets) }
  },
})
