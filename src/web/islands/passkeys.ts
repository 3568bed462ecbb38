// Passkeys in the browser. A form with `data-passkey-new` asks the browser to make one when it is
// submitted; a button with `data-passkey` asks for one and submits its form. Both put the answer
// into the field with `data-passkey-response`. Without JavaScript, or without passkeys, the buttons
// stay hidden.
type Options = Readonly<Record<string, unknown>>

declare const PublicKeyCredential: {
  parseCreationOptionsFromJSON?(options: Options): PublicKeyCredentialCreationOptions
  parseRequestOptionsFromJSON?(options: Options): PublicKeyCredentialRequestOptions
}

const isSupported =
  'PublicKeyCredential' in window &&
  PublicKeyCredential.parseCreationOptionsFromJSON !== undefined &&
  PublicKeyCredential.parseRequestOptionsFromJSON !== undefined

export function showPasskeyButtons(): void {
  if (!isSupported) return
  for (const part of document.querySelectorAll<HTMLElement>('[data-passkey-part]')) {
    part.hidden = false
  }
}

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : undefined
  const button = target?.closest<HTMLButtonElement>('[data-passkey]')
  if (!button?.form) return
  event.preventDefault()
  void answer(button.form, async () => {
    const options = JSON.parse(button.dataset.passkey ?? '{}') as Options
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON?.(options)
    return publicKey ? navigator.credentials.get({ publicKey }) : null
  })
})

document.addEventListener(
  'submit',
  (event) => {
    const form = event.target instanceof HTMLFormElement ? event.target : undefined
    const field = form?.querySelector<HTMLElement>('[data-passkey-new]')
    if (!form || !field) return
    event.preventDefault()
    event.stopImmediatePropagation()
    void answer(form, async () => {
      const options = JSON.parse(field.dataset.passkeyNew ?? '{}') as Options
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON?.(options)
      return publicKey ? navigator.credentials.create({ publicKey }) : null
    })
  },
  { capture: true },
)

async function answer(form: HTMLFormElement, ask: () => Promise<Credential | null>): Promise<void> {
  const status = form.querySelector<HTMLElement>('[data-passkey-status]')
  try {
    const credential = await ask()
    const response = form.querySelector<HTMLInputElement>('[data-passkey-response]')
    if (!credential || !response) throw new Error('no passkey')
    response.value = JSON.stringify(credential)
    // Without the checks of the browser: the other fields are not needed.
    form.submit()
  } catch {
    if (!status) return
    status.hidden = false
    status.textContent = 'The passkey was not used. Try again, or use another way.'
  }
}
