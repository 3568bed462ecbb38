// The two sign-in forms. They work without JavaScript. An error takes the focus, so that a screen
// reader reads it first. The typed e-mail address stays.
import type { ComponentChildren } from 'preact'
import type { PasskeyRequest } from '../auth/passkeys.ts'
import { PasskeyButton } from './passkey-button.tsx'

export type SignInProps = {
  next?: string | undefined
  email?: string
  error?: string | undefined
  notice?: string | undefined
  // Where the address of the server allows passkeys.
  passkey?: PasskeyRequest | undefined
}

export function SignInPage({ next, email = '', error, notice, passkey }: SignInProps) {
  const after = passkey && (
    <form class="passkey-form" method="post" action="/sign-in/passkey">
      {next && <input type="hidden" name="next" value={next} />}
      <PasskeyButton request={passkey} label="Sign in with a passkey" isWide />
    </form>
  )
  return (
    <FormCard
      action="/sign-in"
      title="Sign in"
      next={next}
      error={error}
      notice={notice}
      after={after}
    >
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
          {...stateOf(error)}
        />
      </div>
      <div class="mb-3">
        <label class="form-label" for="password">
          Password
        </label>
        <input
          class="form-control"
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          {...describedBy(error)}
        />
      </div>
      <button class="btn btn-primary w-100" type="submit">
        Sign in
      </button>
      <p class="mt-3 mb-0">
        <a href="/forgot-password">Forgot your password?</a>
      </p>
    </FormCard>
  )
}

// For a new password, with the address for password managers.
export function NewPasswordField({ email, error }: { email: string; error?: string | undefined }) {
  return (
    <div class="mb-3">
      <input type="email" autocomplete="username" value={email} readOnly hidden />
      <label class="form-label" for="password">
        Password
      </label>
      <p class="form-hint" id="password-hint">
        At least 12 characters; several words are fine.
      </p>
      <input
        class="form-control"
        id="password"
        name="password"
        type="password"
        autocomplete="new-password"
        required
        aria-describedby={error ? 'error password-hint' : 'password-hint'}
        {...(error && { 'aria-invalid': true })}
      />
    </div>
  )
}

export type CodeProps = { next?: string | undefined; error?: string | undefined }

export function CodePage({ next, error }: CodeProps) {
  return (
    <FormCard action="/sign-in/code" title="Enter your code" next={next} error={error}>
      <div class="mb-3">
        <label class="form-label" for="code">
          Code
        </label>
        <input
          class="form-control"
          id="code"
          name="code"
          type="text"
          autocomplete="one-time-code"
          autocapitalize="none"
          spellcheck={false}
          maxLength={20}
          required
          {...stateOf(error)}
        />
        <p class="form-hint mt-2">
          Enter the six digits from your authenticator app, or one of your backup codes.
        </p>
      </div>
      <button class="btn btn-primary w-100" type="submit">
        Continue
      </button>
      <p class="mt-3 mb-0">
        <a href="/sign-in">Sign in with another account</a>
      </p>
    </FormCard>
  )
}

type FormCardProps = {
  action: string
  title: string
  next?: string | undefined
  error?: string | undefined
  notice?: string | undefined
  // Below the form.
  after?: ComponentChildren
  children: ComponentChildren
}

export function FormCard({ action, title, next, error, notice, after, children }: FormCardProps) {
  return (
    <div class="card form-card">
      <form class="card-body" method="post" action={action}>
        <h1 class="h2 mb-4">{title}</h1>
        {error && (
          <div class="note note-bad mb-3" role="alert" id="error" tabIndex={-1} autofocus>
            {error}
          </div>
        )}
        {notice && (
          <div class="note note-good mb-3" role="status">
            {notice}
          </div>
        )}
        {next && <input type="hidden" name="next" value={next} />}
        {children}
      </form>
      {after}
    </div>
  )
}

// The first field has the focus, unless there is an error to read first.
function stateOf(error: string | undefined) {
  return error ? describedBy(error) : { autofocus: true }
}

function describedBy(error: string | undefined) {
  return error ? { 'aria-invalid': true, 'aria-describedby': 'error' } : {}
}
