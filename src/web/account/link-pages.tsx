// Pages behind the links that are mailed to people. Opening one only shows a page, since programs
// open links too; its button acts.
import { changeEmail, findEmailChange } from '../../kernel/account/change-email.ts'
import type { People } from '../../kernel/auth/people.ts'
import type { Session } from '../../kernel/auth/person.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Page, PageAnswer, PageRequest } from '../../kernel/web/page.ts'
import { FormCard } from '../../kernel/web/sign-in-forms.tsx'
import { signInFirst } from '../../kernel/web/signed-in.ts'

export function linkPages(context: Context, people: People): Page[] {
  return emailPages(context, people).map((page) => ({ hosted: 'plain', ...page }))
}

function emailPages(context: Context, people: People): Page[] {
  const page = (
    method: Page['method'],
    handle: (
      session: Session,
      email: string,
      request: PageRequest,
    ) => PageAnswer | Promise<PageAnswer>,
  ): Page => ({
    method,
    path: '/confirm-email/:token',
    async handle(request) {
      const change = await findEmailChange(context, request.params.token ?? '')
      if (!change) return deadLink
      const session = await people.findSession(request.headers)
      if (!session) return signInFirst(request)
      return session.personId === change.personId
        ? handle(session, change.email, request)
        : otherAccount
    },
  })
  return [
    page('GET', (_session, email, { url }) => ({
      status: 200,
      title: 'Confirm your e-mail address',
      body: (
        <FormCard action={url.pathname} title="Confirm your e-mail address">
          <p class="text-break">
            You will sign in with <strong>{email}</strong> from now on. Your other sessions end.
          </p>
          <button class="btn btn-primary w-100" type="submit">
            Confirm
          </button>
        </FormCard>
      ),
    })),
    page('POST', async (session, _email, { params }) => {
      const email = await changeEmail(context, session, params.token ?? '')
      if (email === undefined) return deadLink
      return messagePage('Your e-mail address is changed', `You sign in with ${email} from now on.`)
    }),
  ]
}

const otherAccount: PageAnswer = {
  ...messagePage(
    'This link is for another account',
    'Sign out, then open the link again and sign in with the account that asked for it.',
  ),
  status: 403,
}

// The same for links that were used, replaced or made up.
export const deadLink: PageAnswer = {
  ...messagePage(
    'This link no longer works',
    'It was used, has expired, or a newer one was sent. If you still need it, ask for a new one.',
  ),
  status: 404,
}

export function messagePage(title: string, text: string, next = 'Continue'): PageAnswer {
  return {
    status: 200,
    title,
    body: (
      <div class="card form-card">
        <div class="card-body">
          <h1 class="h2 mb-4">{title}</h1>
          <p class="text-break">{text}</p>
          <a class="btn btn-primary w-100" href="/home">
            {next}
          </a>
        </div>
      </div>
    ),
  }
}
