import { expect, test } from 'vitest'
import { createPeople } from '../../../src/kernel/auth/people.ts'
import { isSetUpCode } from '../../../src/kernel/auth/set-up-code.ts'
import { handOut } from '../../support/run-log.ts'
import { createWorld, type World } from '../../support/world.ts'

const password = 'correct horse battery'

async function newServer(done = { count: 0 }) {
  const onSetUp = () => {
    done.count += 1
  }
  const world = await createWorld({ settings: { onSetUp } })
  const { setUpCode } = await createPeople(world.context, world.context)
  handOut(setUpCode, password)
  return { world, code: setUpCode, done }
}

function filled(code: string, change: Record<string, string> = {}): Record<string, string> {
  return {
    code,
    businessName: 'Corner shop',
    country: 'NG',
    currency: 'NGN',
    timeZone: 'Africa/Lagos',
    ownerName: 'The owner',
    ownerEmail: 'owner@example.com',
    password,
    ...change,
  }
}

function post(world: World, fields: Record<string, string>) {
  return world.call('POST', '/set-up', {
    rawBody: new URLSearchParams(fields).toString(),
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      origin: world.context.publicUrl,
    },
  })
}

test('a server without a business leads to its set-up, once', async () => {
  const { world, code, done } = await newServer()
  const front = await world.call('GET', '/')
  expect(front.status).toBe(303)
  expect(front.headers.get('location')).toBe('/set-up')
  expect((await world.call('GET', '/set-up')).text).toContain('One-time code')

  const answer = await post(world, filled(code.toUpperCase().replaceAll('-', ' ')))
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/second-factor')
  expect(done.count).toBe(1)
  const cookie = answer.headers.getSetCookie().map((one) => one.split(';')[0])
  const headers = { cookie: cookie.join('; ') }
  const factor = await world.call('GET', '/second-factor', { headers })
  expect(factor.text).toContain('QR code')

  const { sql } = world.database
  const [business] = await sql`
    select businesses.name, businesses.is_demo, profile.country, profile.kyc_status,
      organisation.base_currency, organisation.time_zone, memberships.role
    from kernel.businesses
    join merchant.profiles as profile on profile.business_id = businesses.id
    join books.organisations as organisation on organisation.business_id = businesses.id
    join kernel.memberships on memberships.business_id = businesses.id
    where organisation.environment = 'live'`
  expect(business).toEqual({
    ...{ name: 'Corner shop', isDemo: false, country: 'NG', kycStatus: 'unverified' },
    ...{ baseCurrency: 'NGN', timeZone: 'Africa/Lagos', role: 'owner' },
  })

  // The code has ended.
  expect((await world.call('GET', '/')).status).toBe(200)
  expect((await world.call('GET', '/set-up')).headers.get('location')).toBe('/sign-in')
  const again = await post(world, filled(code, { ownerEmail: 'other@example.com' }))
  expect(again.headers.get('location')).toBe('/sign-in')
  expect(await sql`select id from kernel.businesses`).toHaveLength(1)
  await world.close()
})

test('a wrong code is refused whatever else is right, and too many tries are', async () => {
  const { world, code } = await newServer()
  const wrong = await post(world, filled('aaaaa-bbbbb-ccccc-ddddd', { currency: 'nonsense' }))
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('This code is wrong')
  expect(wrong.text).not.toContain('Choose a currency.')
  for (let tries = 1; tries < 10; tries += 1) await post(world, filled('wrong'))
  const late = await post(world, filled(code))
  expect(late.status).toBe(429)
  expect(late.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await world.database.sql`select id from kernel.businesses`).toHaveLength(0)
  await world.close()
})

test('mistakes are named at their fields, and what was typed stays except the password', async () => {
  const { world, code } = await newServer()
  const fields = filled(code, { ownerEmail: 'nowhere', password: 'short', timeZone: 'Mars/Base' })
  const answer = await post(world, fields)
  expect(answer.status).toBe(422)
  expect(answer.text).toContain('Please correct 3 fields.')
  expect(answer.text).toContain('Enter an e-mail address')
  expect(answer.text).toContain('at least 12 characters')
  expect(answer.text).toContain('Choose a time zone.')
  expect(answer.text).toContain('value="Corner shop"')
  expect(answer.text).not.toContain('value="short"')
  expect(await world.database.sql`select id from kernel.people`).toHaveLength(0)
  await world.close()
})

test('of two people with the code, one sets the server up', async () => {
  const { world, code } = await newServer()
  const answers = await Promise.all([
    post(world, filled(code)),
    post(world, filled(code, { ownerEmail: 'other@example.com' })),
  ])
  const led = answers.map(({ headers }) => headers.get('location')).sort()
  expect(led).toEqual(['/second-factor', '/sign-in'])
  expect(await world.database.sql`select id from kernel.businesses`).toHaveLength(1)
  expect(await world.database.sql`select id from kernel.people`).toHaveLength(1)
  await world.close()
})

test('every process knows the same code, and another database has another', async () => {
  const one = await newServer()
  const again = await createPeople(one.world.context, one.world.context)
  expect(again.setUpCode).toBe(one.code)
  const other = await newServer()
  expect(isSetUpCode(other.code, one.code)).toBe(false)
  await one.world.close()
  await other.world.close()
})

test('without set-up, the front page is shown and there is no set-up page', async () => {
  const world = await createWorld()
  expect((await world.call('GET', '/')).status).toBe(200)
  expect((await world.call('GET', '/set-up')).status).toBe(404)
  await world.close()
})
