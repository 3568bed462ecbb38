// The command palette: a dialog whose results come from the search page while one types. Arrow keys
// choose, Enter opens.
const waitMs = 90

// The timer of what was typed last, until it is sent.
let waiting: number | undefined
// Enter was pressed before the results for what was typed had come.
let opensFirst = false

export function openPalette(text = ''): boolean {
  const dialog = paletteOf()
  if (!dialog) return false
  if (!dialog.open) {
    dialog.showModal()
    opensFirst = false
    const input = inputOf(dialog)
    input.value = text
    send(input)
  }
  return true
}

// Going back shows the page as it was left: without the palette.
document.addEventListener('turbo:before-cache', () => paletteOf()?.close())

// A refresh of the page leaves an open palette as it is.
document.addEventListener('turbo:before-morph-element', (event) => {
  const dialog = paletteOf()
  if (dialog?.open && event.target === dialog) event.preventDefault()
})

// A click on the field opens the palette, and so does typing in it. The Tab key does not, since
// people who use the keyboard would never get past it.
document.addEventListener('click', ({ target }) => {
  if (isSearch(target) && openPalette()) target.blur()
})

document.addEventListener('input', ({ target }) => {
  if (!isSearch(target) || !openPalette(target.value)) return
  target.value = ''
  target.blur()
})

document.addEventListener('input', ({ target }) => {
  const dialog = paletteOf()
  if (!dialog || !(target instanceof HTMLInputElement) || !dialog.contains(target)) return
  window.clearTimeout(waiting)
  waiting = window.setTimeout(() => send(target), waitMs)
})

document.addEventListener('turbo:frame-load', () => {
  const dialog = paletteOf()
  if (!dialog?.open || !opensFirst || !isCurrent(dialog)) return
  opensFirst = false
  open(linksOf(dialog)[0])
})

document.addEventListener('click', ({ target }) => {
  const dialog = paletteOf()
  // Outside the dialog's content lies its backdrop.
  if (dialog?.open && target === dialog) dialog.close()
})

document.addEventListener('keydown', (event) => {
  const dialog = paletteOf()
  if (!dialog?.open) return
  const links = linksOf(dialog)
  const at = document.activeElement ? links.indexOf(document.activeElement) : -1
  if (event.key === 'Enter' && at < 0) {
    event.preventDefault()
    if (isCurrent(dialog)) return open(links[0])
    opensFirst = true
    send(inputOf(dialog))
  }
  if (event.key === 'ArrowDown') move(event, links[Math.min(at + 1, links.length - 1)])
  if (event.key === 'ArrowUp') move(event, at > 0 ? links[at - 1] : inputOf(dialog))
})

function isSearch(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.id === 'search'
}

function send(input: HTMLInputElement): void {
  window.clearTimeout(waiting)
  waiting = undefined
  input.form?.requestSubmit()
}

// Whether the results are those for what the field holds.
function isCurrent(dialog: HTMLDialogElement): boolean {
  const results = dialog.querySelector<HTMLElement>('[data-results-of]')
  return results?.dataset.resultsOf === inputOf(dialog).value.trim()
}

function linksOf(dialog: HTMLDialogElement): Element[] {
  return [...dialog.querySelectorAll('a.search-hit')]
}

// As a click does: Turbo loads the page without a reload.
function open(link: Element | undefined): void {
  if (link instanceof HTMLElement) link.click()
}

function move(event: KeyboardEvent, to: Element | undefined): void {
  event.preventDefault()
  if (to instanceof HTMLElement) to.focus()
}

function paletteOf(): HTMLDialogElement | null {
  return document.querySelector<HTMLDialogElement>('#palette')
}

function inputOf(dialog: HTMLDialogElement): HTMLInputElement {
  const input = dialog.querySelector('input')
  if (!input) throw new Error('The palette has no field')
  return input
}
