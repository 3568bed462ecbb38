// Sets up a second factor for signed-in people without one: new people, and those whose factor was
// reset. The page shows it once and asks for a code, which proves that the app has it.
import { toString as drawCode } from 'qrcode'
import type { People } from '../auth/people.ts'
import type { NewSecondFactor, Session } from '../auth/person.ts'
import { type Page, type PageAnswer, type PageRequest, redirectTo } from './page.ts'
import { FormCard } from './sign-in-forms.tsx'
import { signInFirst } from './signed-in.ts'

export const secondFactorPath = '/second-factor'
const homePath = '/home'

export function secondFactorPages(people: People): Page[] {
  const page = (
    method: Page['method'],
    path: string,
    handle: (session: Session, request: PageRequest) => Promise<PageAnswer>,
  ): Page => ({
    method,
    path,
    async handle(request) {
      const session = await people.findSession(request.headers)
      if (!session) return signInFirst(request)
      if (session.secondFactor === 'proven') return redirectTo(homePath)
      const answer = await handle(session, request)
      return { ...answer, headers: { 'cache-control': 'no-store', ...answer.headers } }
    },
  })
  return [
    page('GET', secondFactorPath, async () => ({
      status: 200,
      title: 'Second factor',
      body: <StartPage />,
    })),
    page('POST', `${secondFactorPath}/new`, async (session) =>
      showFactor(200, await people.startSecondFactor(session)),
    ),
    page('POST', secondFactorPath, async (session, { form }) => {
      const factor = await people.confirmSecondFactor(session, form.get('code') ?? '')
      if (!factor) return redirectTo(homePath)
      return showFactor(422, factor, 'This code is wrong. Enter the code that the app shows now.')
    }),
  ]
}

async function showFactor(
  status: number,
  factor: NewSecondFactor,
  error?: string,
): Promise<PageAnswer> {
  const svg = await drawCode(factor.otpauthUrl, { type: 'svg', margin: 4 })
  const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  const body = <FactorPage factor={factor} image={image} error={error} />
  return { status, title: 'Second factor', body }
}

function StartPage() {
  return (
    <FormCard action={`${secondFactorPath}/new`} title="Set up a second factor">
      <p>
        You need an authenticator app on your phone or computer. The next page shows a code for it,
        and backup codes for the day you don’t have it with you. Both are shown this once.
      </p>
      <button class="btn btn-primary w-100" type="submit">
        Continue
      </button>
    </FormCard>
  )
}

type FactorProps = { factor: NewSecondFactor; image: string; error: string | undefined }

function FactorPage({ factor, image, error }: FactorProps) {
  const { totpSecret, otpauthUrl, backupCodes } = factor
  return (
    <FormCard action={secondFactorPath} title="Set up a second factor" error={error}>
      <p>Scan this with your authenticator app:</p>
      <p class="text-center">
        <img src={image} width="220" height="220" alt="QR code for an authenticator app" />
      </p>
      <p>
        Or <a href={otpauthUrl}>open the app on this device</a>, or type the secret:
      </p>
      <p class="text-break">
        <code>{totpSecret}</code>
      </p>
      <p>Keep these backup codes somewhere safe. Each works once in place of a code.</p>
      <ul class="list-unstyled">
        {backupCodes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="mb-3">
        <label class="form-label" for="code">
          Code that the app shows
        </label>
        <input
          class="form-control"
          id="code"
          name="code"
          type="text"
          inputMode="numeric"
          autocomplete="one-time-code"
          maxLength={20}
          required
          {...(error ? { 'aria-invalid': true, 'aria-describedby': 'error' } : {})}
        />
      </div>
      <button class="btn btn-primary w-100" type="submit">
        Finish
      </button>
    </FormCard>
  )
}
