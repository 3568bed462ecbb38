import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import { Fault, invalidField } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { ok } from '../../kernel/http/route.ts'
import { compare, Decimal, toText } from '../../kernel/money/decimal.ts'
import type { CallContext } from '../../kernel/operations/operation.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { decimalBetween, idempotencyKeyText, line } from '../../kernel/operations/schemas.ts'
import { findAccount } from '../business/business-store.ts'
import { requireVerified } from '../business/require-verified.ts'
import { defineOperation, defineRoute, type MerchantContext } from '../context.ts'
import {
  claimSeconds,
  openAccountNumber,
  percentOf,
  presentRecipient,
  type Recipient,
  recipientSchema,
  sealAccountNumber,
} from './recipient.ts'
import { findRecipient, findRecipientByReference, insertRecipient } from './recipient-store.ts'
import { type Registration, registerAgain, registerNew } from './register-recipient.ts'

// Which banks and accounts there are, only the provider knows: it decides.
const bankTextMax = 64

const recipientInput = z.strictObject({
  externalReference: idempotencyKeyText(200).meta({
    description: 'Your name for the recipient. A repeat returns the recipient that has it.',
  }),
  name: line(200),
  accountBank: line(bankTextMax).meta({
    description: 'Bank code of the payment provider.',
    example: '044',
  }),
  accountNumber: line(bankTextMax),
  splitValue: decimalBetween(new Decimal(1n, 0), new Decimal(100n, 0)).meta({
    description: 'The recipient’s percentage of each charge; at most what the fee leaves.',
    example: 10,
  }),
  recipientMobile: line(30)
    .optional()
    .meta({ description: 'Without it, the contact phone of the business.' }),
})
type RecipientInput = z.output<typeof recipientInput>

export const createRecipient = defineOperation({
  name: 'create-recipient',
  summary: 'Create a split recipient',
  kind: 'write',
  input: recipientInput,
  scopes: ['recipients:write'],
  roles: adminRoles,
  async run(context, actor, input): Promise<Recipient> {
    // Before the checks of a new recipient, because a repeat always gets its answer.
    const earlier = await findRecipientByReference(
      context.database.sql,
      actor,
      input.externalReference,
    )
    const registration = earlier
      ? await repeat(context, actor, earlier, input)
      : await create(context, actor, input)
    if (registration.kind === 'registered') return registration.recipient
    if (registration.kind !== 'refused') throw unknownFault()
    throw await refusalOf(context, actor, input)
  },
})

export const createSplitRecipientRoute = defineRoute({
  operation: createRecipient,
  method: 'POST',
  path: '/split-recipients',
  operationId: 'createSplitRecipient',
  tag: 'Split recipients',
  description:
    'Registers a sub-account with the payment provider. A repeat of `externalReference` returns ' +
    'the recipient of the first call. If the provider refuses, nothing is stored and the ' +
    'reference is free again: 400 names the bank or account that it does not know. When it does ' +
    'not answer, registration goes on by itself and a repeat tells the outcome.',
  body: recipientInput,
  responses: {
    200: {
      description: 'The recipient: new, or that of an earlier call.',
      schema: recipientSchema,
    },
  },
  faults: ['provider_failed'],
  input: ({ body }) => body,
  answer: (recipient, { secrets }) => ok(presentRecipient(recipient, secrets)),
})

async function create(
  context: MerchantContext & CallContext,
  actor: Actor,
  input: RecipientInput,
): Promise<Registration> {
  const { sql } = context.database
  await requireVerified(sql, actor)
  // Before anything is recorded: without a provider, no one can be registered.
  await context.providerFor(actor)
  const account = await findAccount(sql, actor.businessId)
  const mobile = input.recipientMobile ?? account?.contactPhone
  if (!mobile) {
    const message = 'Required, because the business has no contact phone.'
    throw invalidField('recipientMobile', message)
  }
  const recipient = newRecipient(context, input, mobile)
  const isNew = await context.database.transaction((tx) => reserve(tx, context, actor, recipient))
  context.failpoint('recipient.reserved')
  if (isNew) return registerNew(context, actor, recipient)
  // Another call with the same reference was faster. If that was refused meanwhile, so is this one.
  const earlier = await findRecipientByReference(sql, actor, input.externalReference)
  return earlier ? repeat(context, actor, earlier, input) : { kind: 'refused' }
}

