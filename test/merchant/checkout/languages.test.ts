// The payers' pages in the language of the payer.
import { expect, it } from 'vitest'
import { comeBack, newCode, newLink, paidPayment, pressPay, shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const french = { 'accept-language': 'fr-FR,fr;q=0.9,en;q=0.5' }

it('a French browser gets a French page, with a link to the English one', async () => {
  const path = await newLink(world(), await shop(world()))
  const page = await world().call('GET', path, { headers: french })
  expect(page.text).toContain('<html lang="fr-FR">')
  expect(page.text).toContain('Payer 1\u202f000,00\u00a0₦')
  expect(page.text).toContain('Votre adresse e-mail')
  expect(page.text).toContain('property="og:locale" content="fr_FR"')
  const link = `${path}?lang=en`
  expect(page.text).toContain(`href="${link}" lang="en"`)
  const english = await world().call('GET', link, { headers: french })
  expect(english.text).toContain('Pay ₦1,000.00')
  const cookie = english.headers.getSetCookie().find((one) => one.startsWith('payer_language='))
  const kept = { ...french, cookie: cookie?.split(';')[0] ?? '' }
  expect((await world().call('GET', path, { headers: kept })).text).toContain('Pay ₦1,000.00')
})

it('what a French payer typed wrongly is said in French, and amounts are read as they write', async () => {
  const owner = await shop(world())
  const path = await newCode(world(), owner, { mode: 'open_amount', amount: undefined })
  const wrong = await pressPay(world(), path, { email: 'x', amount: '1,234' }, french)
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('Cette adresse e-mail est incomplète.')
  expect(wrong.text).toContain('NGN a 2 décimales : saisissez par exemple 1\u202f500,50.')
  const right = await pressPay(
    world(),
    path,
    { email: 'a@example.com', amount: '1 234,50' },
    french,
  )
  expect(right.status).toBe(303)
})

it('the pages after a payment and without one are in French too', async () => {
  const begun = await paidPayment(world())
  const ended = await world().call('GET', `/pay/return/${begun.reference}`, { headers: french })
  expect(ended.text).toContain('Payé. Merci !')
  expect((await comeBack(world(), begun.reference)).text).toContain('Paid. Thank you!')
  const unknown = await world().call('GET', '/pay/l/nothing', { headers: french })
  expect(unknown.status).toBe(404)
  expect(unknown.text).toContain('Cette page est inconnue')
})
