// While someone edits the branding, the preview follows what they type.
import { brandStylePath, colourPattern, contrastText } from '../../kernel/brand/brand-colour.ts'

export function startBrandPreview(): void {
  const preview = document.querySelector<HTMLElement>('[data-brand-preview]')
  const field = document.querySelector<HTMLInputElement>('input[name=colour]')
  const form = field?.form
  if (!preview || !field || !form || form.dataset.preview) return
  form.dataset.preview = 'on'
  const picker = document.querySelector<HTMLInputElement>('[data-colour-picker]')
  if (picker) picker.hidden = false
  picker?.addEventListener('input', () => {
    field.value = picker.value
    showColour(preview, picker.value)
  })
  form.addEventListener('input', (event) => {
    if (!(event.target instanceof HTMLInputElement)) return
    const { name, value } = event.target
    if (event.target === field) showColour(preview, value.trim().toLowerCase(), picker)
    for (const shown of preview.querySelectorAll<HTMLElement>(`[data-shows="${name}"]`)) {
      shown.hidden = value.trim() === ''
      if (shown.dataset.isLabel === undefined) shown.textContent = withoutScheme(value.trim())
    }
  })
}

function showColour(preview: HTMLElement, value: string, picker?: HTMLInputElement | null): void {
  const colour = value === '' ? (preview.dataset.brandPreview ?? '') : value
  if (!colourPattern.test(colour)) return
  if (picker) picker.value = colour
  const sheet = document.querySelector<HTMLLinkElement>('link[data-brand-style]')
  if (sheet) sheet.href = brandStylePath(colour)
  const contrast = document.querySelector<HTMLElement>('[data-contrast]')
  if (contrast) contrast.textContent = value === '' ? '' : contrastText(colour)
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '')
}
