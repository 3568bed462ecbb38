// For pages of a business: finds the signed-in person and the business they act for.
import type { PersonActor } from '../auth/actor.ts'
import { roleNeedsSecondFactor } from '../auth/membership.ts'
import type { People } from '../auth/people.ts'
import { invalid, notFound, permissionDenied } from '../basics/fault.ts'
import { type PageAnswer, type PageRequest, redirectTo } from './page.ts'

// Undefined if no one is signed in. `business` in the query selects one of several businesses, and
// `environment=test` its sandbox.
export async function findSignedIn(
  people: People,
  { url: { searchParams }, headers }: PageRequest,
): Promise<PersonActor | undefined> {
  const session = await people.findSession(headers)
  if (!session) return undefined
  const memberships = await people.listMemberships(session.personId)
  const wanted = searchParams.get('business')
  if (wanted === null && memberships.length > 1) {
    throw invalid('You belong to several businesses. Add `?business=` and the id of one.')
  }
  // Other people's businesses are not found.
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

// Redirects to sign-in, and back to this page afterwards.
export function signInFirst({ url }: PageRequest): PageAnswer {
  return redirectTo(`/sign-in?next=${encodeURIComponent(`${url.pathname}${url.search}`)}`)
}

// For someone who is signed in, but entered the password too long ago.
export function signInAgain(next: string): PageAnswer {
  return redirectTo(`/sign-in?again=1&next=${encodeURIComponent(next)}`)
}
