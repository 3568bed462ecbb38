// Deciding what waits for a second person. The terminal proves nobody's identity, so whoever
// decides gives their password and the code of their second factor.
import type { PersonActor, Role } from '../../../kernel/auth/actor.ts'
import { listApiKeys } from '../../../kernel/auth/api-key-store.ts'
import { listMembers } from '../../../kernel/auth/membership-store.ts'
import { assertDefined } from '../../../kernel/basics/assert.ts'
import { permissionDenied } from '../../../kernel/basics/fault.ts'
import { isUuid } from '../../../kernel/basics/id.ts'
import type { Tenant } from '../../../kernel/basics/tenant.ts'
import { findCurrency } from '../../../kernel/money/currency.ts'
import { toText } from '../../../kernel/money/decimal.ts'
import { fromMinor } from '../../../kernel/money/minor-units.ts'
import type { Approval } from '../../../merchant/approvals/approval.ts'
import { findApproval, listApprovals } from '../../../merchant/approvals/approval-store.ts'
import { approve, reject } from '../../../merchant/approvals/approve-or-reject.ts'
import { withdrawApproval } from '../../../merchant/approvals/withdraw-approval.ts'
import {
  type BalanceAfter,
  getBalanceAfterRefund,
} from '../../../merchant/refunds/get-balance-after-refund.ts'
import { findMeantBusiness } from '../../core/choose-business.ts'
import {
  businessUsage,
  type Command,
  type CommandOptions,
  type CommandWorld,
  jsonUsage,
  print,
  printJson,
  requiredOption,
  UsageError,
} from '../../core/command.ts'

const decisionUsage = [
  businessUsage,
  '--approval ID          what to decide (see `cli approvals list`)',
  '--email ADDRESS        your own; the password and the code are asked for',
]
const listMax = 100

type Described = Pick<Approval, 'operation' | 'objectId' | 'request'>

export const showApprovals: Command = {
  name: 'approvals list',
  summary: 'List what waits for a second person',
  usage: [businessUsage, '--all                  decided ones too', jsonUsage],
  options: { business: { type: 'string' }, all: { type: 'boolean' }, json: { type: 'boolean' } },
  async run({ context }, options) {
    const { id: businessId } = await findMeantBusiness(context, options)
    const tenant = { businessId, environment: 'live' } as const
    const state = options.all ? undefined : 'pending'
    const approvals = await listApprovals(context.database.sql, tenant, state, listMax)
    const requesterOf = await readRequesters(context, businessId)
    const listed = []
    for (const { requestHash: _, ...approval } of approvals) {
      listed.push({
        ...approval,
        requester: requesterOf(approval),
        isDuplicate: isDuplicate(approval, approvals),
        overdraft: await findOverdraft(context, tenant, approval),
      })
    }
    if (options.json) {
      printJson(listed)
      return 0
    }
    for (const approval of listed) {
      const { id, createdAt, expiresAt, requester } = approval
      print(`${id}  ${approval.state.padEnd(8)}  ${describe(approval)}`)
      print(`  asked for by ${requester}`)
      print(`  on ${createdAt.toISOString()}, expires ${expiresAt.toISOString()}`)
      if (approval.isDuplicate) print('  CARE: the same waits more than once')
      if (approval.overdraft) print(`  ${overdraftText(approval.overdraft)}`)
    }
    if (approvals.length === 0) print('Nothing waits.')
    return 0
  },
}

export const approveApproval: Command = {
  name: 'approvals approve',
  summary: 'Approve what somebody else asked for; it is executed at once',
  usage: decisionUsage,
  options: {
    business: { type: 'string' },
    approval: { type: 'string' },
    email: { type: 'string' },
  },
  async run(world, options) {
    await warnOfOverdraft(world, options)
    const approver = await findApprover(world, options)
    const approval = await approve(world.context, approver, approvalOption(options))
    const isSent = approval.operation !== 'threshold'
    print(`Approved: ${describe(approval)}.${isSent ? ' It is sent within seconds.' : ''}`)
    return 0
  },
}

export const rejectApproval: Command = {
  name: 'approvals reject',
  summary: 'Refuse what somebody else asked for',
  usage: [...decisionUsage, '--reason TEXT          why, for the record'],
  options: {
    business: { type: 'string' },
    approval: { type: 'string' },
    email: { type: 'string' },
    reason: { type: 'string' },
  },
  async run(world, options) {
    const approver = await findApprover(world, options)
    const reason = typeof options.reason === 'string' ? options.reason : null
    await reject(world.context, approver, approvalOption(options), reason)
    print('Rejected. Nothing happens.')
    return 0
  },
}

export const withdrawOwnApproval: Command = {
  name: 'approvals withdraw',
  summary: 'Take back what you asked for, or a key that you made',
  usage: decisionUsage,
  options: {
    business: { type: 'string' },
    approval: { type: 'string' },
    email: { type: 'string' },
  },
  async run(world, options) {
    const person = await findApprover(world, options)
    const approval = await withdrawApproval(world.context, person, approvalOption(options))
    print(`Withdrawn: ${describe(approval)}. Nothing happens.`)
    return 0
  },
}

