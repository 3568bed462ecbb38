// Before something that a stolen session must not reach, the person proves again who they are: with
// a code, or with the password if the account has no second factor. The question is asked at the
// address of the form. What was typed into a form that was sent too late is kept in hidden fields
// and sent on with the proof. Passwords are never written into a page: such a form is
// filled in again.
import { provenAt } from '../../kernel/auth/person.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import { redirectTo } from '../../kernel/web/page.ts'
import { PasskeyButton } from '../../kernel/web/passkey-button.tsx'
import { PageHeader } from '../components/page-header.tsx'
import type { AppRoute, Shown } from './define-page.ts'
import { tokenField } from './token-field.ts'
import type { Visit } from './visit.ts'

const proofField = 'proof'

const freshSeconds = 5 * 60

export function afterProof(handle: AppRoute['handle']): AppRoute['handle'] {
  return async (visit) => {
    const { form, url } = visit.request
    const typed = form.get(proofField)
    const isFilledIn = form.has(tokenField)
    // A proof that was sent twice is already in the session.
    if (!isFresh(visit)) {
      if (typed === null) return ask(visit)
      const problem = await check(visit, typed)
      if (problem !== undefined) return ask(visit, problem)
    }
    const isOnlyProof = typed !== null && !isFilledIn
    return isOnlyProof ? redirectTo(`${url.pathname}${url.search}`) : handle(visit)
  }
}

// The fields of the question; all others are those of the form.
const passkeyPrefix = 'proof_'
const isOfQuestion = (name: string) => name === proofField || name.startsWith(passkeyPrefix)

const isPassword = (name: string) => /password/i.test(name)

function check(visit: Visit, typed: string): Promise<string | undefined> {
  const { form } = visit.request
  const [challenge = '', response = ''] = ['challenge', 'response'].map(
    (name) => form.get(`${passkeyPrefix}${name}`) ?? '',
  )
  return typed === '' && response !== ''
    ? visit.proveByPasskey({ challenge, response })
    : visit.proveAgain(typed)
}

function isFresh({ context, session }: Visit): boolean {
  const at = provenAt(session)
  return at !== null && at > addSeconds(context.clock.now(), -freshSeconds)
}

async function ask(visit: Visit, problem?: string): Promise<Shown> {
  const passkey = await visit.requestPasskey()
  const title = 'Confirm that it’s you'
  const sent = [...visit.request.form].filter(([name]) => !isOfQuestion(name))
  const hasPassword = sent.some(([name]) => isPassword(name))
  const kept = hasPassword ? [] : sent
  return {
    status: 403,
    title,
    content: (
      <>
        <PageHeader title={title} />
        <form class="card form-page" method="post" data-turbo="false">
          <div class="card-body">
            {problem && (
              <div class="note note-bad mb-3" role="alert" id="proof-error">
                {problem}
              </div>
            )}
            <p>
              The next step is sensitive, and you last confirmed your identity a while ago.
              {kept.length > 0 && ' What you have entered is kept.'}
              {hasPassword && ' Afterwards, fill in the form again: passwords are not kept.'}
            </p>
            {kept.map(([name, value], index) => (
              <input key={index} type="hidden" name={name} value={value} />
            ))}
            <ProofInput visit={visit} isWrong={problem !== undefined} />
            {passkey && (
              <PasskeyButton
                request={passkey}
                label="Use a passkey instead"
                prefix={passkeyPrefix}
              />
            )}
            <div class="actions mt-3">
              <button class="btn btn-primary" type="submit">
                Continue
              </button>
              <a href={visit.href('/')}>Cancel</a>
            </div>
          </div>
        </form>
      </>
    ),
  }
}

function ProofInput({ visit, isWrong }: { visit: Visit; isWrong: boolean }) {
  const wantsCode = visit.session.secondFactor === 'proven'
  const attributes = {
    class: `form-control${isWrong ? ' is-invalid' : ''}`,
    id: proofField,
    name: proofField,
    required: true,
    autofocus: true,
    'aria-describedby': `${isWrong ? 'proof-error ' : ''}proof-hint`,
    ...(isWrong && { 'aria-invalid': true }),
  }
  return (
    <div class="mb-3">
      <label class="form-label" for={proofField}>
        {wantsCode ? 'Code' : 'Password'}
      </label>
      <p class="form-hint" id="proof-hint">
        {wantsCode
          ? 'The six digits from your authenticator app, or one of your backup codes.'
          : 'The password with which you sign in.'}
      </p>
      {wantsCode ? (
        <input type="text" autocomplete="one-time-code" maxLength={20} {...attributes} />
      ) : (
        <input type="password" autocomplete="current-password" {...attributes} />
      )}
    </div>
  )
}
