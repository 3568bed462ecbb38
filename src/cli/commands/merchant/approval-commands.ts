// Approvals at the terminal. The terminal does not prove who is typing, so people enter their
// password and the code of their second factor.
import type { PersonActor } from '../../../kernel/auth/actor.ts'
import { permissionDenied } from '../../../kernel/basics/fault.ts'
import { isUuid } from '../../../kernel/basics/id.ts'
import { currencyOf } from '../../../kernel/money/currency.ts'
import { toText } from '../../../kernel/money/decimal.ts'
import { fromMinor } from '../../../kernel/money/minor-units.ts'
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import type { Approval } from '../../../merchant/approvals/approval.ts'
import { approveApproval } from '../../../merchant/approvals/approve-approval.ts'
import { getApproval } from '../../../merchant/approvals/get-approval.ts'
import { listApprovals } from '../../../merchant/approvals/list-approvals.ts'
import type { ApprovalView, Overdraft } from '../../../merchant/approvals/read-approval-views.ts'
import { rejectApproval } from '../../../merchant/approvals/reject-approval.ts'
import { withdrawApproval } from '../../../merchant/approvals/withdraw-approval.ts'
import { commandActor, findMeantBusiness } from '../../core/choose-business.ts'
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
  '--approval ID          the approval (see `cli approvals list`)',
  '--email ADDRESS        your own address; asks for password and code',
]

type Described = Pick<Approval, 'operation' | 'objectId' | 'request'>

export const showApprovals: Command = {
  name: 'approvals list',
  summary: 'List approvals that are waiting for a decision',
  usage: [businessUsage, '--all                  include decided ones', jsonUsage],
  options: { business: { type: 'string' }, all: { type: 'boolean' }, json: { type: 'boolean' } },
  async run({ context }, options) {
    const actor = await commandActor(context, options, 'cli approvals list')
    const wanted = { includesDecided: options.all === true }
    const approvals = await runOperation(listApprovals, context, actor, wanted)
    if (options.json) {
      printJson(approvals.map(jsonView))
      return 0
    }
    for (const approval of approvals) {
      const { id, createdAt, expiresAt } = approval
      print(`${id}  ${approval.state.padEnd(8)}  ${describe(approval)}`)
      print(`  requested by ${requesterText(approval)}`)
      print(`  on ${createdAt.toISOString()}, expires ${expiresAt.toISOString()}`)
      if (approval.isDuplicate) print('  Warning: duplicate pending request')
      if (approval.overdraft) print(`  ${overdraftText(approval.overdraft)}`)
    }
    if (approvals.length === 0) print('Nothing waits.')
    return 0
  },
}

export const approveCommand: Command = {
  name: 'approvals approve',
  summary: "Approve another person's request and carry it out at once",
  usage: decisionUsage,
  options: {
    business: { type: 'string' },
    approval: { type: 'string' },
    email: { type: 'string' },
  },
  async run(world, options) {
    await warnOfOverdraft(world, options)
    const approver = await findApprover(world, options)
    const wanted = { id: approvalOption(options) }
    const approval = await runOperation(approveApproval, world.context, approver, wanted)
    const isSent = approval.operation === 'refund' || approval.operation === 'payout'
    print(`Approved: ${describe(approval)}.${isSent ? ' It will be sent within seconds.' : ''}`)
    return 0
  },
}

export const rejectCommand: Command = {
  name: 'approvals reject',
  summary: "Reject another person's request",
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
    const wanted = { id: approvalOption(options), reason }
    await runOperation(rejectApproval, world.context, approver, wanted)
    print('Rejected. No money was moved.')
    return 0
  },
}

export const withdrawCommand: Command = {
  name: 'approvals withdraw',
  summary: 'Withdraw your own request, or one made by a key that you created',
  usage: decisionUsage,
  options: {
    business: { type: 'string' },
    approval: { type: 'string' },
    email: { type: 'string' },
  },
  async run(world, options) {
    const person = await findApprover(world, options)
    const wanted = { id: approvalOption(options) }
    const approval = await runOperation(withdrawApproval, world.context, person, wanted)
    print(`Withdrawn: ${describe(approval)}. No money was moved.`)
    return 0
  },
}

