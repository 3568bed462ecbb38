import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { brokenRule, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { ok } from '../../kernel/http/route.ts'
import type { CallContext } from '../../kernel/operations/operation.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation, defineRoute, type MerchantContext } from '../context.ts'
import {
  isRegisteredElsewhere,
  presentRecipient,
  type Recipient,
  recipientSchema,
  registeredElsewhereMessage,
} from './recipient.ts'
import { lockRecipient, updateRecipient as updateStoredRecipient } from './recipient-store.ts'

const verifyScope = 'recipients:verify'
const disableScope = 'recipients:disable'

const flags = {
  verified: z.boolean().optional().meta({ example: true }),
  disabled: z.boolean().optional().meta({ example: false }),
}
const recipientInput = z.strictObject({ id: uuid(), ...flags })

export const updateRecipient = defineOperation({
  name: 'update-recipient',
  summary: 'Verify or disable a split recipient',
  kind: 'write',
  input: recipientInput,
  scopes: [verifyScope, disableScope],
  inputScopes: ({ verified, disabled }) => [
    ...(verified === undefined ? [] : [verifyScope]),
    ...(disabled === undefined ? [] : [disableScope]),
  ],
  roles: adminRoles,
  run: (context, actor, input): Promise<Recipient> =>
    context.database.transaction((tx) => change(tx, context, actor, input)),
})

export const updateSplitRecipientRoute = defineRoute({
  operation: updateRecipient,
  method: 'PATCH',
  path: '/split-recipients/:id',
  operationId: 'updateSplitRecipient',
  tag: 'Split recipients',
  description:
    'Each field needs its own scope. Fields that are not sent keep their value. Charges of links and codes ' +
    'that name a disabled recipient settle to the merchant.',
  bodyScopes: [
    { scope: verifyScope, when: '`verified` is sent' },
    { scope: disableScope, when: '`disabled` is sent' },
  ],
  params: z.object({ id: uuid() }),
  body: z.strictObject(flags),
  responses: { 200: { description: 'The updated recipient.', schema: recipientSchema } },
  faults: ['not_found'],
  input: ({ params, body }) => ({ ...body, id: params.id }),
  answer: (recipient, { secrets }) => ok(presentRecipient(recipient, secrets)),
})

// Only real changes are written and recorded in the audit log.
async function change(
  tx: Tx,
  context: MerchantContext & CallContext,
  actor: Actor,
  { id, ...wanted }: z.output<typeof recipientInput>,
): Promise<Recipient> {
  const before = await lockRecipient(tx, actor, id)
  if (!before) throw notFound('split recipient')
  const { verified = before.verified, disabled = before.disabled } = wanted
  const isEnabled = before.disabled && !disabled
  if (isEnabled && isRegisteredElsewhere(before)) throw brokenRule(registeredElsewhereMessage)
  const acts = [
    ...(verified === before.verified ? [] : [verified ? 'verify' : 'unverify']),
    ...(disabled === before.disabled ? [] : [disabled ? 'disable' : 'enable']),
  ]
  if (acts.length === 0) {
    context.call.nothingChanged()
    return before
  }
  const changes = { verified, disabled, updatedAt: context.clock.now() }
  await updateStoredRecipient(tx, actor, id, changes)
  for (const act of acts) {
    const action = `split_recipient.${act}`
    await recordAct(tx, context, actor, { action, objectKind: 'split_recipient', objectId: id })
  }
  return { ...before, ...changes }
}
