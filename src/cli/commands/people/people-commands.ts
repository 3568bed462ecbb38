// Adds people to a business. The operator can do this without a password; the added people use
// their own password and code.
import { access } from '../../../app/access.ts'
import { roles } from '../../../kernel/auth/actor.ts'
import type { NewCredentials } from '../../../kernel/auth/create-person.ts'
import { Fault } from '../../../kernel/basics/fault.ts'
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import { findMeantBusiness } from '../../core/choose-business.ts'
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

export const addPerson: Command = {
  name: 'people add',
  summary: 'Add a person to a business; shows the password once',
  usage: [
    businessUsage,
    '--email ADDRESS        address with which the person signs in',
    '--name TEXT            name of the person',
    '--existing             the person already has an account; instead of --name',
    `--role NAME            ${roles.join(', ')}; the first three can approve`,
    jsonUsage,
  ],
  options: {
    business: { type: 'string' },
    email: { type: 'string' },
    name: { type: 'string' },
    existing: { type: 'boolean' },
    role: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run({ context }, options) {
    const { id: businessId } = await findMeantBusiness(context, options)
    const email = emailOption(options, 'email')
    const role = roleOption(options)
    const actor = {
      kind: 'system',
      name: 'cli people add',
      businessId,
      environment: 'live',
    } as const
    if (options.existing) {
      const wanted = { email, role }
      const added = await runOperation(access.addExistingPerson, context, actor, wanted)
      if (options.json) printJson({ person_id: added.id, email, role })
      else print(`${added.name}, ${email}, is now also ${role} of this business.`)
      return 0
    }
    const name = lineOption(options, 'name', 200)
    const added = await hintingAtExisting(() =>
      runOperation(access.addPerson, context, actor, { email, name, role }),
    )
    if (options.json) {
      const { id, password, totpSecret } = added
      printJson({ person_id: id, email, role, password, totp_secret: totpSecret })
      return 0
    }
    printCredentials(role, email, added)
    return 0
  },
}

async function hintingAtExisting<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Fault && /has an account already, of/.test(error.message))) throw error
    const hint = 'To add that person to this business as well, use --existing instead of --name.'
    throw new Fault(error.kind, `${error.message} ${hint}`, { cause: error })
  }
}

export function printCredentials(
  role: string,
  email: string,
  { password, totpSecret }: Pick<NewCredentials, 'password' | 'totpSecret'>,
): void {
  print(`${`${role[0]?.toUpperCase()}${role.slice(1)}`.padEnd(11)}  ${email}`)
  print(`Password     ${password}`)
  print(`TOTP secret  ${totpSecret}`)
  print()
  print('The password and the secret are shown only once. Add the secret to an authenticator')
  print('app. The person needs both to sign in.')
}

function roleOption(options: CommandOptions) {
  const wanted = requiredOption(options, 'role')
  const role = roles.find((known) => known === wanted)
  if (!role) throw new UsageError(`--role must be one of ${roles.join(', ')}`)
  return role
}
