// Pages behind the links that are mailed to people. Opening one only shows a page, since programs
// open links too; its button acts.
import { changeEmail, findEmailChange } from '../../kernel/account/change-email.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Page, PageAnswer, PageRequest } from '../../kernel/web/page.ts'
import { FormCard } from '../../kernel/web/sign-in-forms.tsx'

export function linkPages(context: Context): Page[] {
  return emailPages(context).map((page) => ({ hosted: 'plain', ...page }))
}

function emailPages(context: Context): Page[] {
  const path = '/confirm-email/:token'
  return [
    {
      method: 'GET',
      path,
      async handle({ url, params }) {
        const email = await findEmailChange(context, params.token ?? '')
        if (email === undefined) return deadLink
        return {
          status: 200,
          title: 'Confirm your e-mail address',
          body: (
            <FormCard action={url.pathname} title="Confirm your e-mail address">
              <p class="text-break">
                You will sign in with <strong>{email}</strong> from now on.
              </p>
              <button class="btn btn-primary w-100" type="submit">
                Confirm
              </button>
            </FormCard>
          ),
        }
      },
    },
    {
      method: 'POST',
      path,
      async handle({ params }: PageRequest) {
        const email = await changeEmail(context, params.token ?? '')
        if (email === undefined) return deadLink
        return messagePage(
          'Your e-mail address is changed',
          `You sign in with ${email} from now on.`,
        )
      },
    },
  ]
}

// The same for links that were used, replaced or made up.
export const deadLink: PageAnswer = {
  ...messagePage(
    'This link no longer works',
    'It was used, has expired, or a newer one was sent. If you still need it, ask for a new one.',
  ),
  status: 404,
}

export function messagePage(title: string, text: string): PageAnswer {
  return {
    status: 200,
    title,
    body: (
      <div class="card form-card">
        <div class="card-body">
          <h1 class="h2 mb-4">{title}</h1>
          <p class="text-break">{text}</p>
          <a class="btn btn-primary w-100" href="/home">
            Continue
          </a>
        </div>
      </div>
    ),
  }
}
