// Brings every secret at rest under the first key of the ring, so that the older keys can be
// dropped. It may run beside the service, once every process has the new ring: each row is changed
// only if it still is as it was read, and what stays behind is found by the next look.
import { backupCodesRow, seedRow } from './kernel/auth/second-factor.ts'
import { canaryRow, peopleSecretRow, type Secrets } from './kernel/auth/secrets.ts'
import {
  listOutdatedBackupCodes,
  listOutdatedCanaries,
  listOutdatedPeopleSecrets,
  listOutdatedSeeds,
  updateBackupCodes,
  updateCanary,
  updatePeopleSecret,
  updateSeed,
} from './kernel/auth/secrets-store.ts'
import type { Database, Sql } from './kernel/db/database.ts'
import { endpointSecretRow } from './kernel/webhooks/endpoint.ts'
import {
  listOutdatedEndpointSecrets,
  updateEndpointSecret,
} from './kernel/webhooks/endpoint-store.ts'
import {
  listOutdatedPayoutAccounts,
  listOutdatedRecipientAccounts,
  listOutdatedSettlementAccounts,
  updatePayoutAccount,
  updateRecipientAccount,
  updateSettlementAccount,
} from './merchant/business/sealed-account-store.ts'
import { sealedPayoutRow } from './merchant/payouts/payout-destination.ts'
import { listOutdatedCards, updateCard } from './merchant/subscriptions/sealed-card-store.ts'
import { sealedCardRow } from './merchant/subscriptions/subscription.ts'
import { documentRow } from './merchant/verification/document.ts'
import { ownerRow } from './merchant/verification/owner.ts'
import {
  listOutdatedBirthdays,
  listOutdatedContents,
  listOutdatedTokens,
  updateBirthday,
  updateContent,
  updateToken,
} from './merchant/verification/sealed-verification-store.ts'
import { tokenRow } from './merchant/verification/session.ts'

// A sealed column: how to find what is sealed under another version, which row it is bound to, and
// how to replace it.
type SealedColumn<Row extends { sealed: Buffer }> = {
  readonly name: string
  list(sql: Sql, version: number, limit: number): Promise<Row[]>
  boundTo(row: Row): string
  update(sql: Sql, row: Row, sealed: Buffer): Promise<void>
  // How many rows `list` gives at most, where that is fewer than it is asked for.
  readonly batchMax?: number
}

// Bounds what is held in memory.
const batchMax = 500

// Answers how many secrets of each column were sealed anew.
export async function resealSecrets(
  { sql }: Pick<Database, 'sql'>,
  secrets: Secrets,
): Promise<{ column: string; count: number }[]> {
  const reseal = resealWith(sql, secrets)
  return [
    await reseal({
      name: 'kernel.secrets_canary',
      list: listOutdatedCanaries,
      boundTo: () => canaryRow,
      update: updateCanary,
    }),
    await reseal({
      name: 'kernel.people_secrets',
      list: listOutdatedPeopleSecrets,
      boundTo: () => peopleSecretRow,
      update: updatePeopleSecret,
    }),
    await reseal({
      name: 'kernel.two_factors.secret',
      list: listOutdatedSeeds,
      boundTo: ({ personId }) => seedRow(personId),
      update: updateSeed,
    }),
    await reseal({
      name: 'kernel.two_factors.backup_codes',
      list: listOutdatedBackupCodes,
      boundTo: ({ personId }) => backupCodesRow(personId),
      update: updateBackupCodes,
    }),
    await reseal({
      name: 'kernel.webhook_endpoints',
      list: listOutdatedEndpointSecrets,
      boundTo: ({ id }) => endpointSecretRow(id),
      update: updateEndpointSecret,
    }),
    await reseal({
      name: 'merchant.settlement_accounts',
      list: listOutdatedSettlementAccounts,
      boundTo: ({ businessId }) => `merchant.settlement_accounts/${businessId}`,
      update: updateSettlementAccount,
    }),
    await reseal({
      name: 'merchant.split_recipients',
      list: listOutdatedRecipientAccounts,
      boundTo: ({ id }) => `merchant.split_recipients/${id}`,
      update: updateRecipientAccount,
    }),
    await reseal({
      name: 'merchant.payouts',
      list: listOutdatedPayoutAccounts,
      boundTo: ({ id }) => sealedPayoutRow(id),
      update: updatePayoutAccount,
    }),
    await reseal({
      name: 'merchant.subscriptions',
      list: listOutdatedCards,
      boundTo: ({ id }) => sealedCardRow(id),
      update: updateCard,
    }),
    ...(await resealVerifications(reseal)),
  ]
}

function resealWith(sql: Sql, secrets: Secrets) {
  return async <Row extends { sealed: Buffer }>(column: SealedColumn<Row>) => {
    let count = 0
    for (;;) {
      const rows = await column.list(sql, secrets.version, batchMax)
      for (const row of rows) {
        const boundTo = column.boundTo(row)
        await column.update(sql, row, secrets.seal(secrets.open(row.sealed, boundTo), boundTo))
      }
      count += rows.length
      if (rows.length < (column.batchMax ?? batchMax)) return { column: column.name, count }
    }
  }
}

async function resealVerifications(reseal: ReturnType<typeof resealWith>) {
  return [
    await reseal({
      name: 'merchant.verification_sessions',
      list: listOutdatedTokens,
      boundTo: ({ id }) => tokenRow(id),
      update: updateToken,
    }),
    await reseal({
      name: 'merchant.beneficial_owners',
      list: listOutdatedBirthdays,
      boundTo: ({ id }) => ownerRow(id),
      update: updateBirthday,
    }),
    await reseal({
      name: 'merchant.verification_document_contents',
      list: listOutdatedContents,
      boundTo: ({ id }) => documentRow(id),
      update: updateContent,
      batchMax: 1,
    }),
  ]
}
