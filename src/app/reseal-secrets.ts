// Encrypts every stored secret with the first key of the ring, so that older keys can be removed.
// It can run beside the service, once every process has the new ring: each row is changed only if
// it is still as it was read, and the next run finds rows that were missed.
import { attachmentRow } from '../books/attachments/attachment.ts'
import { importFileRow } from '../books/imports/import-file.ts'
import {
  listOutdatedSealed,
  type SealedColumn,
  updateSealed,
} from '../kernel/auth/sealed-column-store.ts'
import { backupCodesRow, seedRow } from '../kernel/auth/second-factor.ts'
import { canaryRow, peopleSecretRow, type Secrets } from '../kernel/auth/secrets.ts'
import { assertDefined } from '../kernel/basics/assert.ts'
import type { Database } from '../kernel/db/database.ts'
import { endpointSecretRow } from '../kernel/webhooks/endpoint.ts'
import { sealedRequestRow, sealedSettlementRow } from '../merchant/business/settlement-account.ts'
import { sealedMessageRow } from '../merchant/payments/seal-messages.ts'
import { sealedPayoutRow } from '../merchant/payouts/payout-destination.ts'
import { sealedRecipientRow } from '../merchant/recipients/recipient.ts'
import { sealedCardRow } from '../merchant/subscriptions/subscription.ts'
import { documentRow } from '../merchant/verification/document.ts'
import { ownerRow } from '../merchant/verification/owner.ts'
import { tokenRow } from '../merchant/verification/session.ts'

type Resealable = SealedColumn & {
  // What the secrets of a row are bound to, by the last of its keys.
  boundTo(id: string): string
  // For columns in which a single value can have megabytes.
  readonly batchMax?: number
}

const ofObject = ['businessId', 'environment', 'id']

const resealables: readonly Resealable[] = [
  {
    table: 'kernel.secrets_canary',
    column: 'sealed',
    keys: ['id'],
    boundTo: () => canaryRow,
  },
  {
    table: 'kernel.people_secrets',
    column: 'sealed',
    keys: ['id'],
    boundTo: () => peopleSecretRow,
  },
  {
    table: 'kernel.two_factors',
    column: 'secret_sealed',
    keys: ['personId'],
    boundTo: seedRow,
  },
  {
    table: 'kernel.two_factors',
    column: 'backup_codes_sealed',
    keys: ['personId'],
    boundTo: backupCodesRow,
  },
  {
    table: 'kernel.webhook_endpoints',
    column: 'secret_sealed',
    keys: ofObject,
    boundTo: endpointSecretRow,
  },
  {
    table: 'kernel.webhook_endpoints',
    column: 'old_secret_sealed',
    keys: ofObject,
    boundTo: endpointSecretRow,
  },
  {
    table: 'merchant.settlement_accounts',
    column: 'account_number_sealed',
    keys: ofObject,
    boundTo: sealedSettlementRow,
  },
  {
    table: 'merchant.settlement_account_requests',
    column: 'account_sealed',
    keys: ofObject,
    boundTo: sealedRequestRow,
  },
  {
    table: 'merchant.split_recipients',
    column: 'account_number_sealed',
    keys: ofObject,
    boundTo: sealedRecipientRow,
  },
  {
    table: 'merchant.payouts',
    column: 'account_sealed',
    keys: ofObject,
    boundTo: sealedPayoutRow,
  },
  {
    table: 'merchant.subscriptions',
    column: 'card_sealed',
    keys: ofObject,
    boundTo: sealedCardRow,
  },
  {
    table: 'merchant.provider_messages',
    column: 'body_sealed',
    keys: ['id'],
    boundTo: sealedMessageRow,
  },
  {
    table: 'merchant.verification_sessions',
    column: 'token_sealed',
    keys: ofObject,
    boundTo: tokenRow,
  },
  {
    table: 'merchant.beneficial_owners',
    column: 'born_on_sealed',
    keys: ['businessId', 'id'],
    boundTo: ownerRow,
  },
  {
    table: 'merchant.verification_document_contents',
    column: 'content_sealed',
    keys: ['businessId', 'documentId'],
    boundTo: documentRow,
    batchMax: 1,
  },
  {
    table: 'books.attachment_contents',
    column: 'content_sealed',
    keys: ofObject,
    boundTo: attachmentRow,
    batchMax: 1,
  },
  {
    table: 'books.imports',
    column: 'content_sealed',
    keys: ofObject,
    boundTo: importFileRow,
    batchMax: 1,
  },
]

// Bounds the memory used.
const batchMaxDefault = 500

export type Resealed = { readonly column: string; readonly count: number }

// Returns how many secrets of each column were encrypted again.
export async function resealSecrets(
  { sql }: Pick<Database, 'sql'>,
  secrets: Secrets,
): Promise<Resealed[]> {
  const resealed: Resealed[] = []
  for (const resealable of resealables) {
    const { table, column, keys, boundTo, batchMax = batchMaxDefault } = resealable
    let count = 0
    let rows: Awaited<ReturnType<typeof listOutdatedSealed>>
    do {
      rows = await listOutdatedSealed(sql, resealable, secrets.version, batchMax)
      for (const row of rows) {
        const bound = boundTo(assertDefined(row.key[keys.at(-1) ?? ''], `a row of ${table}`))
        const again = secrets.seal(secrets.open(row.sealed, bound), bound)
        await updateSealed(sql, resealable, row, again)
      }
      count += rows.length
    } while (rows.length === batchMax)
    resealed.push({ column: `${table}.${column}`, count })
  }
  return resealed
}