async function reserve(
  tx: Tx,
  context: MerchantContext,
  actor: Actor,
  recipient: Recipient,
): Promise<boolean> {
  if (!(await insertRecipient(tx, actor, recipient))) return false
  const { id, externalReference, bankCode, splitPercent } = recipient
  await recordAct(tx, context, actor, {
    action: 'split_recipient.create',
    objectKind: 'split_recipient',
    objectId: id,
    detail: { externalReference, bankCode, splitPercent },
  })
  return true
}

function newRecipient(
  { ids, clock, secrets }: MerchantContext,
  input: RecipientInput,
  mobile: string,
): Recipient {
  const id = ids.uuid()
  const now = clock.now()
  return {
    id,
    externalReference: input.externalReference,
    name: input.name,
    bankCode: input.accountBank,
    accountNumberSealed: sealAccountNumber(id, input.accountNumber, secrets),
    accountName: null,
    splitPercent: toText(input.splitValue),
    mobile,
    subaccountId: null,
    provider: null,
    verified: false,
    disabled: false,
    // Counted as sent before it is sent: after a crash it may have been.
    sends: 1,
    sentAt: now,
    claimedUntil: addSeconds(now, claimSeconds),
    nextLookAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

// A concurrent repeat waits for the outcome of the first call, longer than the provider can take.
// It polls the database, since the first call may run in another process.
const waitMs = 100
const waitsMax = 300

async function repeat(
  context: MerchantContext & CallContext,
  actor: Actor,
  earlier: Recipient,
  input: RecipientInput,
): Promise<Registration> {
  context.call.nothingChanged()
  if (isDifferent(earlier, input, context)) context.onDifferingRepeat?.('split_recipients')
  if (earlier.subaccountId !== null) return { kind: 'registered', recipient: earlier }
  const registration = await registerAgain(context, actor, earlier.id)
  if (registration.kind !== 'busy') return registration
  for (let waits = 0; waits < waitsMax; waits += 1) {
    await wait(waitMs)
    const now = await findRecipient(context.database.sql, actor, earlier.id)
    if (!now) return { kind: 'refused' }
    if (now.subaccountId !== null) return { kind: 'registered', recipient: now }
    if (now.claimedUntil === null) return { kind: 'unknown' }
  }
  return { kind: 'unknown' }
}

function isDifferent(
  earlier: Recipient,
  input: RecipientInput,
  { secrets }: MerchantContext,
): boolean {
  return (
    earlier.name !== input.name ||
    earlier.bankCode !== input.accountBank ||
    compare(percentOf(earlier), input.splitValue) !== 0 ||
    openAccountNumber(earlier, secrets) !== input.accountNumber
  )
}

// The caller can only correct their input; everything else is a failure of the provider. The
// messages are fixed, because the provider's own may contain private data.
async function refusalOf(
  context: MerchantContext,
  actor: Actor,
  { accountBank: bankCode, accountNumber }: RecipientInput,
): Promise<Fault> {
  const account = await findAccount(context.database.sql, actor.businessId)
  const { country } = assertDefined(account, 'a recipient of no business')
  const provider = await context.providerFor(actor)
  const check = await provider.checkBankAccount({ bankCode, accountNumber }, country)
  if (check.kind === 'success' && check.value === 'unknown_bank') {
    return invalidField('accountBank', 'The payment provider does not know this bank.')
  }
  if (check.kind === 'success' && check.value === 'unknown_account') {
    return invalidField('accountNumber', 'The payment provider does not know this account.')
  }
  const message =
    'The payment provider refused the recipient. No recipient was created; the reference can be ' +
    'used again.'
  return new Fault('provider_failed', message)
}

function unknownFault(): Fault {
  const message =
    'The payment provider did not confirm the recipient. Registration continues automatically; repeat ' +
    'the call to see the outcome.'
  return new Fault('provider_failed', message)
}
