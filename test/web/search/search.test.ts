// Searching as a person does: from the field in the frame, and from the command palette, which asks
// for the results alone.
import { beforeAll, describe, expect, it } from 'vitest'
import { access } from '../../../src/app/access.ts'
import { endpointServices } from '../../../src/app/endpoints.ts'
import { appRoutes } from '../../../src/web/app-routes.ts'
import { commands } from '../../../src/web/search/commands.ts'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { newCode, newLink, paidPayment, type Shop, shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let merchant: Shop
let owner: AppVisitor
let viewer: AppVisitor

beforeAll(async () => {
  merchant = await shop(world())
  owner = await appVisitor(world(), merchant.tenant.businessId)
  viewer = await appVisitor(world(), merchant.tenant.businessId, 'viewer')
})

// The paths of the objects and places found, below the business.
async function found(visitor: AppVisitor, text: string): Promise<string[]> {
  const { text: page } = await visitor.get(`/search?q=${encodeURIComponent(text)}`)
  const links = page.matchAll(/class="search-hit" href="\/b\/[^/"]+([^"]*)"/g)
  return [...links].map(([, path]) => path ?? '')
}

describe('objects', () => {
  it('finds links and codes by part of their text or reference, in any case', async () => {
    await newLink(world(), merchant, { title: 'Blue ceramic mug', reference: 'order-7781' })
    await newCode(world(), merchant, { description: 'Ceramic stall, north gate' })
    expect(await found(owner, 'CERAMIC')).toEqual([
      expect.stringMatching(/^\/payment-links\//),
      expect.stringMatching(/^\/qr-codes\//),
    ])
    expect(await found(owner, '7781')).toHaveLength(1)
    expect(await found(owner, 'ceramic m')).toHaveLength(1)
  })

  it('finds the payments of a payer', async () => {
    const { id } = await paidPayment(world(), merchant)
    expect(await found(owner, 'payer@example.com')).toContain(`/payments/${id}`)
  })

  it('takes wildcards for plain characters', async () => {
    expect(await found(owner, '%')).toEqual([])
    expect(await found(owner, 'c_ramic')).toEqual([])
  })

  it('says what to try when nothing is found, and shows the text as text', async () => {
    const { status, text } = await owner.get('/search?q=%3Cb%3Enothing')
    expect(status).toBe(200)
    expect(text).toContain('Nothing found for “&lt;b>nothing”')
  })

  it('finds nothing of another business', async () => {
    const other = await shop(world())
    const stranger = await appVisitor(world(), other.tenant.businessId)
    expect(await found(stranger, 'ceramic')).toEqual([])
  })
})

describe('places and acts', () => {
  it('are found by the words that people use for them', async () => {
    expect(await found(owner, 'withdraw')).toEqual(['/payouts/new'])
    expect(await found(owner, 'new lin')).toEqual(['/payment-links/new'])
  })

  it('are offered only to people who may open them', async () => {
    expect(await found(viewer, 'withdraw')).toEqual([])
    expect(await found(viewer, 'settlements')).toEqual(['/settlements'])
  })

  it('all exist', () => {
    const routes = appRoutes({ access, webhooks: endpointServices, isOpen: () => false })
    const paths = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))
    expect(commands.filter(({ path }) => !paths.has(path))).toEqual([])
  })
})

it('answers the palette with the results alone', async () => {
  const { businessId } = merchant.tenant
  const { text } = await world().call('GET', `/b/${businessId}/search?q=ceramic`, {
    headers: { ...owner.headers(), 'turbo-frame': 'palette-results' },
  })
  expect(text).toMatch(/^<turbo-frame id="palette-results">.*Blue ceramic mug.*<\/turbo-frame>$/s)
})
