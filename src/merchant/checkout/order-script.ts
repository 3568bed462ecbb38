// The only script of the checkout, for links whose payers choose quantities: it keeps the total and
// the Pay button up to date. Without it the server shows the total when Pay is pressed. It is part
// of the program and named after its content, so that browsers can cache it.
import { createHash } from 'node:crypto'

export const orderScript = `'use strict'
const order = document.querySelector('[data-order]')
const form = order.closest('form')
const field = form.elements.namedItem('total')
const shown = order.querySelector('[data-total]')
const button = form.querySelector('button[type=submit]')
const { order: currency, locale, decimals, display } = order.dataset
const places = Number(decimals)
const format = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency,
  currencyDisplay: display,
  minimumFractionDigits: places,
  maximumFractionDigits: places,
})
const money = (minor) => {
  const digits = String(minor).padStart(places + 1, '0')
  const at = digits.length - places
  return format.format(places === 0 ? digits : digits.slice(0, at) + '.' + digits.slice(at))
}
const update = () => {
  let total = 0n
  for (const fixed of order.querySelectorAll('[data-fixed]')) total += BigInt(fixed.dataset.fixed)
  for (const input of order.querySelectorAll('[data-price]')) {
    if (!/^\\d{1,6}$/.test(input.value)) return
    total += BigInt(input.dataset.price) * BigInt(input.value)
  }
  field.value = String(total)
  shown.textContent = money(total)
  button.textContent = button.dataset.pay.replace('{amount}', () => money(total))
}
order.addEventListener('input', update)
update()
`

const hash = createHash('sha256').update(orderScript).digest('base64url').slice(0, 12)

export const orderScriptPath = `/pay/order.${hash}.js`
