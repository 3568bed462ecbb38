// The lines of the editor in the browser: adding, removing and moving them.
import { lineFields, lineName } from '../editor/editor-state.ts'

const linesMax = 200

export type Field = HTMLInputElement | HTMLTextAreaElement

export function isField(element: unknown): element is Field {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
}

export function linesOf(form: HTMLFormElement): HTMLElement[] {
  return [...form.querySelectorAll<HTMLElement>('[data-lines] > [data-line]')]
}

export function step(form: HTMLFormElement, button: HTMLButtonElement): void {
  if (button.value === 'add') {
    addLine(form)?.querySelector<HTMLElement>('[data-field]')?.focus()
    return
  }
  const line = button.closest<HTMLElement>('[data-line]')
  if (!line) return
  const [act] = button.value.split('-')
  if (act === 'remove') removeLine(form, line)
  if (act === 'up') moveLine(form, line, -1)
  if (act === 'down') moveLine(form, line, 1)
  if (button.isConnected) button.focus()
}

export function addLine(form: HTMLFormElement): HTMLElement | undefined {
  const template = form.querySelector<HTMLTemplateElement>('template[data-line-template]')
  const list = form.querySelector('[data-lines]')
  if (!template || !list || linesOf(form).length >= linesMax) return undefined
  list.append(template.content.cloneNode(true))
  renumber(form)
  return linesOf(form).at(-1)
}

function removeLine(form: HTMLFormElement, line: HTMLElement): void {
  const next = line.nextElementSibling ?? line.previousElementSibling
  line.remove()
  if (linesOf(form).length === 0) addLine(form)
  renumber(form)
  const focused = next?.isConnected ? next : linesOf(form)[0]
  focused?.querySelector<HTMLElement>('[data-field]')?.focus()
}

export function moveLine(form: HTMLFormElement, line: HTMLElement, by: 1 | -1): void {
  const other = by === 1 ? line.nextElementSibling : line.previousElementSibling
  if (!other) return
  if (by === 1) other.after(line)
  else other.before(line)
  renumber(form)
}

// The names say where a line stands; the server reads them in this order.
function renumber(form: HTMLFormElement): void {
  for (const [index, line] of linesOf(form).entries()) {
    for (const field of lineFields) {
      const input = line.querySelector<Field>(`[data-field=${field}]`)
      const name = lineName(index, field)
      if (!input || input.name === name) continue
      line.querySelector(`label[for="${input.id}"]`)?.setAttribute('for', name)
      input.name = name
      input.id = name
    }
    const place = index + 1
    write(line.querySelector('legend'), `Line ${place}`)
    for (const button of line.querySelectorAll<HTMLButtonElement>('[name=step]')) {
      const [act = ''] = button.value.split('-')
      button.value = `${act}-${index}`
      const labels: Record<string, string> = {
        up: `Move line ${place} up`,
        down: `Move line ${place} down`,
        remove: `Remove line ${place}`,
      }
      button.setAttribute('aria-label', labels[act] ?? act)
    }
  }
}

function write(element: Element | null, text: string): void {
  if (element && element.textContent !== text) element.textContent = text
}
