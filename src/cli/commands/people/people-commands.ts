// Adding people to a business. Whoever runs the service can; everything they do afterwards they
// prove with their own password and code.
import { type Role, roles } from '../../../kernel/auth/actor.ts'
import { findMemberByEmail } from '../../../kernel/auth/membership-store.ts'
import { findPersonByEmail } from '../../../kernel/auth/person-store.ts'
import { assertDefined } from '../../../kernel/basics/assert.ts'
import { Fault } from '../../../kernel/basics/fault.ts'
import { findMeantBusiness } from '../../core/choose-business.ts'
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
} from '../../core/command.ts'

export const addPerson: Command = {
  name: 'people add',
  summary: 'Add a person to a business; the password is shown once',
  usage: [
    businessUsage,
    '--email ADDRESS        with which the person signs in',
    '--name TEXT            who it is',
    '--existing             somebody who has an account already; instead of --name',
    `--role NAME            ${roles.join(', ')}; the first three decide approvals`,
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
  async run(world, options) {
    const { id: businessId } = await findMeantBusiness(world.context, options)
    const email = emailOption(options, 'email')
    const role = roleOption(options)
    const { sql } = world.context.database
    if (await findMemberByEmail(sql, businessId, email)) {
      throw new Fault('conflict', `${email} belongs to the business already.`)
    }
    const known = await findPersonByEmail(sql, email)
    if (options.existing) return addExisting(world, options, { businessId, email, role, known })
    if (known) throw new Fault('conflict', existsAlready(known.name, email))
    const created = await createWithPassword(world, {
      email,
      name: lineOption(options, 'name', 200),
    })
    await addMember(world, businessId, created.personId, role)
    if (options.json) {
      const { personId, password, totpSecret } = created
      printJson({ person_id: personId, email, role, password, totp_secret: totpSecret })
      return 0
    }
    printCredentials(role, email, created)
    return 0
  },
}

// A second business for the same person is asked for in so many words: the address may have been
// mistyped, and whoever has it would see everything.
function existsAlready(name: string, email: string): string {
  return (
    `${email} has an account already, of ${name}. To add that person to this business too, ` +
    'repeat this with --existing instead of --name.'
  )
}

type Existing = {
  readonly businessId: string
  readonly email: string
  readonly role: Role
  readonly known: { readonly personId: string; readonly name: string } | undefined
}

// The password and the second factor stay as they are.
async function addExisting(
  world: CommandWorld,
  options: CommandOptions,
  { businessId, email, role, known }: Existing,
): Promise<number> {
  if (!known) throw new Fault('conflict', `Nobody has an account with ${email}.`)
  await addMember(world, businessId, known.personId, role)
  if (options.json) printJson({ person_id: known.personId, email, role })
  else print(`${known.name}, ${email}, is now ${role} of this business too.`)
  return 0
}

async function addMember(
  { context, people }: CommandWorld,
  businessId: string,
  personId: string,
  role: Role,
): Promise<void> {
  const actor = { kind: 'system', name: 'cli people add', businessId, environment: 'live' } as const
  const opened = await people()
  await context.database.transaction((tx) =>
    opened.addMembership(tx, businessId, personId, role, actor),
  )
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
