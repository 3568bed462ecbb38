// Mails the owners when an endpoint is switched off after too many failures in a row, in the
// transaction that switches it off.
import { mailOwners } from '../../kernel/access/mail-owners.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'

export async function notifyOwners(
  tx: Tx,
  context: Context,
  { businessId, environment }: Tenant,
  { id, url }: { readonly id: string; readonly url: string },
): Promise<void> {
  const tenant = { businessId, environment }
  // The URL may contain a secret token, so the mail names only its host.
  const { host } = new URL(url)
  await recordAct(
    tx,
    context,
    { kind: 'system', name: 'webhooks', ...tenant },
    { action: 'webhook.switch_off', objectKind: 'webhook', objectId: id, detail: { host } },
  )
  await mailOwners(tx, context, tenant, {
    subject: `Webhooks to ${host} are switched off`,
    lines: (name) => letter({ name, host, id, tenant }),
  })
}

function letter(facts: { name: string; host: string; id: string; tenant: Tenant }): string[] {
  const { name, host, id, tenant } = facts
  const isTest = tenant.environment === 'test'
  const sandbox = isTest ? ' --test' : ''
  return [
    `Twenty webhooks in a row to ${host} for the books of ${name}`,
    `${isTest ? '(sandbox) ' : ''}have failed, so the endpoint was switched off.`,
    '',
    'Pending deliveries are on hold. When the receiver works again, switch the endpoint on in the',
    'application (Developers, Webhooks), or ask your Tillbook operator:',
    '',
    `  cli webhooks on --business ${tenant.businessId} --endpoint ${id}${sandbox}`,
    '',
    'The deliveries on hold are then sent. Events from the meantime can be replayed.',
  ]
}
