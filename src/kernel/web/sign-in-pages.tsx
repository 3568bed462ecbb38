// Sign-in and sign-out. The pages never say which of e-mail and password was wrong.
import { type Membership, roleNeedsSecondFactor } from '../auth/membership.ts'
import { refusedPasskey } from '../auth/passkey-sign-in.ts'
import type { People } from '../auth/people.ts'
import type { Session } from '../auth/person.ts'
import { type SignInOutcome, tooManyTriesMessage, usedCodeMessage } from '../auth/sign-in.ts'
import { safeNextPath } from '../auth/sign-in-origin.ts'
import { isLoopbackUrl } from '../basics/loopback.ts'
import { type Page, type PageAnswer, type PageRequest, redirectTo } from './page.ts'
import { secondFactorPages, secondFactorPath } from './second-factor-pages.tsx'
import { CodePage, type CodeProps, SignInPage, type SignInProps } from './sign-in-forms.tsx'
import { signInLinkPages } from './sign-in-link-pages.tsx'
import { signInFirst } from './signed-in.ts'

const homePath = '/home'

// The address of a business in the application.
type AddressOf = (businessId: string) => string

export function signInPages(people: People, addressOf: AddressOf): Page[] {
  // After sign-out, the browser must not show these pages from its cache.
  const page = (method: Page['method'], path: string, handle: Page['handle']): Page => ({
    method,
    path,
    async handle(request) {
      const answer = await handle(request)
      return { ...answer, headers: { 'cache-control': 'no-store', ...answer.headers } }
    },
  })
  return [
    page('GET', '/sign-in', (request) => showSignIn(people, request)),
    page('POST', '/sign-in', (request) => submitPassword(people, request)),
    { hosted: 'costly', ...page('POST', '/sign-in/passkey', (one) => submitPasskey(people, one)) },
    page('GET', '/sign-in/code', (request) => showCode(people, request)),
    page('POST', '/sign-in/code', (request) => submitCode(people, request)),
    page('POST', '/sign-out', async (request) => {
      const { setCookies } = await people.signOut(request)
      return redirectTo('/sign-in?out=1', setCookies)
    }),
    page('GET', homePath, (request) => showHome(people, addressOf, request)),
    ...secondFactorPages(people),
    ...(isLoopbackUrl(people.publicUrl) ? signInLinkPages(people) : []),
  ]
}

async function showSignIn(people: People, request: PageRequest): Promise<PageAnswer> {
  const next = nextOf(people, request.url.searchParams)
  const isAgain = request.url.searchParams.has('again')
  if (!isAgain && (await people.findSession(request.headers))) return redirectTo(next ?? homePath)
  const ended = request.url.searchParams.has('ended')
  const error = ended ? 'Your sign-in has expired. Enter your password again.' : undefined
  const notice = Object.entries(notices).find(([name]) => request.url.searchParams.has(name))?.[1]
  return signInAnswer(200, { next, error, notice, passkey: await people.requestPasskey() })
}

async function submitPasskey(people: People, request: PageRequest): Promise<PageAnswer> {
  const next = nextOf(people, request.form)
  const [challenge = '', response = ''] = ['challenge', 'response'].map(
    (name) => request.form.get(name) ?? '',
  )
  const signedIn = await people.signInWithPasskey(request, { challenge, response })
  if (signedIn) return redirectTo(next ?? homePath, signedIn.setCookies)
  const passkey = await people.requestPasskey()
  return signInAnswer(422, { next, error: refusedPasskey, passkey })
}

const notices = {
  again: 'You signed in a while ago. Enter your password again to go on.',
  out: 'You are signed out.',
  reset: 'Your password is changed, and your passkeys are removed. Sign in with the new password.',
}

async function submitPassword(people: People, request: PageRequest): Promise<PageAnswer> {
  const next = nextOf(people, request.form)
  const email = request.form.get('email') ?? ''
  const outcome = await people.signIn(request, email, request.form.get('password') ?? '')
  if (outcome.kind === 'signed_in') return redirectTo(next ?? homePath, outcome.setCookies)
  if (outcome.kind === 'code_needed') {
    return redirectTo(withNext('/sign-in/code', next), outcome.setCookies)
  }
  const error = refusal(outcome, 'Wrong e-mail or password.')
  const passkey = await people.requestPasskey()
  return withRefusal(outcome, (status) => signInAnswer(status, { next, email, error, passkey }))
}

async function showCode(people: People, request: PageRequest): Promise<PageAnswer> {
  const next = nextOf(people, request.url.searchParams)
  if (await people.findSession(request.headers)) return redirectTo(next ?? homePath)
  return codeAnswer(200, { next })
}

