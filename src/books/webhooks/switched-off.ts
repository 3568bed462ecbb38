// Tells people when an endpoint is switched off after too many failures in a row, in the
// transaction that switches it off.
import { recordAct } from '../../kernel/auth/audit-log.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { notify } from '../../kernel/notices/notify.ts'

export async function notifySwitchedOff(
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
  await notify(tx, context, tenant, {
    kind: 'webhooks',
    fact: `webhook.switch_off/${id}/${context.ids.uuid()}`,
    subject: `Webhooks to ${host} are switched off`,
    lines: [
      `Twenty webhooks in a row to ${host} have failed, so the endpoint of the books was switched`,
      'off. Pending deliveries are on hold. When the receiver works again, switch the endpoint on.',
      'The deliveries on hold are then sent. Events from the meantime can be replayed.',
    ],
    path: `/developers/webhooks/books/${id}`,
  })
}
