// Adds people to a business. The operator can do this without a password; the added people use
// their own password and code. A role that can approve waits for an owner, if there is one.
import { access } from '../../../app/access.ts'
import { type Role, roles } from '../../../kernel/auth/actor.ts'
import { Fault } from '../../../kernel/basics/fault.ts'
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import { commandActor } from '../../core/choose-business.ts'
import {
  businessUsage,
  type Command,
  type CommandOptions,
  emailOption,
  jsonUsage,
  lineOption,
  print,
  printJson,
  requiredOption,
  UsageError,
} from '../../core/command.ts'
import { jsonCredentials, printCredentials } from './credentials.ts'

export const withoutConfirmationUsage =
  '--without-confirmation do it at once; otherwise an owner confirms it, if there is one'

export function confirmationOption(options: CommandOptions) {
  return { withoutConfirmation: options['without-confirmation'] === true }
}

export const addPerson: Command = {
  name: 'people add',
  summary: 'Add a person to a business; shows the password once',
  usage: [
    businessUsage,
    '--email ADDRESS        address with which the person signs in',
    '--name TEXT            name of the person',
    '--existing             the person already has an account; instead of --name',
    `--role NAME            ${roles.join(', ')}; the first three can approve`,
    withoutConfirmationUsage,
    jsonUsage,
  ],
  options: {
    business: { type: 'string' },
    email: { type: 'string' },
    name: { type: 'string' },
    existing: { type: 'boolean' },
    role: { type: 'string' },
    'without-confirmation': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  async run({ context }, options) {
    const actor = await commandActor(context, options, 'cli people add')
    const email = emailOption(options, 'email')
    const wanted = { email, role: roleOption(options), ...confirmationOption(options) }
    if (options.existing) {
      const added = await runOperation(access.addExistingPerson, context, actor, wanted)
      const { id: personId, name, role, approvalId } = added
      if (options.json) {
        printJson({ personId, email, role, approvalId })
        return 0
      }
      print(`${name}, ${email}, is now also ${role} of this business.`)
      printWaiting(wanted.role, approvalId)
      return 0
    }
    const name = lineOption(options, 'name', 200)
    const added = await hintingAtExisting(() =>
      runOperation(access.addPerson, context, actor, { ...wanted, name }),
    )
    const { id: personId, role, approvalId } = added
    if (options.json) {
      printJson({ personId, email, role, approvalId, ...jsonCredentials(added) })
      return 0
    }
    await printCredentials(role, email, added)
    printWaiting(wanted.role, approvalId)
    return 0
  },
}

function printWaiting(role: string, approvalId: string | null): void {
  if (approvalId === null) return
  print()
  print(`${role[0]?.toUpperCase()}${role.slice(1)} once an owner confirms it:`)
  print(`  cli approvals approve --approval ${approvalId} --email ADDRESS_OF_THE_OWNER`)
}

async function hintingAtExisting<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Fault && /already has an account/.test(error.message))) throw error
    const hint = 'To add that person to this business as well, use --existing instead of --name.'
    throw new Fault(error.kind, `${error.message} ${hint}`, { cause: error })
  }
}

export function roleOption(options: CommandOptions): Role {
  const wanted = requiredOption(options, 'role')
  const role = roles.find((known) => known === wanted)
  if (!role) throw new UsageError(`--role must be one of ${roles.join(', ')}`)
  return role
}
