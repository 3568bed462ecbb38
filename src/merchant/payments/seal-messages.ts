// What the provider sends names payers, accounts and cards, so it is stored sealed, bound to its
// row. What it refers to stays readable, for a person who looks for the messages of a payment.
import type { Secrets } from '../../kernel/auth/secrets.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import type { MerchantContext } from '../context.ts'
import { eventIn, referencesIn } from '../provider/provider-message.ts'
import {
  listUnsealedMessages,
  type ProviderMessage,
  updateMessageSealed,
} from './provider-message-store.ts'

const batchSize = 500

// References are short; a longer text is not one, and might be anything.
const referenceLengthMax = 100

export const sealedMessageRow = (id: string) => `merchant.provider_messages/${id}`

export function sealMessage(
  secrets: Secrets,
  id: string,
  body: string,
): Pick<ProviderMessage, 'event' | 'reference' | 'transactionId' | 'bodySealed'> {
  const { reference, transactionId } = referencesIn(body)
  return {
    event: referenceOf(eventIn(body)),
    reference: referenceOf(reference),
    transactionId: referenceOf(transactionId),
    bodySealed: secrets.seal(body, sealedMessageRow(id)),
  }
}

// Letters, digits and the marks between them. An e-mail address is no reference.
function referenceOf(text: string | undefined): string | null {
  const isOne = text !== undefined && text.length <= referenceLengthMax && /^[\w.:-]+$/.test(text)
  return isOne ? text : null
}

// Those that an earlier version stored in the clear.
export const sealProviderMessagesSchedule = defineSchedule({
  name: 'seal-provider-messages',
  everySeconds: 60,
  async run({ database, secrets }: MerchantContext, signal) {
    for (;;) {
      const unsealed = await listUnsealedMessages(database.sql, batchSize)
      for (const { id, body } of unsealed) {
        if (signal.aborted) return
        await updateMessageSealed(database.sql, id, sealMessage(secrets, id, body))
      }
      if (unsealed.length < batchSize) return
    }
  },
})
