// Pages for the people of a business: who is signed in, and for which business they act.
import type { PersonActor } from '../auth/actor.ts'
import { roleNeedsSecondFactor } from '../auth/membership.ts'
import type { People } from '../auth/people.ts'
import { invalid, notFound, permissionDenied } from '../basics/fault.ts'
import { type PageAnswer, type PageRequest, redirectTo } from './page.ts'

// Undefined when nobody is signed in. `business` in the query says which one is meant, where
// somebody belongs to several, and `environment=test` its sandbox.
export async function findSignedIn(
  people: People,
  { url: { searchParams }, headers }: PageRequest,
): Promise<PersonActor | undefined> {
  const session = await people.findSession(headers)
  if (!session) return undefined
  const memberships = await people.listMemberships(session.personId)
  const wanted = searchParams.get('business')
  if (wanted === null && memberships.length > 1) {
    throw invalid('You belong to several businesses. Say which one, with `?business=` and its id.')
  }
  // Somebody else's business does not exist.
  const membership = memberships.find(({ businessId }) => wanted === null || businessId === wanted)
  if (!membership) throw notFound('business')
  const { businessId, role } = membership
  if (session.secondFactor === 'missing' && roleNeedsSecondFactor(role)) {
    throw permissionDenied('Set up a second factor first; your role needs one.')
  }
  const environment = searchParams.get('environment') ?? 'live'
  if (environment !== 'live' && environment !== 'test') {
    throw invalid('The environment must be live or test.')
  }
  return { kind: 'person', personId: session.personId, role, businessId, environment }
}

// And back to where they wanted to be.
export function signInFirst({ url }: PageRequest): PageAnswer {
  return redirectTo(`/sign-in?next=${encodeURIComponent(`${url.pathname}${url.search}`)}`)
}
