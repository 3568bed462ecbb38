// What runs in the browser on every page of the application: navigation without reload (Turbo),
// copy buttons, keyboard shortcuts, menus that close, and refreshing when something has changed.
// Everything works without it, only slower.
import '@hotwired/turbo'
import { startBrandPreview } from './brand-preview.ts'
import { showCopyButtons } from './copy-buttons.ts'
import { openPalette } from './palette.ts'
import { showPasskeyButtons } from './passkeys.ts'

// The part of Turbo that we call. It has no types.
declare const Turbo: {
  connectStreamSource(source: EventSource): void
  disconnectStreamSource(source: EventSource): void
  renderStreamMessage(message: string): void
}

let live: { readonly url: string; readonly source: EventSource } | undefined

document.addEventListener('turbo:load', () => {
  showCopyButtons()
  showPasskeyButtons()
  startBrandPreview()
  for (const button of document.querySelectorAll<HTMLElement>('[data-print]')) button.hidden = false
  showChooseAll()
  followWork()
  followChanges(document.body.dataset.live)
})

const workMs = 1500

// Work may end between the answer of the page and the first look of the stream, which would then
// say nothing.
function followWork(): void {
  if (!document.querySelector('[data-working]')) return
  const page = location.href
  setTimeout(() => {
    if (location.href !== page) return
    Turbo.renderStreamMessage('<turbo-stream action="refresh"></turbo-stream>')
  }, workMs)
}

// A refresh would untick what the person has chosen.
document.addEventListener('turbo:before-stream-render', (event) => {
  if (document.querySelector('.row-choice:checked')) event.preventDefault()
})

function showChooseAll(): void {
  for (const box of document.querySelectorAll<HTMLElement>('[data-choose-all]')) box.hidden = false
}

document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return
  const all = target.dataset.chooseAll
  const table = target.closest('table')
  if (!table) return
  const boxes = [...table.querySelectorAll<HTMLInputElement>('td .row-choice')]
  if (all !== undefined) for (const box of boxes) box.checked = target.checked
  const head = table.querySelector<HTMLInputElement>('[data-choose-all]')
  if (!head) return
  const chosen = boxes.filter((box) => box.checked).length
  head.checked = chosen > 0 && chosen === boxes.length
  head.indeterminate = chosen > 0 && chosen < boxes.length
})

// Pages with a form name no address: a refresh would disturb the person who fills it in.
function followChanges(url: string | undefined): void {
  if (live?.url === url) return
  if (live) {
    Turbo.disconnectStreamSource(live.source)
    live.source.close()
    live = undefined
  }
  if (url === undefined) return
  const source = new EventSource(url)
  Turbo.connectStreamSource(source)
  live = { url, source }
}

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : undefined
  if (target?.closest('[data-print]')) window.print()
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) {
    if (!target || !menu.contains(target)) menu.open = false
  }
})

document.addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === 'k') return openSearch(event)
  if (event.key === 'Escape') closeMenus()
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === '/') openSearch(event)
  if (event.key === 'j') moveRow(1)
  if (event.key === 'k') moveRow(-1)
})

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null
}

function openSearch(event: KeyboardEvent): void {
  if (openPalette()) event.preventDefault()
}

function closeMenus(): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) {
    menu.open = false
    menu.querySelector('summary')?.focus()
  }
}

// The rows of a list by `j` and `k`; Enter opens the focused one, since it is a link.
function moveRow(step: 1 | -1): void {
  const links: Element[] = [...document.querySelectorAll('[data-rows] td:first-child > a')]
  const at = document.activeElement ? links.indexOf(document.activeElement) : -1
  const next = at < 0 ? 0 : at + step
  const link = links[Math.min(Math.max(next, 0), links.length - 1)]
  if (link instanceof HTMLElement) link.focus()
}
