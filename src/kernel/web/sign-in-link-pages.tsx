// The link of the welcome text. Opening it changes nothing, so that a preview or a prefetch does
// not use it up; its button signs in. A proxy in front means that others may come this way, so the
// link is refused there.
import type { ComponentChildren } from 'preact'
import type { People } from '../auth/people.ts'
import { signInLinkMinutes, signInLinkPath } from '../auth/sign-in-link.ts'
import { type Page, type PageAnswer, type PageRequest, redirectTo } from './page.ts'
import { FormCard } from './sign-in-forms.tsx'

const homePath = '/home'

export function signInLinkPages({ signInLinks, findSession }: People): Page[] {
  const page = (
    method: Page['method'],
    handle: (request: PageRequest) => Promise<PageAnswer>,
  ): Page => ({
    method,
    path: signInLinkPath,
    async handle(request) {
      const answer = isForwarded(request.headers) ? forwardedAnswer : await handle(request)
      return { ...answer, headers: { 'cache-control': 'no-store', ...answer.headers } }
    },
  })
  return [
    page('GET', async ({ url, headers }) => {
      const code = url.searchParams.get('code') ?? ''
      if (await signInLinks.isValid(code)) return offer(code)
      return (await findSession(headers)) ? redirectTo(homePath) : endedAnswer
    }),
    page('POST', async (request) => {
      const taken = await signInLinks.take(request, request.form.get('code') ?? '')
      if (taken) return redirectTo(homePath, taken.setCookies)
      // A second click on the button.
      return (await findSession(request.headers)) ? redirectTo(homePath) : endedAnswer
    }),
  ]
}

const forwardingHeaders = new Set(['forwarded', 'via', 'x-real-ip'])

function isForwarded(headers: Headers): boolean {
  return [...headers.keys()].some(
    (name) => forwardingHeaders.has(name) || name.startsWith('x-forwarded-'),
  )
}

function offer(code: string): PageAnswer {
  const body = (
    <FormCard action={signInLinkPath} title="The demo business">
      <p>
        Look around, and change what you like: it is a demo, and no real money moves. This button
        works once.
      </p>
      <input type="hidden" name="code" value={code} />
      <button class="btn btn-primary w-100" type="submit" autofocus>
        Sign in as the demo’s owner
      </button>
      <p class="mt-3 mb-0">
        <a href="/sign-in">Sign in with password and code instead</a>
      </p>
    </FormCard>
  )
  return { status: 200, title: 'Sign in', body }
}

const endedAnswer: PageAnswer = {
  status: 410,
  title: 'This link has ended',
  body: (
    <Refusal title="This link has ended">
      It works once, within {signInLinkMinutes} minutes after the start. Sign in with the password
      and a code that were printed with it, or start Tillbook again to get a new link.
    </Refusal>
  ),
}

const forwardedAnswer: PageAnswer = {
  status: 403,
  title: 'This link does not work here',
  body: (
    <Refusal title="This link does not work here">
      It works only in a browser on the machine that runs Tillbook, without a proxy in between. Sign
      in with your password and code.
    </Refusal>
  ),
}

function Refusal({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="card form-card">
      <div class="card-body">
        <h1 class="h2 mb-4">{title}</h1>
        <p>{children}</p>
        <a class="btn btn-primary w-100" href="/sign-in">
          Sign in
        </a>
      </div>
    </div>
  )
}
