// A new second factor on the page: the QR code for the authenticator app, the same as text, and the
// field for the first code.
import { toString as drawCode } from 'qrcode'
import type { ProposedFactor } from '../auth/person.ts'
import { Alert, CodeBlock } from './components.tsx'

export async function drawFactor({ otpauthUrl }: ProposedFactor): Promise<string> {
  const svg = await drawCode(otpauthUrl, { type: 'svg', margin: 4 })
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}

type FactorProps = {
  factor: ProposedFactor
  // What `drawFactor` returned.
  image: string
  error?: string | undefined
}

export function NewFactor({ factor, image, error }: FactorProps) {
  const { totpSecret, otpauthUrl, proposal } = factor
  return (
    <ol class="factor-steps">
      <li>
        <p>Scan this with your authenticator app:</p>
        <p>
          <img
            class="factor-code"
            src={image}
            width="200"
            height="200"
            alt="QR code for an authenticator app"
          />
        </p>
        <details class="mb-3">
          <summary>Can’t scan it?</summary>
          <p class="mt-2">
            <a href={otpauthUrl}>Open the app on this device</a>, or type this secret into it:
          </p>
          <p class="text-break">
            <code>{totpSecret}</code>
          </p>
        </details>
      </li>
      <li>
        <label class="form-label" for="code">
          Enter the code that the app shows
        </label>
        <input type="hidden" name="proposal" value={proposal} />
        <input
          class={`form-control code-field${error ? ' is-invalid' : ''}`}
          id="code"
          name="code"
          type="text"
          inputMode="numeric"
          autocomplete="one-time-code"
          maxLength={20}
          required
          {...(error ? { 'aria-invalid': true, 'aria-describedby': 'code-error' } : {})}
        />
        {error && (
          <p class="field-error" id="code-error">
            {error}
          </p>
        )}
      </li>
    </ol>
  )
}

export function BackupCodes({ codes }: { codes: readonly string[] }) {
  return (
    <>
      <Alert tone="unsure">
        Keep these codes somewhere safe. They are not shown again. Each works once in place of a
        code of the app, for the day you don’t have it with you.
      </Alert>
      <CodeBlock id="backup-codes" label="Backup codes" text={codes.join('\n')} />
    </>
  )
}
