// The first page of a new server: creates its first business and its owner. Without a business
// there is nothing to sign in to, so it asks for the one-time code, which the operator has.
// Afterwards it leads to the second factor, and from there to Home with its first steps.
import type { People } from '../../kernel/auth/people.ts'
import { passwordLengthMin } from '../../kernel/auth/person-password.ts'
import { tooManyTriesMessage } from '../../kernel/auth/sign-in.ts'
import { currencyCodes } from '../../kernel/money/currency.ts'
import { PasswordField, SelectField, TextField } from '../../kernel/web/form.tsx'
import { type Page, type PageAnswer, type PageRequest, redirectTo } from '../../kernel/web/page.ts'
import { secondFactorPath } from '../../kernel/web/second-factor-pages.tsx'
import { FormCard } from '../../kernel/web/sign-in-forms.tsx'
import { countries } from './countries.ts'
import type { SetUp, SetUpInput } from './set-up.ts'

export const setUpPath = '/set-up'

export function setUpPages(setUp: SetUp, people: People): Page[] {
  const page = (
    method: Page['method'],
    handle: (request: PageRequest) => Promise<PageAnswer>,
  ): Page => ({
    method,
    path: setUpPath,
    async handle(request) {
      const answer = (await setUp.isNeeded()) ? await handle(request) : redirectTo('/sign-in')
      return { ...answer, headers: { 'cache-control': 'no-store', ...answer.headers } }
    },
  })
  return [
    page('GET', async () => shown(200, {})),
    page('POST', async (request) => submit(setUp, people, request)),
  ]
}

async function submit(setUp: SetUp, people: People, request: PageRequest): Promise<PageAnswer> {
  const input = inputOf(request.form)
  const outcome = await setUp.submit(request.address, input)
  if (outcome.kind === 'over') return redirectTo('/sign-in')
  if (outcome.kind === 'too_many_tries') {
    const { retryAfterSeconds } = outcome
    const problems = { code: tooManyTriesMessage(outcome) }
    const headers = { 'retry-after': String(retryAfterSeconds) }
    return { ...shown(429, { input, problems }), headers }
  }
  if (outcome.kind === 'refused') return shown(422, { input, problems: outcome.problems })
  const signedIn = await people.signIn(request, input.ownerEmail, input.password)
  return redirectTo(secondFactorPath, signedIn.setCookies)
}

function inputOf(form: URLSearchParams): SetUpInput {
  const text = (name: keyof SetUpInput) => form.get(name) ?? ''
  return {
    code: text('code'),
    businessName: text('businessName'),
    country: text('country'),
    currency: text('currency'),
    timeZone: text('timeZone'),
    ownerName: text('ownerName'),
    ownerEmail: text('ownerEmail'),
    password: text('password'),
  }
}

type Draft = {
  readonly input?: SetUpInput
  readonly problems?: Readonly<Record<string, string>>
}

function shown(status: number, draft: Draft): PageAnswer {
  return { status, title: 'Set up Tillbook', body: <SetUpForm {...draft} /> }
}

function SetUpForm({ input, problems = {} }: Draft) {
  const text = (name: keyof SetUpInput, label: string, more: { hint?: string } = {}) => (
    <TextField
      {...{ name, label, value: input?.[name] ?? '', error: problems[name], ...more }}
      autocomplete={autocomplete[name] ?? 'off'}
    />
  )
  const select = (name: keyof SetUpInput, label: string, choices: Record<string, string>) => (
    <SelectField {...{ name, label, choices, value: input?.[name] ?? '', error: problems[name] }} />
  )
  return (
    <FormCard action={setUpPath} title="Set up Tillbook" error={summaryOf(problems)}>
      <p>
        This server has no business yet. To create the first one, enter the one-time code of this
        server: <code>cli setup-code</code> shows it, and the log names the file that contains it.
      </p>
      {text('code', 'One-time code')}
      <h2 class="h3 mt-4">The business</h2>
      {text('businessName', 'Name of the business')}
      {select('country', 'Country', countries())}
      {select('currency', 'Currency of its books', same(currencyCodes))}
      {select('timeZone', 'Time zone', same(['UTC', ...Intl.supportedValuesOf('timeZone')]))}
      <h2 class="h3 mt-4">You, its owner</h2>
      {text('ownerName', 'Your name')}
      {text('ownerEmail', 'Your e-mail', { hint: 'You sign in with it.' })}
      <PasswordField
        name="password"
        label="Password"
        autocomplete="new-password"
        hint={`At least ${passwordLengthMin} characters. The next page sets up a second factor.`}
        error={problems.password}
      />
      <button class="btn btn-primary w-100" type="submit">
        Create business
      </button>
    </FormCard>
  )
}

const autocomplete: Partial<Record<keyof SetUpInput, string>> = {
  businessName: 'organization',
  ownerName: 'name',
  ownerEmail: 'username',
}

function summaryOf(problems: Readonly<Record<string, string>>): string | undefined {
  const [first, ...others] = Object.values(problems)
  return others.length === 0 ? first : `Please correct ${others.length + 1} fields.`
}

function same(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name.replaceAll('_', ' ')]))
}
