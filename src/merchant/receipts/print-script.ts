// The script of receipts: shows the button that prints, which does nothing without a script. Named
// after its content, so that browsers can cache it.
import { createHash } from 'node:crypto'

export const printScript = `'use strict'
const button = document.querySelector('[data-print]')
button.hidden = false
button.addEventListener('click', () => window.print())
`

const hash = createHash('sha256').update(printScript).digest('base64url').slice(0, 12)

export const printScriptPath = `/receipt/print.${hash}.js`