async function submitCode(people: People, request: PageRequest): Promise<PageAnswer> {
  const next = nextOf(people, request.form)
  // Another tab was faster.
  if (await people.findSession(request.headers)) return redirectTo(next ?? homePath)
  const outcome = await people.finishSignIn(request, request.form.get('code') ?? '')
  if (outcome.kind === 'signed_in') return redirectTo(next ?? homePath, outcome.setCookies)
  if (outcome.kind === 'start_again') {
    return redirectTo(withNext('/sign-in?ended=1', next), outcome.setCookies)
  }
  const error = refusal(
    outcome,
    outcome.kind === 'code_used'
      ? usedCodeMessage
      : 'This code is wrong or already used. Enter the code that the app shows now.',
  )
  return withRefusal(outcome, (status) => codeAnswer(status, { next, error }))
}

async function showHome(
  people: People,
  addressOf: AddressOf,
  request: PageRequest,
): Promise<PageAnswer> {
  const session = await people.findSession(request.headers)
  if (!session) return signInFirst(request)
  const memberships = await people.listMemberships(session.personId)
  const [only, another] = memberships
  if (only && memberships.every((one) => isLocked(session, one))) {
    return redirectTo(secondFactorPath)
  }
  if (only && !another) return redirectTo(addressOf(only.businessId))
  return {
    status: 200,
    title: 'Your businesses',
    body: <HomePage session={session} memberships={memberships} addressOf={addressOf} />,
  }
}

function signInAnswer(status: number, props: SignInProps): PageAnswer {
  return { status, title: 'Sign in', body: <SignInPage {...props} />, script: 'sign-in.js' }
}

function codeAnswer(status: number, props: CodeProps): PageAnswer {
  return { status, title: 'Enter your code', body: <CodePage {...props} /> }
}

function refusal(outcome: SignInOutcome, wrong: string): string {
  if (outcome.kind !== 'too_many_tries') return wrong
  return tooManyTriesMessage(outcome)
}

function withRefusal(outcome: SignInOutcome, answer: (status: number) => PageAnswer): PageAnswer {
  const headers: Record<string, string | string[]> = { 'set-cookie': outcome.setCookies }
  if (outcome.kind !== 'too_many_tries') return { ...answer(422), headers }
  return {
    ...answer(429),
    headers: { ...headers, 'retry-after': String(outcome.retryAfterSeconds) },
  }
}

function nextOf(people: People, parameters: URLSearchParams): string | undefined {
  return safeNextPath(parameters.get('next'), people.publicUrl)
}

function withNext(path: string, next: string | undefined): string {
  if (!next) return path
  return `${path}${path.includes('?') ? '&' : '?'}next=${encodeURIComponent(next)}`
}

function isLocked({ secondFactor }: Session, { role }: Membership): boolean {
  return secondFactor === 'missing' && roleNeedsSecondFactor(role)
}

type HomeProps = { session: Session; memberships: Membership[]; addressOf: AddressOf }

function HomePage({ session, memberships, addressOf }: HomeProps) {
  const locked = memberships.filter((membership) => isLocked(session, membership))
  return (
    <div class="card narrow mx-auto">
      <div class="card-body">
        <div class="d-flex flex-wrap align-items-center justify-content-between gap-2 mb-3">
          <h1 class="h2 mb-0">Your businesses</h1>
          <form method="post" action="/sign-out">
            <button class="btn" type="submit">
              Sign out
            </button>
          </form>
        </div>
        <p class="text-break">
          Signed in as {session.name} ({session.email}).
        </p>
        {locked.length > 0 && (
          <div class="note note-unsure mb-3" role="status">
            Owners, admins and approvers need a second factor, and this account has none. Until you
            set one up, you can’t act for{' '}
            {locked.map(({ businessName }) => businessName).join(', ')}.
          </div>
        )}
        {session.secondFactor === 'missing' && (
          <p>
            <a href={secondFactorPath}>Set up a second factor</a>
          </p>
        )}
        <BusinessList memberships={memberships} addressOf={addressOf} />
      </div>
    </div>
  )
}

function BusinessList({ memberships, addressOf }: Omit<HomeProps, 'session'>) {
  if (memberships.length === 0) {
    return <p>You are not a member of any business yet. Ask an owner to add you.</p>
  }
  return (
    <ul class="list-group">
      {memberships.map((membership) => (
        <li class="list-group-item" key={membership.businessId}>
          <div class="d-flex align-items-center justify-content-between gap-3">
            <a class="text-break" href={addressOf(membership.businessId)}>
              {membership.businessName}
            </a>
            <span>{membership.role}</span>
          </div>
        </li>
      ))}
    </ul>
  )
}
