// Sets up a second factor for signed-in people without one: new people, and those whose factor was
// reset. The page asks for a code, which proves that the app has it, and then shows the backup
// codes once. A new factor proves who someone is, so the password must have been entered just now:
// a stolen session must not set up a factor of the thief.
import type { People } from '../auth/people.ts'
import type { ProposedFactor, Session } from '../auth/person.ts'
import { safeNextPath } from '../auth/sign-in-origin.ts'
import { BackupCodes, drawFactor, NewFactor } from './new-factor.tsx'
import { type Page, type PageAnswer, type PageRequest, redirectTo } from './page.ts'
import { FormCard } from './sign-in-forms.tsx'
import { signInAgain, signInFirst } from './signed-in.ts'

export const secondFactorPath = '/second-factor'
const homePath = '/home'

export function secondFactorPages(people: People): Page[] {
  const page = (
    method: Page['method'],
    handle: (session: Session, request: PageRequest) => Promise<PageAnswer>,
  ): Page => ({
    method,
    path: secondFactorPath,
    async handle(request) {
      const session = await people.findSession(request.headers)
      if (!session) return signInFirst(request)
      if (session.secondFactor === 'proven') return redirectTo(nextOf(people, request))
      if (!people.maySetUpSecondFactor(session)) {
        return signInAgain(
          `${secondFactorPath}?next=${encodeURIComponent(nextOf(people, request))}`,
        )
      }
      const answer = await handle(session, request)
      return { ...answer, headers: { 'cache-control': 'no-store', ...answer.headers } }
    },
  })
  return [
    page('GET', async (session, request) => {
      const next = nextOf(people, request)
      return showFactor(200, people.proposeSecondFactor(session), { next })
    }),
    page('POST', async (session, request) => {
      const { form } = request
      const next = nextOf(people, request)
      const sent = { proposal: form.get('proposal') ?? '', code: form.get('code') ?? '' }
      const outcome = await people.confirmSecondFactor(session, sent)
      if ('backupCodes' in outcome) return showCodes(outcome.backupCodes, next)
      const factor = people.proposeSecondFactor(session, sent.proposal)
      return showFactor(422, factor, { next, error: outcome.problem })
    }),
  ]
}

// For someone whose role needs a second factor: afterwards they come back to this page.
export function setUpFirst({ url }: PageRequest): PageAnswer {
  const next = encodeURIComponent(`${url.pathname}${url.search}`)
  return redirectTo(`${secondFactorPath}?next=${next}`)
}

function nextOf(people: People, { url, form }: PageRequest): string {
  const next = form.get('next') ?? url.searchParams.get('next')
  return safeNextPath(next, people.publicUrl) ?? homePath
}

async function showFactor(
  status: number,
  factor: ProposedFactor,
  { next, error }: { next: string; error?: string },
): Promise<PageAnswer> {
  const image = await drawFactor(factor)
  return {
    status,
    title: 'Set up a second factor',
    body: (
      <FormCard action={secondFactorPath} title="Set up a second factor" next={next} error={error}>
        <p>
          Owners, admins and approvers need one, so that a password alone opens nothing. You need an
          authenticator app on your phone or computer.
        </p>
        <NewFactor factor={factor} image={image} error={error} />
        <button class="btn btn-primary w-100" type="submit">
          Finish
        </button>
      </FormCard>
    ),
  }
}

function showCodes(codes: readonly string[], next: string): PageAnswer {
  return {
    status: 200,
    title: 'Your backup codes',
    body: (
      <div class="card form-card">
        <div class="card-body">
          <h1 class="h2 mb-4">Your backup codes</h1>
          <BackupCodes codes={codes} />
          <a class="btn btn-primary w-100" href={next}>
            I have saved them
          </a>
        </div>
      </div>
    ),
  }
}
