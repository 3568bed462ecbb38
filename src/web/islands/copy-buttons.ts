// Copy buttons. They are shown where the browser lets a page write to the clipboard (not over plain
// HTTP from another machine). Without them, the text can be selected as always.

export function showCopyButtons(): void {
  if (!navigator.clipboard) return
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) button.hidden = false
}

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : undefined
  const button = target?.closest<HTMLElement>('[data-copy]')
  if (button) void copy(button)
})

async function copy(button: HTMLElement): Promise<void> {
  const source = document.getElementById(button.dataset.copy ?? '')
  if (!source) return
  const text = source instanceof HTMLInputElement ? source.value : (source.textContent ?? '')
  await navigator.clipboard.writeText(text)
  const label = button.textContent
  const status = button.parentElement?.querySelector('[role=status]')
  button.textContent = 'Copied'
  if (status) status.textContent = 'Copied'
  setTimeout(() => {
    button.textContent = label
    if (status) status.textContent = ''
  }, 2000)
}