// Before the secrets are asked for, so that whoever reads it can still turn back.
async function warnOfOverdraft({ context }: CommandWorld, options: CommandOptions): Promise<void> {
  const { id: businessId } = await findMeantBusiness(context, options)
  const tenant = { businessId, environment: 'live' } as const
  const approval = await findApproval(context.database.sql, tenant, approvalOption(options))
  const overdraft = approval && (await findOverdraft(context, tenant, approval))
  if (overdraft) print(overdraftText(overdraft))
}

type Overdraft = BalanceAfter & { readonly currency: string }

// Null unless it takes what is available below zero.
async function findOverdraft(
  { database }: CommandWorld['context'],
  tenant: Tenant,
  { operation, state, request }: Pick<Approval, 'state'> & Described,
): Promise<Overdraft | null> {
  if (operation !== 'refund' || state !== 'pending') return null
  const currency = request.currency ?? ''
  const amountMinor = BigInt(request.amountMinor ?? '0')
  const after = await getBalanceAfterRefund(database.sql, tenant, { currency, amountMinor })
  return after.availableMinor < 0n ? { ...after, currency } : null
}

function overdraftText({ currency, availableMinor, pendingMinor }: Overdraft): string {
  const pending = pendingMinor > 0n ? `; ${amountText(pendingMinor, currency)} is pending` : ''
  return `CARE: it takes what is available to ${amountText(availableMinor, currency)}${pending}`
}

async function findApprover(world: CommandWorld, options: CommandOptions): Promise<PersonActor> {
  approvalOption(options)
  return findMember(world, options)
}

// Somebody of the business, who has proved it, and has one of the roles.
export async function findMember(
  world: CommandWorld,
  options: CommandOptions,
  roles?: readonly Role[],
): Promise<PersonActor> {
  const { id: businessId } = await findMeantBusiness(world.context, options)
  const email = requiredOption(options, 'email')
  const [password = '', code = ''] = await world.askSecrets(['Password', 'Code'])
  const people = await world.people()
  const person = await people.verifyPasswordAndCode(email, password, code)
  if (!person) throw permissionDenied('The e-mail address, the password or the code is wrong.')
  const memberships = await people.listMemberships(person.personId)
  const role = memberships.find((membership) => membership.businessId === businessId)?.role
  if (!role) throw permissionDenied('This person does not belong to the business.')
  if (roles?.includes(role) === false) {
    throw permissionDenied(`Only an ${roles.join(' or ')} of the business can do this.`)
  }
  return { kind: 'person', personId: person.personId, role, businessId, environment: 'live' }
}

function approvalOption(options: CommandOptions): string {
  const id = requiredOption(options, 'approval')
  if (!isUuid(id)) throw new UsageError(`--approval is no id: ${id}`)
  return id.toLowerCase()
}

function describe({ operation, objectId, request }: Described): string {
  const { amountMinor, currency } = request
  const amount = amountText(BigInt(amountMinor ?? '0'), currency ?? '')
  if (operation === 'refund') return `refund ${amount} of payment ${objectId}`
  if (operation === 'payout') {
    const { bankCode, accountEnding, beneficiaryName } = request
    const account = `${beneficiaryName}, account …${accountEnding} at bank ${bankCode}`
    return `pay out ${amount} to ${bankCode === null ? 'the wallet' : account}`
  }
  return `hold each ${request.operation} above ${amount} for a second person`
}

// Keys by the name that people gave them, people by their address; the bare id of what is no more.
async function readRequesters({ database }: CommandWorld['context'], businessId: string) {
  const keys = await listApiKeys(database.sql, businessId)
  const members = await listMembers(database.sql, businessId)
  return ({ requestedByKind, requestedBy }: Pick<Approval, 'requestedByKind' | 'requestedBy'>) => {
    if (requestedByKind === 'person') {
      return members.find(({ personId }) => personId === requestedBy)?.email ?? requestedBy
    }
    const key = keys.find(({ id }) => id === requestedBy)
    return `the key ${key ? JSON.stringify(key.name) : requestedBy}`
  }
}

// Often the mistake of a system that asked again; approving both would do it twice.
function isDuplicate(approval: Pick<Approval, 'id' | 'state'> & Described, among: Approval[]) {
  if (approval.state !== 'pending') return false
  const same = among.filter(({ state }) => state === 'pending').map(describe)
  return same.filter((text) => text === describe(approval)).length > 1
}

export function amountText(amountMinor: bigint, code: string): string {
  const currency = assertDefined(findCurrency(code), 'an approval in no currency')
  return `${code} ${toText(fromMinor(amountMinor, currency), currency.decimals)}`
}
