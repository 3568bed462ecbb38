// Every page of the application, opened by every role, by a stranger and by a person of another
// business. The pages come from the list of routes, so a new page is walked too.
import { beforeAll, describe, expect, it } from 'vitest'
import { access } from '../../../src/app/access.ts'
import { endpointServices } from '../../../src/app/endpoints.ts'
import { operationGroups } from '../../../src/app/operations.ts'
import { type Role, roles } from '../../../src/kernel/auth/actor.ts'
import { appRoutes } from '../../../src/web/app-routes.ts'
import { placeGroups } from '../../../src/web/shell/navigation.ts'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const routes = appRoutes({ access, webhooks: endpointServices, isOpen: () => false })
// The stream stays open; live.test.ts reads it.
const pages = routes.filter(({ method, path }) => method === 'GET' && path !== '/live')

const unknownId = '01a1e2fb-222f-70e2-8bb2-de5326224240'

function addressOf(path: string): string {
  if (path === '/') return ''
  return path
    .replace(':currency', 'NGN')
    .replace(':part', 'available')
    .replaceAll(/:[a-z]+/g, unknownId)
}

const visitors = new Map<Role, AppVisitor>()
let businessId: string
let stranger: AppVisitor

beforeAll(async () => {
  businessId = (await shop(world())).tenant.businessId
  for (const role of roles) visitors.set(role, await appVisitor(world(), businessId, role))
  const other = await shop(world())
  stranger = await appVisitor(world(), other.tenant.businessId)
})

describe.each(roles)('as %s', (role) => {
  it.each(pages.map(({ path }) => path))('%s', async (path) => {
    const page = pages.find((one) => one.path === path)
    const answer = await visitors.get(role)?.get(addressOf(path))
    const isAllowed = page?.operation.roles.includes(role)
    // The address of an action leads to its page.
    const location = answer?.headers.get('location') ?? ''
    if (isAllowed && location.startsWith(`/b/${businessId}`)) return
    // There is no object with the id.
    const expected = path.includes(':') && !path.includes(':currency') ? [200, 404] : [200]
    expect(isAllowed ? expected : [403]).toContain(answer?.status)
  })

  it('the navigation offers only what opens', async () => {
    const home = await visitors.get(role)?.get('')
    for (const { path, label } of placeGroups.flatMap(({ places }) => places)) {
      const isOffered = home?.text.includes(`href="/b/${businessId}${path === '/' ? '' : path}"`)
      const isAllowed = pages.some(
        (page) => page.path === path && page.operation.roles.includes(role),
      )
      expect([label, isOffered]).toEqual([label, isAllowed])
    }
  })
})

describe('no one else', () => {
  it.each(pages.map(({ path }) => path))('opens %s', async (path) => {
    const address = `/b/${businessId}${addressOf(path)}`
    const signedOut = await world().call('GET', address)
    expect(signedOut.status).toBe(303)
    expect(signedOut.headers.get('location')).toMatch(/^\/sign-in\?next=/)
    const theirs = await stranger.get(`/../${businessId}${addressOf(path)}`)
    expect(theirs.status).toBe(404)
  })
})

// A link leads to the download, which is recorded in the audit log and so is no mere reading.
const withoutForm = new Set(['export-journal'])

describe('forms', () => {
  it('offer every operation that people have', () => {
    const wanted = operationGroups
      .flatMap(({ operations }) => operations)
      .filter(({ kind, roles: allowed }) => kind === 'write' && allowed.length > 0)
      .map(({ name }) => name)
      .filter((name) => !withoutForm.has(name))
    const offered = new Set(
      routes.filter(({ method }) => method === 'POST').map(({ operation }) => operation.name),
    )
    const missing = wanted.filter((name) => !offered.has(name))
    expect(missing).toEqual([])
  })
})
