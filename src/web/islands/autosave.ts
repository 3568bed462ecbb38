// Saves a draft a moment after the last change, one save at a time. When another person has saved
// the same draft, it stops: submitting the form then shows both versions.
import type { Saved } from '../editor/autosave.ts'

const waitMs = 2500

// Call the result after every change.
export function startAutosave(form: HTMLFormElement): () => void {
  const status = form.querySelector('[data-save-status]')
  let timer: ReturnType<typeof setTimeout> | undefined
  let isSaving = false
  let isChanged = false
  let isStopped = false
  const say = (text: string) => {
    if (status) status.textContent = text
  }

  async function save(): Promise<void> {
    const url = form.dataset.autosave
    if (!url || isSaving || isStopped || !form.isConnected) return
    isSaving = true
    form.dataset.saving = ''
    isChanged = false
    try {
      const body = new URLSearchParams()
      for (const [name, value] of new FormData(form)) {
        if (typeof value === 'string') body.append(name, value)
      }
      const answer = await fetch(url, {
        method: 'POST',
        body,
        headers: { accept: 'application/json' },
      })
      await told(answer)
    } catch {
      // No connection: what was typed is still in the form, and the next change tries again.
      say('Not saved: no connection.')
    }
    isSaving = false
    delete form.dataset.saving
    if (isChanged) plan()
  }

  async function told(answer: Response): Promise<void> {
    if (answer.ok) {
      const saved = (await answer.json()) as Saved
      setHidden(form, 'version', saved.version)
      form.dataset.autosave = saved.autosaveHref
      if (form.action !== new URL(saved.editHref, location.href).href) {
        form.action = saved.editHref
        history.replaceState(history.state, '', saved.editHref)
      }
      say('Saved.')
      return
    }
    const isJson = answer.headers.get('content-type')?.includes('json')
    const { message = '' } = isJson ? ((await answer.json()) as { message?: string }) : {}
    if (answer.status === 409) {
      isStopped = true
      say(`${message} Save to see both versions.`)
    } else {
      say('Not saved yet: something is missing or wrong.')
    }
  }

  function plan(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void save(), waitMs)
  }

  form.addEventListener('submit', () => {
    isStopped = true
    isChanged = false
    clearTimeout(timer)
  })
  window.addEventListener('beforeunload', (event) => {
    if (form.isConnected && isChanged && !isStopped) event.preventDefault()
  })
  return () => {
    isChanged = true
    if (!form.dataset.autosave || isStopped) return
    say('')
    plan()
  }
}

function setHidden(form: HTMLFormElement, name: string, value: string): void {
  let input = form.querySelector<HTMLInputElement>(`input[type=hidden][name=${name}]`)
  if (!input) {
    input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    form.append(input)
  }
  input.value = value
}
