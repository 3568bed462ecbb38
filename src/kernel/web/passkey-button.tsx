// A button that asks the browser for a passkey (islands/passkeys.ts). It is hidden until the script
// knows that the browser has them.
import type { PasskeyRequest } from '../auth/passkeys.ts'

type PasskeyProps = {
  request: PasskeyRequest
  label: string
  // Before the names of the fields, in a form with others of these names.
  prefix?: string
  isWide?: boolean
}

export function PasskeyButton({ request, label, prefix = '', isWide = false }: PasskeyProps) {
  return (
    <div data-passkey-part hidden>
      <input type="hidden" name={`${prefix}challenge`} value={request.challenge} />
      <input type="hidden" name={`${prefix}response`} value="" data-passkey-response />
      <p class="field-error" role="alert" data-passkey-status hidden />
      <button type="button" class={`btn${isWide ? ' w-100' : ''}`} data-passkey={request.options}>
        {label}
      </button>
    </div>
  )
}
