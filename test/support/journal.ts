// The books of a new business, and short ways to post to their journal.
import type { Account } from '../../src/books/accounts/account.ts'
import { listAccounts } from '../../src/books/accounts/account-store.ts'
import type { JournalLine, NewEntry } from '../../src/books/journal/journal-entry.ts'
import { postEntry } from '../../src/books/journal/post-entry.ts'
import type { Actor, PersonActor, Role } from '../../src/kernel/auth/actor.ts'
import type { Environment, Tenant } from '../../src/kernel/basics/tenant.ts'
import type { World } from './world.ts'

export type Books = {
  readonly tenant: Tenant
  readonly owner: PersonActor
  // By code.
  readonly accounts: ReadonlyMap<string, Account>
  person(role: Role): PersonActor
  accountId(code: string): string
  // Lines as code and amount in minor units of the base currency.
  post(date: string, lines: readonly TestLine[], entry?: Partial<NewEntry>): Promise<bigint>
}

export type TestLine = readonly [code: string, baseMinor: bigint, line?: Partial<JournalLine>]

type BooksOptions = {
  readonly businessId?: string
  readonly environment?: Environment
  readonly baseCurrency?: string
}

export async function newJournal(world: World, options: BooksOptions = {}): Promise<Books> {
  const { context } = world
  const { environment = 'live', baseCurrency = 'EUR' } = options
  const businessId = options.businessId ?? (await world.business({ baseCurrency }))
  const tenant = { businessId, environment }
  const listed = await listAccounts(context.database.sql, tenant)
  const accounts = new Map(listed.map((account) => [account.code, account]))
  const person = (role: Role): PersonActor => ({
    ...tenant,
    kind: 'person',
    personId: context.ids.uuid(),
    role,
  })
  const owner = person('owner')
  const accountId = (code: string) => {
    const account = accounts.get(code)
    if (!account) throw new Error(`there is no account ${code}`)
    return account.id
  }
  return {
    tenant,
    owner,
    accounts,
    person,
    accountId,
    post: (date, lines, entry = {}) =>
      postAs(world, owner, {
        kind: 'journal.posted',
        sourceId: context.ids.uuid(),
        reversesSequence: null,
        date,
        description: 'A fact',
        lines: lines.map(([code, baseMinor, line]) => ({
          accountId: accountId(code),
          baseMinor,
          currency: baseCurrency,
          amountMinor: baseMinor,
          contactId: null,
          openItemId: null,
          taxCodeId: null,
          description: null,
          ...line,
        })),
        ...entry,
      }),
  }
}

export function postAs({ context }: World, actor: Actor, entry: NewEntry): Promise<bigint> {
  return context.database.transaction((tx) => postEntry(tx, context, actor, entry))
}
