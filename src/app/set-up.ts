// Sets a new server up in the browser: creates the first business and its owner for the person who
// has the one-time code. It is possible once: while there is no business.

import { isTimeZone } from '../books/settings/organisation.ts'
import { updateOrganisation } from '../books/settings/organisation-store.ts'
import { addMembership } from '../kernel/auth/add-membership.ts'
import { listBusinesses } from '../kernel/auth/business-store.ts'
import { createPerson } from '../kernel/auth/create-person.ts'
import type { People } from '../kernel/auth/people.ts'
import { normaliseEmail } from '../kernel/auth/person.ts'
import { passwordLengthMax, passwordLengthMin } from '../kernel/auth/person-password.ts'
import { lockPeopleSecret } from '../kernel/auth/person-store.ts'
import { isSetUpCode } from '../kernel/auth/set-up-code.ts'
import { countSetUpTry } from '../kernel/auth/sign-in-limits.ts'
import { Fault } from '../kernel/basics/fault.ts'
import { isOneLine, withoutDirectionMarks } from '../kernel/basics/one-line.ts'
import { environments } from '../kernel/basics/tenant.ts'
import type { Tx } from '../kernel/db/database.ts'
import { isCurrency } from '../kernel/money/currency.ts'
import type { ServiceContext } from '../kernel/operations/service-context.ts'
import type { SetUp, SetUpInput, SetUpOutcome } from '../web/set-up/set-up.ts'
import { createBusiness } from './create-business.ts'

const actorName = 'set-up in the browser'

export function createSetUp(
  context: ServiceContext,
  people: People,
  onDone: () => void = () => undefined,
): SetUp {
  // A business is never deleted, so the answer stays.
  let isDone = false
  const isNeeded = async () => {
    isDone ||= (await listBusinesses(context.database.sql)).length > 0
    return !isDone
  }
  return {
    isNeeded,
    async submit(address, input) {
      const outcome = await setUp(context, people, address, input)
      if (outcome.kind === 'done') onDone()
      return outcome
    },
  }
}

async function setUp(
  context: ServiceContext,
  people: People,
  address: string,
  input: SetUpInput,
): Promise<SetUpOutcome> {
  const refused = await countSetUpTry(context, address)
  if (refused) return { kind: 'too_many_tries', ...refused }
  // Before anything else is said: someone without the code learns nothing.
  if (!isSetUpCode(input.code, people.setUpCode)) {
    return { kind: 'refused', problems: { code: 'This code is wrong. Look it up again.' } }
  }
  const problems = problemsOf(input)
  if (Object.keys(problems).length > 0) return { kind: 'refused', problems }
  try {
    await create(context, input)
    return { kind: 'done' }
  } catch (error) {
    if (error instanceof AlreadySetUp) return { kind: 'over' }
    if (!(error instanceof Fault)) throw error
    return { kind: 'refused', problems: { [fieldOf(error)]: textOf(error) } }
  }
}

class AlreadySetUp extends Error {
  override readonly name = 'AlreadySetUp'
}

// Without a second factor: the owner sets it up next, and can do nothing before.
async function create(context: ServiceContext, input: SetUpInput): Promise<void> {
  const owner = { name: input.ownerName, email: input.ownerEmail, password: input.password }
  await createPerson(context, context.secrets, owner, async (tx, personId) => {
    await lockPeopleSecret(tx)
    if ((await listBusinesses(tx)).length > 0) throw new AlreadySetUp()
    const businessId = await createBusiness(tx, context, actorName, {
      name: lineOf(input.businessName),
      country: input.country,
      baseCurrency: input.currency,
      contactEmail: normaliseEmail(input.ownerEmail) ?? '',
      contactPhone: null,
      kycStatus: 'unverified',
      isDemo: false,
    })
    await setTimeZone(tx, businessId, input.timeZone)
    const actor = { kind: 'system', name: actorName, businessId, environment: 'live' } as const
    await addMembership(tx, context, { businessId, personId, role: 'owner' }, actor)
  })
}

async function setTimeZone(tx: Tx, businessId: string, timeZone: string): Promise<void> {
  for (const environment of environments) {
    await updateOrganisation(tx, { businessId, environment }, { timeZone })
  }
}

function problemsOf(input: SetUpInput): Record<string, string> {
  const { password, currency, country, timeZone } = input
  const isLong = password.length >= passwordLengthMin && password.length <= passwordLengthMax
  const checks: readonly (readonly [keyof SetUpInput, boolean, string])[] = [
    ['businessName', isName(input.businessName), 'Enter the name of the business.'],
    ['country', /^[A-Z]{2}$/.test(country), 'Choose a country.'],
    ['currency', isCurrency(currency), 'Choose a currency.'],
    ['timeZone', isTimeZone(timeZone), 'Choose a time zone.'],
    ['ownerName', isName(input.ownerName), 'Enter your name.'],
    [
      'ownerEmail',
      normaliseEmail(input.ownerEmail) !== undefined,
      'Enter an e-mail address, such as name@example.com.',
    ],
    ['password', isLong, `Choose a password of at least ${passwordLengthMin} characters.`],
  ]
  return Object.fromEntries(
    checks.filter(([, isFine]) => !isFine).map(([name, , text]) => [name, text]),
  )
}

function isName(text: string): boolean {
  const line = lineOf(text)
  return line.length > 0 && [...line].length <= 200 && isOneLine(line)
}

function lineOf(text: string): string {
  return withoutDirectionMarks(text).trim()
}

function fieldOf({ error }: Fault): string {
  const [field = ''] = typeof error === 'string' ? [] : Object.keys(error.fieldErrors)
  return { email: 'ownerEmail', name: 'ownerName', password: 'password' }[field] ?? 'ownerEmail'
}

function textOf({ error }: Fault): string {
  if (typeof error === 'string') return error
  return Object.values(error.fieldErrors)[0]?.[0] ?? error.formErrors[0] ?? 'Check this field.'
}
