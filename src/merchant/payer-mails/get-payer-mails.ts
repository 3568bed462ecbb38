import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { findPayerMails } from './payer-mail-store.ts'
import type { PayerMails } from './payer-mails.ts'

export const getPayerMails = defineOperation({
  name: 'get-payer-mails',
  summary: 'Show which mails payers get',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  async run({ database }, { businessId }): Promise<PayerMails> {
    return findPayerMails(database.sql, businessId)
  },
})
