import type { Environment } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'

export type ProviderMessage = {
  readonly id: string
  readonly environment: Environment
  readonly body: string
  readonly receivedAt: Date
}

export async function insertProviderMessage(tx: Tx, message: ProviderMessage): Promise<void> {
  await tx`insert into merchant.provider_messages ${tx(message)}`
}
