// A list below a field that offers what matches while one types, by code or name. Arrow keys move,
// Enter or Tab chooses, Escape closes. One list serves all fields of the form, since only one has
// the focus. It replaces the list of the browser, which knows only what is on the page.
const waitMs = 120
const shownMax = 20

export type PickerSource = {
  // What is known already, best first.
  known(list: string, text: string, max: number): string[]
  // Looks for more; undefined if all of this list is known.
  more(list: string): ((text: string, signal: AbortSignal) => Promise<void>) | undefined
}

export function startPicker(form: HTMLFormElement, source: PickerSource): void {
  const picker = new Picker(source)
  form.addEventListener('focusin', ({ target }) => picker.focused(target))
  form.addEventListener('focusout', () => picker.close())
  form.addEventListener('input', ({ target }) => picker.typed(target))
  form.addEventListener('pointerdown', (event) => picker.pointed(event))
  // Before the keys of the editor, for which Enter and arrows have other meanings.
  form.addEventListener('keydown', (event) => picker.pressed(event), { capture: true })
}

class Picker {
  private readonly source: PickerSource
  private readonly popup = makePopup()
  private field: HTMLInputElement | undefined
  private at = -1
  private timer: ReturnType<typeof setTimeout> | undefined
  private asking: AbortController | undefined

  constructor(source: PickerSource) {
    this.source = source
  }

  focused(target: EventTarget | null): void {
    if (!(target instanceof HTMLInputElement)) return
    const list = target.getAttribute('list')
    if (list) prepare(target, list.replace('choices-', ''))
    this.field = target.dataset.picks === undefined ? undefined : target
  }

  typed(target: EventTarget | null): void {
    if (this.field && target === this.field) this.open(this.field)
  }

  pointed(event: PointerEvent): void {
    if (!(event.target instanceof Element) || !this.popup.contains(event.target)) return
    // The field keeps the focus.
    event.preventDefault()
    const option = event.target.closest('[role=option]')
    if (option) this.choose(option.textContent ?? '')
  }

  pressed(event: KeyboardEvent): void {
    const { field } = this
    if (!field || event.target !== field) return
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const isOpen = this.popup.isConnected
    const label = this.options()[this.at]?.textContent
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) this.open(field)
      else this.select(event.key === 'ArrowDown' ? this.at + 1 : Math.max(this.at - 1, 0))
    } else if (isOpen && event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      this.close()
    } else if (isOpen && label && (event.key === 'Enter' || event.key === 'Tab')) {
      if (event.key === 'Enter') event.preventDefault()
      event.stopPropagation()
      this.choose(label)
    }
  }

  close(): void {
    clearTimeout(this.timer)
    this.asking?.abort()
    this.popup.remove()
    this.at = -1
    this.field?.setAttribute('aria-expanded', 'false')
    this.field?.removeAttribute('aria-activedescendant')
  }

  private options(): HTMLElement[] {
    return [...this.popup.querySelectorAll<HTMLElement>('[role=option]')]
  }

  private open(input: HTMLInputElement): void {
    const list = input.dataset.picks ?? ''
    this.offer(input, list)
    clearTimeout(this.timer)
    this.asking?.abort()
    const more = this.source.more(list)
    const text = input.value.trim()
    if (!more || text === '') return
    this.asking = new AbortController()
    const { signal } = this.asking
    this.timer = setTimeout(() => {
      const shown = () => {
        if (!signal.aborted && this.field === input) this.offer(input, list)
      }
      // Without a connection, what is known is offered.
      more(text, signal).then(shown, () => undefined)
    }, waitMs)
  }

  private offer(input: HTMLInputElement, list: string): void {
    const labels = this.source.known(list, input.value, shownMax)
    const chosen = this.options()[this.at]?.textContent
    this.popup.replaceChildren(...labels.map(optionOf))
    if (labels.length === 0) this.popup.append(noteOf('Nothing found'))
    if (!this.popup.isConnected) input.after(this.popup)
    input.setAttribute('aria-expanded', 'true')
    // What one types is meant to find something: the first is chosen unless the field is empty.
    const kept = chosen ? labels.indexOf(chosen) : -1
    this.select(kept >= 0 ? kept : input.value.trim() === '' ? -1 : 0)
  }

  private select(index: number): void {
    const all = this.options()
    this.at = Math.min(index, all.length - 1)
    for (const [place, option] of all.entries()) {
      option.setAttribute('aria-selected', String(place === this.at))
    }
    all[this.at]?.scrollIntoView({ block: 'nearest' })
    if (this.at >= 0) this.field?.setAttribute('aria-activedescendant', `picker-${this.at}`)
    else this.field?.removeAttribute('aria-activedescendant')
  }

  private choose(label: string): void {
    const { field } = this
    this.close()
    if (!field || field.value === label) return
    field.value = label
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
}

function makePopup(): HTMLElement {
  const popup = document.createElement('ul')
  popup.className = 'picker'
  popup.id = 'picker'
  popup.setAttribute('role', 'listbox')
  return popup
}

function prepare(input: HTMLInputElement, list: string): void {
  input.dataset.picks = list
  input.removeAttribute('list')
  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-autocomplete', 'list')
  input.setAttribute('aria-controls', 'picker')
  input.setAttribute('aria-expanded', 'false')
}

function optionOf(label: string, index: number): HTMLElement {
  const option = document.createElement('li')
  option.id = `picker-${index}`
  option.setAttribute('role', 'option')
  option.textContent = label
  return option
}

function noteOf(text: string): HTMLElement {
  const note = document.createElement('li')
  note.className = 'picker-note'
  note.setAttribute('role', 'presentation')
  note.textContent = text
  return note
}
