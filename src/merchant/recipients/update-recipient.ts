import { z } from 'zod'
import type { KeyActor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { ok } from '../../kernel/http/route.ts'
import { requireScope } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineHandledRoute, type MerchantContext } from '../context.ts'
import { presentRecipient, type Recipient, recipientSchema } from './recipient.ts'
import { lockRecipient, updateRecipient } from './recipient-store.ts'

const verifyScope = 'recipients:verify'
const disableScope = 'recipients:disable'

const flagsInput = z.strictObject({
  verified: z.boolean().optional(),
  disabled: z.boolean().optional(),
})
type Flags = z.output<typeof flagsInput>

export const updateSplitRecipient = defineHandledRoute({
  method: 'PATCH',
  path: '/split-recipients/:id',
  operationId: 'updateSplitRecipient',
  tag: 'Split recipients',
  summary: 'Verify or disable a split recipient',
  description:
    'Each field needs its own scope; what is not sent stays as it is. Charges of links and codes ' +
    'that name a disabled recipient settle to the merchant.',
  scopes: [verifyScope, disableScope],
  bodyScopes: [
    { scope: verifyScope, when: '`verified` is sent' },
    { scope: disableScope, when: '`disabled` is sent' },
  ],
  params: z.object({ id: uuid() }),
  body: flagsInput,
  responses: { 200: { description: 'The recipient as it is now.', schema: recipientSchema } },
  faults: ['not_found'],
  async handle(context, { actor, params, body }) {
    const { verified, disabled } = body
    if (verified !== undefined) requireScope(actor, [verifyScope])
    if (disabled !== undefined) requireScope(actor, [disableScope])
    const changed = await context.database.transaction((tx) =>
      change(tx, context, actor, params.id, body),
    )
    return ok(presentRecipient(changed, context.secrets))
  },
})

// Only what really changes is written, and told in the audit log.
async function change(
  tx: Tx,
  context: MerchantContext,
  actor: KeyActor,
  id: string,
  wanted: Flags,
): Promise<Recipient> {
  const before = await lockRecipient(tx, actor, id)
  if (!before) throw notFound('split recipient')
  const { verified = before.verified, disabled = before.disabled } = wanted
  const acts = [
    ...(verified === before.verified ? [] : [verified ? 'verify' : 'unverify']),
    ...(disabled === before.disabled ? [] : [disabled ? 'disable' : 'enable']),
  ]
  if (acts.length === 0) return before
  const changes = { verified, disabled, updatedAt: context.clock.now() }
  await updateRecipient(tx, actor, id, changes)
  for (const act of acts) {
    const action = `split_recipient.${act}`
    await recordAct(tx, context, actor, { action, objectKind: 'split_recipient', objectId: id })
  }
  return { ...before, ...changes }
}
