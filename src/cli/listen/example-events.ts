// Made-up events for types that `cli trigger` can't cause in the sandbox. Their objects don't
// exist, and `example: true` in the data says so.
import type { Ids } from '../../kernel/basics/id.ts'
import type { NewEvent } from '../../kernel/webhooks/event.ts'

export type Example = Pick<NewEvent, 'objectId' | 'data'> & { readonly service: string }

const payout = { amount: 450_000, currency: 'NGN' }

const examples: Readonly<Record<string, { service: string; fields: NewEvent['data'] }>> = {
  'payout.completed': { service: 'merchant', fields: { ...payout, status: 'completed' } },
  'payout.failed': {
    service: 'merchant',
    fields: { ...payout, status: 'failed', failure_reason: 'Account resolve failed' },
  },
  'test.ping': { service: 'books', fields: {} },
}

export function exampleOf(type: string, ids: Ids): Example | undefined {
  const example = examples[type]
  if (!example) return undefined
  const id = ids.uuid()
  const { service, fields } = example
  return { service, objectId: id, data: { id, ...fields, example: true } }
}
