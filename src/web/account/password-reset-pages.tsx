// A forgotten password: asking for the link, and choosing a new password behind it. The answer is
// the same whether or not the address has an account.
import { requestPasswordReset } from '../../kernel/account/request-password-reset.ts'
import { findPasswordReset, resetOwnPassword } from '../../kernel/account/reset-own-password.ts'
import { Fault, faultKinds } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import { type Page, type PageAnswer, redirectTo } from '../../kernel/web/page.ts'
import { FormCard, NewPasswordField } from '../../kernel/web/sign-in-forms.tsx'
import { faultText } from './fault-text.ts'
import { deadLink, messagePage } from './link-pages.tsx'

export function passwordResetPages(context: Context): Page[] {
  const path = '/reset-password/:token'
  const pages: Page[] = [
    { method: 'GET', path: askPath, handle: async () => askPage(200) },
    {
      method: 'POST',
      path: askPath,
      async handle({ form, address }) {
        const email = form.get('email') ?? ''
        try {
          await requestPasswordReset(context, { email, address })
        } catch (error) {
          if (!(error instanceof Fault)) throw error
          return askPage(faultKinds[error.kind].status, email, faultText(error))
        }
        return messagePage(
          'Check your mail',
          `If ${email} has an account, we have mailed a link to it. It works for an hour.`,
          'Back to sign-in',
        )
      },
    },
    {
      method: 'GET',
      path,
      async handle({ url, params }) {
        const email = await findPasswordReset(context, params.token ?? '')
        return email === undefined ? deadLink : choosePage(200, url.pathname, email)
      },
    },
    {
      method: 'POST',
      path,
      hosted: 'costly',
      async handle({ url, params, form }) {
        const token = params.token ?? ''
        try {
          const isDone = await resetOwnPassword(context, token, form.get('password') ?? '')
          return isDone ? redirectTo('/sign-in?reset=1') : deadLink
        } catch (error) {
          if (!(error instanceof Fault)) throw error
          const email = (await findPasswordReset(context, token)) ?? ''
          return choosePage(422, url.pathname, email, faultText(error))
        }
      },
    },
  ]
  return pages.map((page) => ({ hosted: 'plain', ...page }))
}

const askPath = '/forgot-password'

function askPage(status: number, email = '', error?: string): PageAnswer {
  return {
    status,
    title: 'Forgot your password?',
    body: (
      <FormCard action={askPath} title="Forgot your password?" error={error}>
        <p>
          Enter the e-mail address of your account. We mail you a link to choose a new password.
        </p>
        <div class="mb-3">
          <label class="form-label" for="email">
            E-mail
          </label>
          <input
            class="form-control"
            id="email"
            name="email"
            type="email"
            autocomplete="username"
            required
            value={email}
            {...(error && { 'aria-invalid': true, 'aria-describedby': 'error' })}
          />
        </div>
        <button class="btn btn-primary w-100" type="submit">
          Send link
        </button>
        <p class="mt-3 mb-0">
          <a href="/sign-in">Back to sign-in</a>
        </p>
      </FormCard>
    ),
  }
}

function choosePage(status: number, action: string, email: string, error?: string): PageAnswer {
  return {
    status,
    title: 'Choose a new password',
    body: (
      <FormCard action={action} title="Choose a new password" error={error}>
        <p class="text-break">For {email}. You are signed out everywhere.</p>
        <NewPasswordField email={email} error={error} />
        <button class="btn btn-primary w-100" type="submit">
          Change password
        </button>
      </FormCard>
    ),
  }
}
