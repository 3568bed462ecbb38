// The board of leads as a person uses it: added, moved, quoted, won and lost, and what is refused.
import { beforeAll, describe, expect, it } from 'vitest'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { newJournal } from '../../support/journal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let owner: AppVisitor
let viewer: AppVisitor

beforeAll(async () => {
  const { businessId } = (await newJournal(world())).tenant
  owner = await appVisitor(world(), businessId)
  viewer = await appVisitor(world(), businessId, 'viewer')
})

const locationOf = (answer: { headers: Headers }) =>
  (answer.headers.get('location') ?? '').replace(/^\/b\/[^/]+/, '')

// The part of the board that shows the leads of a status.
async function column(status: string): Promise<string> {
  const { text } = await viewer.get('/leads')
  return new RegExp(`aria-labelledby="leads-${status}".*?</section>`, 's').exec(text)?.[0] ?? ''
}

async function newLead(name: string, fields: Record<string, string> = {}): Promise<string> {
  const added = await owner.submit('/leads/new', { name, currency: 'EUR', ...fields })
  expect(added.status).toBe(303)
  const pattern = new RegExp(`href="[^"]*(/leads/[0-9a-f-]{36})"[^>]*>${name}<`)
  const page = pattern.exec(await column('new'))?.[1]
  if (page === undefined) throw new Error(`${name} is not on the board`)
  return page
}

describe('leads', () => {
  it('are added with a value, changed, and summed per column', async () => {
    const page = await newLead('Ada', { company: 'Loom', value: '1,500.5' })
    expect(await column('new')).toMatch(/Loom.*1,500\.50/s)
    const changed = await owner.submit(`${page}/edit`, { phone: '+44 20' })
    expect(locationOf(changed)).toBe(page)
    // What the form did not change stays.
    expect((await viewer.get(page)).text).toMatch(/Loom.*\+44 20.*1,500\.50/s)
    await newLead('Bea', { value: '0.25' })
    expect(await column('new')).toContain('1,500.75')
  })

  it('keep what was typed when something is wrong', async () => {
    const wrong = { name: 'Typed in full', currency: 'EUR', value: 'much' }
    const refused = await owner.submit('/leads/new', wrong)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('value="Typed in full"')
    expect(refused.text).toContain('Enter the amount in figures')
    const other = await owner.submit('/leads/new', { ...wrong, value: '', currency: 'XYZ' })
    expect(other.text).toContain('Enter a currency')
  })

  it('move between the columns', async () => {
    const page = await newLead('Cleo')
    const token = crypto.randomUUID()
    const moved = await owner.post(`${page}/move`, { form_token: token, status: 'qualified' })
    expect(locationOf(moved)).toBe('/leads')
    expect(await column('new')).not.toContain('Cleo')
    expect(await column('qualified')).toContain('Cleo')
    const wrong = { form_token: crypto.randomUUID(), status: 'won' }
    expect((await owner.post(`${page}/move`, wrong)).text).toContain('Choose where the lead moves')
  })

  it('are lost with a reason, and then no longer change', async () => {
    const page = await newLead('Dora')
    expect((await owner.submit(`${page}/lose`, { reason: 'Too far away' })).status).toBe(303)
    expect(await column('lost')).toMatch(/Dora.*Too far away/s)
    const again = await owner.submit(`${page}/win`)
    expect(again.status).toBe(409)
    expect(again.text).toContain('The lead is lost and can no longer change.')
    expect((await owner.get(page)).text).not.toContain('New quote')
  })

  it('become a contact and a quote, and are won as that customer', async () => {
    const page = await newLead('Esme', { company: 'Mill & Co', email: 'esme@mill.example' })
    const leadId = page.split('/').at(-1) ?? ''
    const editor = await owner.get(`/quotes/new?leadId=${leadId}`)
    const offered = /href="[^"]*(\/contacts\/new\?[^"]*)"/.exec(editor.text)?.[1] ?? ''
    // What is known of the lead is filled in.
    const added = await owner.submit(offered.replaceAll('&amp;', '&'), { name: 'Mill & Co' })
    expect(locationOf(added)).toMatch(`/quotes/new?leadId=${leadId}&contact=`)
    const contactId = locationOf(added).split('contact=')[1] ?? ''
    expect((await viewer.get(`/contacts/${contactId}`)).text).toContain('esme@mill.example')
    const fresh = (await owner.get(locationOf(added))).text
    expect(fresh).toContain(`name="leadId" value="${leadId}"`)
    expect(fresh).toContain('value="Mill &amp; Co')

    const won = await owner.submit(`${page}/win`, { contactId })
    expect(won.status).toBe(303)
    expect(await column('won')).toContain('Esme')
    expect((await viewer.get(page)).text).toContain(`/contacts/${contactId}`)
  })

  it('are only shown to people who read', async () => {
    const page = await newLead('Fay')
    expect((await viewer.get('/leads')).text).not.toContain('New lead')
    const shown = (await viewer.get(page)).text
    for (const act of ['Move', 'Change', 'New quote']) expect(shown).not.toContain(`>${act}`)
    expect((await viewer.get(`${page}/lose`)).status).toBe(403)
  })
})
