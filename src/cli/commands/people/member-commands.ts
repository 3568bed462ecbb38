// Changes the people of a business: as the operator, or with `--as` as an owner, who enters
// password and code.
import { access } from '../../../app/access.ts'
import { type Actor, roles } from '../../../kernel/auth/actor.ts'
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import { commandActor } from '../../core/choose-business.ts'
import {
  businessUsage,
  type Command,
  type CommandOptions,
  type CommandWorld,
  emailOption,
  jsonUsage,
  print,
  printJson,
  UsageError,
} from '../../core/command.ts'
import { findMember } from '../merchant/approval-commands.ts'
import { confirmationOption, roleOption, withoutConfirmationUsage } from './people-commands.ts'

const memberUsage = [
  businessUsage,
  '--email ADDRESS        the person',
  '--as ADDRESS           an owner who does it; the password and the code are asked for (default:',
  '                       the operator)',
]

const memberOptions = {
  business: { type: 'string' },
  email: { type: 'string' },
  as: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const listPeople: Command = {
  name: 'people list',
  summary: 'List the people of a business, with their roles',
  usage: [businessUsage, jsonUsage],
  options: { business: { type: 'string' }, json: { type: 'boolean' } },
  async run({ context }, options) {
    const actor = await commandActor(context, options, 'cli people list')
    const members = await runOperation(access.listMembers, context, actor, {})
    if (options.json) {
      printJson(members)
      return 0
    }
    for (const { email, name, role, hasSecondFactor } of members) {
      print(`${role.padEnd(8)}  ${email}  ${name}${hasSecondFactor ? '' : ' (no second factor)'}`)
    }
    if (members.length === 0) print('No one yet. `cli people add` adds someone.')
    return 0
  },
}

export const changePersonRole: Command = {
  name: 'people role',
  summary: 'Change the role of a person; an owner confirms roles that can approve',
  usage: [
    ...memberUsage,
    `--role NAME            ${roles.join(', ')}`,
    withoutConfirmationUsage,
    jsonUsage,
  ],
  options: {
    ...memberOptions,
    role: { type: 'string' },
    'without-confirmation': { type: 'boolean' },
  },
  async run(world, options) {
    const role = roleOption(options)
    const { actor, personId } = await findActorAndMember(world, options, 'cli people role')
    const wanted = { personId, role, ...confirmationOption(options) }
    const changed = await runOperation(access.changeRole, world.context, actor, wanted)
    if (options.json) printJson(changed)
    else if (changed.approvalId === null) print(`${changed.email} is ${role} now.`)
    else printWaiting(changed.approvalId)
    return 0
  },
}

export const removePerson: Command = {
  name: 'people remove',
  summary: 'Remove a person from a business, end their sessions, and list their API keys',
  usage: [...memberUsage, jsonUsage],
  options: memberOptions,
  async run(world, options) {
    const { actor, personId } = await findActorAndMember(world, options, 'cli people remove')
    const removed = await runOperation(access.removeMember, world.context, actor, { personId })
    if (options.json) {
      printJson(removed)
      return 0
    }
    const { email, endedSessions, keysToReview } = removed
    print(`${email} no longer belongs to the business. Sessions ended: ${endedSessions}.`)
    if (keysToReview.length === 0) return 0
    print()
    print('These API keys of theirs still work. Revoke those that no one needs with')
    print('`cli keys revoke --key ID`:')
    for (const { id, hint, name, service, environment } of keysToReview) {
      print(`  ${id}  ${hint}  ${service} ${environment}  ${name}`)
    }
    return 0
  },
}

export const resetPersonPassword: Command = {
  name: 'people reset-password',
  summary: 'Give a person a new password, which is shown once (as an owner: mail them a link)',
  usage: [...memberUsage, jsonUsage],
  options: memberOptions,
  async run(world, options) {
    const name = 'cli people reset-password'
    const { actor, personId } = await findActorAndMember(world, options, name)
    const reset = await runOperation(access.resetPassword, world.context, actor, { personId })
    if (options.json) {
      printJson(reset)
      return 0
    }
    if (reset.password === null) {
      print(
        `The password of ${reset.email} is reset. They choose a new one with a link: it is mailed`,
      )
      print('to them, or in `cli mails list` if this server sends no mails.')
      return 0
    }
    print(`Password     ${reset.password}`)
    print()
    print(`The password is shown this once. The second factor of ${reset.email} stays as it is.`)
    return 0
  },
}

export const resetPersonFactor: Command = {
  name: 'people reset-second-factor',
  summary: 'Remove the second factor of a person, who sets up a new one at the next sign-in',
  usage: [...memberUsage, withoutConfirmationUsage, jsonUsage],
  options: { ...memberOptions, 'without-confirmation': { type: 'boolean' } },
  async run(world, options) {
    const name = 'cli people reset-second-factor'
    const { actor, personId } = await findActorAndMember(world, options, name)
    const wanted = { personId, ...confirmationOption(options) }
    const reset = await runOperation(access.resetSecondFactor, world.context, actor, wanted)
    if (options.json) {
      printJson(reset)
    } else if (reset.approvalId === null) {
      print(`${reset.email} signs in with the password and sets up a new second factor. They can`)
      print('approve again after 24 hours.')
    } else {
      printWaiting(reset.approvalId)
    }
    return 0
  },
}

export const endPersonSessions: Command = {
  name: 'people end-sessions',
  summary: 'End all sessions of a person, who has to sign in again',
  usage: [...memberUsage, jsonUsage],
  options: memberOptions,
  async run(world, options) {
    const { actor, personId } = await findActorAndMember(world, options, 'cli people end-sessions')
    const ended = await runOperation(access.endSessions, world.context, actor, { personId })
    if (options.json) printJson(ended)
    else print(`Sessions of ${ended.email} ended: ${ended.endedSessions}.`)
    return 0
  },
}

function printWaiting(approvalId: string): void {
  print('Waits for an owner, who is told by mail and confirms it with')
  print(`  cli approvals approve --approval ${approvalId} --email ADDRESS_OF_THE_OWNER`)
}

async function findActorAndMember(
  world: CommandWorld,
  options: CommandOptions,
  name: string,
): Promise<{ actor: Actor; personId: string }> {
  const email = emailOption(options, 'email')
  const operator = await commandActor(world.context, options, name)
  const personId = await findMemberId(world, operator, email)
  const actor = options.as === undefined ? operator : await findMember(world, options, 'as')
  return { actor, personId }
}

async function findMemberId(
  { context }: CommandWorld,
  operator: Actor,
  email: string,
): Promise<string> {
  const members = await runOperation(access.listMembers, context, operator, {})
  const member = members.find((known) => known.email === email)
  if (member) return member.personId
  throw new UsageError(`${email} does not belong to the business; see \`cli people list\``)
}
