// The only script of the public pages: it shows the copy buttons where the browser lets a page
// write to the clipboard (not over plain HTTP from another machine) and makes them work. Without
// it, the text can be selected as always.
if (navigator.clipboard) {
  for (const button of document.querySelectorAll('[data-copy]')) {
    const label = button.textContent
    const status = button.parentElement.querySelector('[role=status]')
    button.hidden = false
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent)
      button.textContent = 'Copied'
      status.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = label
        status.textContent = ''
      }, 2000)
    })
  }
}
