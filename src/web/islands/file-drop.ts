// Uploads a file as soon as it is chosen, or dropped on the form. The form is sent as a whole and
// comes back with what was typed, and the file beside it.
const bytesMax = 5 * 1024 * 1024
const waitMs = 200

export function startFileDrop(form: HTMLFormElement): void {
  const area = form.querySelector('[data-file-drop]')
  const input = area?.querySelector<HTMLInputElement>('input[type=file]')
  const button = area?.querySelector<HTMLButtonElement>('button[value=attach]')
  const error = area?.querySelector<HTMLElement>('[data-file-error]')
  if (!area || !input || !button || !error) return
  button.hidden = true
  area.classList.add('is-scripted')

  const send = () => {
    const [file] = input.files ?? []
    if (!file) return
    if (file.size > bytesMax) {
      error.textContent = 'At most 5 MB.'
      error.hidden = false
      input.value = ''
      return
    }
    // A save that is under way must end first: it changes where the form is sent.
    if ('saving' in form.dataset) setTimeout(send, waitMs)
    else form.requestSubmit(button)
  }
  input.addEventListener('change', (event) => {
    // Nothing of the document has changed.
    event.stopPropagation()
    send()
  })
  form.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    area.classList.add('is-over')
  })
  form.addEventListener('dragleave', () => area.classList.remove('is-over'))
  form.addEventListener('drop', (event) => {
    area.classList.remove('is-over')
    if (!event.dataTransfer?.files.length) return
    event.preventDefault()
    input.files = event.dataTransfer.files
    send()
  })
}
