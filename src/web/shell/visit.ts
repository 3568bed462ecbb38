// A visit is one request of a signed-in person to a page of one of their businesses. Pages get
// everything from it: who asks, what they sent, and a way to run operations as that person.
import type { z } from 'zod'
import type { BooksContext } from '../../books/context.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import type { PersonActor } from '../../kernel/auth/actor.ts'
import { type Membership, roleNeedsSecondFactor } from '../../kernel/auth/membership.ts'
import type { PasskeyAnswer, PasskeyRequest } from '../../kernel/auth/passkeys.ts'
import type { People } from '../../kernel/auth/people.ts'
import type { Session } from '../../kernel/auth/person.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import type { Environment } from '../../kernel/basics/tenant.ts'
import type { Operation } from '../../kernel/operations/operation.ts'
import { mayCall } from '../../kernel/operations/permission.ts'
import { type CallOptions, runOperation } from '../../kernel/operations/run-operation.ts'
import type { PageRequest } from '../../kernel/web/page.ts'
import type { MerchantContext } from '../../merchant/context.ts'

export type WebContext = MerchantContext & BooksContext

export type Visit = {
  readonly context: WebContext
  readonly request: PageRequest
  readonly session: Session
  readonly actor: PersonActor
  readonly membership: Membership
  readonly memberships: readonly Membership[]
  readonly query: URLSearchParams
  // The time zone of the business.
  readonly zone: string
  // How the business writes numbers and dates.
  readonly locale: string
  // The part of the path below the business and environment, such as `/payments`.
  readonly path: string
  param(name: string): string
  // The address of a page of this business, in this environment.
  href(path: string, query?: Query): string
  run<Input extends z.ZodType, Result>(
    operation: Operation<WebContext, Input, Result>,
    input: z.input<Input>,
    options?: CallOptions,
  ): Promise<Result>
  // False once the person was signed out or removed, for a visit that lasts.
  isStillOpen(): Promise<boolean>
  // Undefined if what the person typed proves who they are; otherwise what to tell them.
  proveAgain(typed: string): Promise<string | undefined>
  proveByPasskey(answer: PasskeyAnswer): Promise<string | undefined>
  requestPasskey(): Promise<PasskeyRequest | undefined>
  may(operation: Pick<Operation<never>, 'scopes' | 'roles' | 'peopleOnly'>): boolean
}

export type Query = Readonly<Record<string, string | undefined>>

// `locked`: the role needs a second factor, and the account has
// none. Other people's businesses are not found.
export async function findVisit(
  context: WebContext,
  people: People,
  request: PageRequest,
  { environment, session }: { readonly environment: Environment; readonly session: Session },
): Promise<Visit | 'locked'> {
  const memberships = await people.listMemberships(session.personId)
  const { business = '' } = request.params
  const membership = memberships.find(({ businessId }) => businessId === business)
  if (!membership) throw notFound('business')
  const { businessId, role } = membership
  if (session.secondFactor === 'missing' && roleNeedsSecondFactor(role)) return 'locked'
  const actor: PersonActor = {
    kind: 'person',
    personId: session.personId,
    role,
    businessId,
    environment,
  }
  const base = businessPath(businessId, environment)
  const { timeZone, locale } = await runOperation(getOrganisation, context, actor, {})
  return {
    context,
    request,
    session,
    actor,
    membership,
    memberships,
    query: request.url.searchParams,
    zone: timeZone,
    locale,
    path: request.url.pathname.slice(base.length) || '/',
    param: (name) => request.params[name] ?? '',
    href: (path, query = {}) => withQuery(`${base}${path === '/' ? '' : path}`, query),
    run: (operation, input, options) => runOperation(operation, context, actor, input, options),
    isStillOpen: () => people.isStillMember(session, businessId),
    proveAgain: (typed) => people.proveAgain(session, typed),
    proveByPasskey: (answer) => people.proveByPasskey(session, answer),
    requestPasskey: () => people.requestPasskey(session),
    may: (operation) => mayCall(operation, actor),
  }
}

export function businessPath(businessId: string, environment: Environment): string {
  return environment === 'live' ? `/b/${businessId}` : `/b/${businessId}/test`
}

function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, value)
  }
  return search.size === 0 ? path : `${path}?${search}`
}
