// Adding people to a business. Whoever runs the service can; everything they do afterwards they
// prove with their own password and code.
import { roles } from '../kernel/auth/actor.ts'
import { findMemberByEmail } from '../kernel/auth/membership-store.ts'
import { assertDefined } from '../kernel/basics/assert.ts'
import { Fault } from '../kernel/basics/fault.ts'
import {
  businessUsage,
  type Command,
  type CommandOptions,
  type CommandWorld,
  emailOption,
  jsonUsage,
  lineOption,
  print,
  printJson,
  requiredOption,
  UsageError,
} from './command.ts'
import { findBusinessId } from './key-commands.ts'

export const addPerson: Command = {
  name: 'people add',
  summary: 'Add a person to a business; the password is shown once',
  usage: [
    businessUsage,
    '--email ADDRESS        with which the person signs in',
    '--name TEXT            who it is',
    `--role NAME            ${roles.join(', ')}; the first three decide approvals`,
    jsonUsage,
  ],
  options: {
    business: { type: 'string' },
    email: { type: 'string' },
    name: { type: 'string' },
    role: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(world, options) {
    const businessId = await findBusinessId(world.context, options)
    const email = emailOption(options, 'email')
    const person = { email, name: lineOption(options, 'name', 200) }
    const role = roleOption(options)
    if (await findMemberByEmail(world.context.database.sql, businessId, email)) {
      throw new Fault('conflict', `${email} belongs to the business already.`)
    }
    const created = await createWithPassword(world, person)
    const actor = {
      kind: 'system',
      name: 'cli people add',
      businessId,
      environment: 'live',
    } as const
    const people = await world.people()
    await world.context.database.transaction((tx) =>
      people.addMembership(tx, businessId, created.personId, role, actor),
    )
    if (options.json) {
      const { personId, password, totpSecret } = created
      printJson({ person_id: personId, email, role, password, totp_secret: totpSecret })
      return 0
    }
    printCredentials(role, email, created)
    return 0
  },
}

export type NewCredentials = { personId: string; password: string; totpSecret: string }

// Somebody with a random password and a second factor, both known only to whoever reads them now.
export async function createWithPassword(
  { context, people: openPeople }: CommandWorld,
  person: { name: string; email: string },
): Promise<NewCredentials> {
  const people = await openPeople()
  const password = context.ids.randomBytes(15).toString('base64url')
  const { personId, totpSecret } = await people.createPerson({ ...person, password, totp: true })
  return { personId, password, totpSecret: assertDefined(totpSecret, 'there is a second factor') }
}

export function printCredentials(
  role: string,
  email: string,
  { password, totpSecret }: NewCredentials,
): void {
  print(`${`${role[0]?.toUpperCase()}${role.slice(1)}`.padEnd(11)}  ${email}`)
  print(`Password     ${password}`)
  print(`TOTP secret  ${totpSecret}`)
  print()
  print('The password and the secret are shown this once. Put the secret into an authenticator')
  print('app; both are asked for at the sign-in.')
}

function roleOption(options: CommandOptions) {
  const wanted = requiredOption(options, 'role')
  const role = roles.find((known) => known === wanted)
  if (!role) throw new UsageError(`--role must be one of ${roles.join(', ')}`)
  return role
}
