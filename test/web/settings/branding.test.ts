// The branding that a business sets, and what its payers see of it.
import { expect, it } from 'vitest'
import { type AppVisitor, appVisitor, fieldsOf } from '../../support/app-visitor.ts'
import { png } from '../../support/images.ts'
import { newLink, shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const base = '/settings/branding'

const typed = {
  colour: '#C2185B',
  contactEmail: 'help@shop.example',
  contactPhone: '+234 1 234 5678',
  websiteUrl: 'https://shop.example/',
  termsUrl: 'https://shop.example/terms',
  privacyUrl: 'https://shop.example/privacy',
}

function upload(visitor: AppVisitor, bytes: Buffer) {
  return visitor.upload(`${base}/logo`, { field: 'logo', name: 'logo.png', text: bytes })
}

it('shows the colour, contact and links on the payment page', async () => {
  const owned = await shop(world())
  const owner = await appVisitor(world(), owned.tenant.businessId)
  expect((await owner.submit(`${base}/edit`, typed)).status).toBe(303)
  const path = await newLink(world(), owned)
  const { text, headers } = await world().call('GET', path)
  for (const href of [
    'mailto:help@shop.example',
    'tel:+23412345678',
    typed.websiteUrl,
    typed.termsUrl,
    typed.privacyUrl,
    '/brand/style/1.c2185b.css',
  ]) {
    expect(text).toContain(`href="${href}"`)
  }
  expect(headers.get('content-security-policy')).toContain("style-src 'self';")
  const style = await world().call('GET', '/brand/style/1.c2185b.css')
  expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
  expect(style.text).toContain('--brand:#c2185b;--on-brand:#ffffff')
  expect((await owner.get(base)).text).toContain('Text on it is white: contrast')
})

it('keeps what was typed and says what is wrong with it', async () => {
  const owner = await appVisitor(world(), await world().business())
  const wrong = { colour: 'red', contactPhone: 'call me', websiteUrl: 'javascript:alert(1)' }
  const answer = await owner.submit(`${base}/edit`, { ...typed, ...wrong })
  expect(answer.status).toBe(422)
  for (const text of [
    'such as #0b6e5b.',
    'Must be a phone number',
    'Must be an http or https address.',
    'value="red"',
    'value="help@shop.example"',
  ]) {
    expect(answer.text).toContain(text)
  }
  expect((await owner.get(base)).text).not.toContain('help@shop.example')
})

it('shows the logo to payers, on the sheet of a QR code and on documents', async () => {
  const owned = await shop(world())
  const { businessId } = owned.tenant
  const owner = await appVisitor(world(), businessId)
  expect((await upload(owner, png({ width: 300, height: 100 }))).status).toBe(303)
  const path = await newLink(world(), owned)
  const { text } = await world().call('GET', path)
  const logo = new RegExp(`/brand/logo/${businessId}/[0-9a-f]{64}\\.png`).exec(text)?.[0] ?? ''
  expect(text).toContain(`property="og:image" content="${world().context.publicUrl}${logo}"`)
  expect(text).toContain('width="192" height="64"')
  const image = await world().call('GET', logo)
  expect(image.status).toBe(200)
  expect(image.headers.get('content-type')).toBe('image/png')
  expect(image.headers.get('x-content-type-options')).toBe('nosniff')
  expect(image.headers.get('cache-control')).toContain('immutable')
  const sample = await owner.get(`${base}/sample`)
  expect(sample.headers.get('content-type')).toBe('application/pdf')
  expect(sample.text).toContain('/Subtype /Image')

  const removed = fieldsOf((await owner.get(base)).text)
  expect((await owner.post(`${base}/logo/remove`, removed)).status).toBe(303)
  expect((await world().call('GET', path)).text).not.toContain(logo)
  // Mails that were sent still show it.
  expect((await world().call('GET', logo)).status).toBe(200)
})

it('refuses a file that is not an image, too large, or from a person who may not', async () => {
  const businessId = await world().business()
  const owner = await appVisitor(world(), businessId)
  const svg = await upload(owner, Buffer.from('<svg><script/></svg>'))
  expect(svg.status).toBe(422)
  expect(svg.text).toContain('Choose a PNG or JPEG image.')
  const large = await upload(owner, Buffer.alloc(550_000, 1))
  expect(large.status).toBe(422)
  expect(large.text).toContain('The file is too large.')
  const huge = await upload(owner, Buffer.alloc(900_000, 1))
  expect(huge.status).toBe(422)
  expect(huge.text).toContain('The file is too large.')
  const viewer = await appVisitor(world(), businessId, 'viewer')
  expect((await upload(viewer, png())).status).toBe(403)
})

it('says no to names of files that do not exist', async () => {
  const businessId = await world().business()
  for (const path of [
    `/brand/logo/${businessId}/${'0'.repeat(64)}.png`,
    '/brand/logo/shop/logo.png',
    '/brand/style/1.red.css',
    '/brand/style/2.c2185b.css',
  ]) {
    expect((await world().call('GET', path)).status).toBe(404)
  }
})