// Warn before asking for secrets, so that the person can still stop.
async function warnOfOverdraft({ context }: CommandWorld, options: CommandOptions): Promise<void> {
  const actor = await commandActor(context, options, 'cli approvals approve')
  const wanted = { id: approvalOption(options) }
  const { overdraft } = await runOperation(getApproval, context, actor, wanted)
  if (overdraft) print(overdraftText(overdraft))
}

function overdraftText({ currency, availableMinor, pendingMinor }: Overdraft): string {
  const pending = pendingMinor > 0n ? `; ${amountText(pendingMinor, currency)} is pending` : ''
  return `Warning: this brings the available balance to ${amountText(availableMinor, currency)}${pending}`
}

async function findApprover(world: CommandWorld, options: CommandOptions): Promise<PersonActor> {
  approvalOption(options)
  return findMember(world, options)
}

// A member of the business who entered the right password and code.
export async function findMember(
  world: CommandWorld,
  options: CommandOptions,
  emailOption = 'email',
): Promise<PersonActor> {
  const { id: businessId } = await findMeantBusiness(world.context, options)
  const email = requiredOption(options, emailOption)
  const [password = '', code = ''] = await world.askSecrets(['Password', 'Code'])
  const people = await world.people()
  const person = await people.verifyPasswordAndCode(email, password, code)
  if (!person) throw permissionDenied('The e-mail address, the password or the code is wrong.')
  const memberships = await people.listMemberships(person.personId)
  const role = memberships.find((membership) => membership.businessId === businessId)?.role
  if (!role) throw permissionDenied('This person is not a member of the business.')
  return { kind: 'person', personId: person.personId, role, businessId, environment: 'live' }
}

function approvalOption(options: CommandOptions): string {
  const id = requiredOption(options, 'approval')
  if (!isUuid(id)) throw new UsageError(`--approval is not an id: ${id}`)
  return id.toLowerCase()
}

function describe({ operation, objectId, request }: Described): string {
  const { amountMinor, currency } = request
  if (operation === 'role') {
    return `make ${request.email} ${request.role} instead of ${request.before}`
  }
  if (operation === 'second_factor') return `reset the second factor of ${request.email}`
  if (operation === 'settlement_account' && request.removes) {
    const { beforeBeneficiaryName, beforeAccountEnding } = request
    return `remove the bank account of ${beforeBeneficiaryName}, account …${beforeAccountEnding}`
  }
  if (operation === 'settlement_account') {
    return `pay out ${currency ?? 'all other currencies'} to ${accountText(request)}`
  }
  const amount = amountText(BigInt(amountMinor ?? '0'), currency ?? '')
  if (operation === 'refund') return `refund ${amount} of payment ${objectId}`
  if (operation === 'payout') {
    return `pay out ${amount} to ${request.bankCode === null ? 'the wallet' : accountText(request)}`
  }
  return thresholdText(request, amount)
}

function accountText({ bankCode, accountEnding, beneficiaryName }: Approval['request']): string {
  return `${beneficiaryName}, account …${accountEnding} at bank ${bankCode}`
}

function thresholdText({ operation, currency, amountMinor }: Approval['request'], amount: string) {
  if (operation === 'daily_payouts') {
    return amountMinor === null
      ? `remove the limit of the ${currency} payouts of a day`
      : `require an approval for payouts once those of a day exceed ${amount}`
  }
  if (operation === 'overdraft') {
    return amountMinor === null
      ? `no longer require an approval for refunds that overdraw the ${currency} balance`
      : `require an approval for refunds that overdraw the balance by more than ${amount}`
  }
  return `require an approval for each ${operation} above ${amount}`
}

function jsonView(view: ApprovalView) {
  const { isDuplicate, overdraft, requesterName: _, requesterEmail: _email, ...others } = view
  const { deciderName: _decider, subjectName: _subject, ...approval } = others
  return { ...approval, requester: requesterText(view), isDuplicate, overdraft }
}

// Shows the name of a key and the e-mail address of a person, or the id if the requester is
// deleted.
function requesterText(view: ApprovalView): string {
  const { requestedByKind, requestedBy, requesterName, requesterEmail } = view
  if (requestedByKind === 'person') return requesterEmail ?? requestedBy
  if (requestedByKind === 'system') return `the operator (${requestedBy})`
  return `the key ${requesterName === null ? requestedBy : JSON.stringify(requesterName)}`
}

export function amountText(amountMinor: bigint, code: string): string {
  const currency = currencyOf(code)
  return `${code} ${toText(fromMinor(amountMinor, currency), currency.decimals)}`
}
