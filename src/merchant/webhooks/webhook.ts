// A webhook endpoint in the merchant interface. It receives every event of its environment.
import { z } from 'zod'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { timestamp } from '../../kernel/operations/schemas.ts'
import type { Endpoint } from '../../kernel/webhooks/endpoint.ts'

export const webhookSchema = z.object({
  id: z.uuid(),
  url: z.string(),
  environment: z.enum(['live', 'test']),
  created_at: timestamp(),
})

export function presentWebhook({ id, url, createdAt }: Endpoint, { environment }: Tenant) {
  return { id, url, environment, created_at: createdAt.toISOString() }
}
