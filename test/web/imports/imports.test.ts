// Imports in the browser: the template, the upload, the problems, the import and its undo.
import { beforeAll, expect, it } from 'vitest'
import { undoableNames } from '../../../src/books/imports/import.ts'
import { runImportJob } from '../../../src/books/imports/run-import.ts'
import { type AppVisitor, appVisitor, fieldsOf } from '../../support/app-visitor.ts'
import { newJournal } from '../../support/journal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let businessId: string
let owner: AppVisitor
let viewer: AppVisitor

beforeAll(async () => {
  businessId = (await newJournal(world())).tenant.businessId
  owner = await appVisitor(world(), businessId)
  viewer = await appVisitor(world(), businessId, 'viewer')
})

const pathOf = (answer: { headers: Headers }) =>
  (answer.headers.get('location') ?? '').replace(/^\/b\/[^/]+/, '')

async function work(path: string): Promise<void> {
  const importId = path.split('/').at(-1) ?? ''
  const tenant = { businessId, environment: 'live' } as const
  const run = { id: importId, attempt: 1, tenant, payload: { importId } }
  await runImportJob.prepare(run)(world().context, new AbortController().signal)
}

const csv = (text: string) => ({ field: 'file', name: 'people.csv', text })
const newPath = '/settings/imports/new/contacts'

it('a file with a problem is refused row by row, and the corrected one is imported', async () => {
  const wrong = await owner.upload(newPath, csv('name,email\nKola Traders,wrong\n'))
  expect(wrong.status).toBe(303)
  const page = pathOf(wrong)
  expect((await owner.get(page)).text).toContain('0 of 1 checked')
  await work(page)
  const refused = (await owner.get(page)).text
  for (const text of ['Has problems', 'Must be an e-mail address.', 'Upload the corrected file']) {
    expect(refused).toContain(text)
  }

  const right = pathOf(await owner.upload(newPath, csv('name,email\nKola Traders,a@b.example\n')))
  await work(right)
  expect((await owner.get(right)).text).toContain('Import 1 row')
  expect((await viewer.get(right)).text).not.toContain('Import 1 row')
  const button = fieldsOf((await owner.get(right)).text)
  expect((await owner.post(`${right}/confirm`, button)).status).toBe(303)
  await work(right)
  expect((await owner.get(right)).text).toContain('Imported')
  expect((await owner.get('/contacts')).text).toContain('Kola Traders')

  expect((await owner.submit(`${right}/undo`)).status).toBe(303)
  await work(right)
  expect((await owner.get(right)).text).toContain('was taken back')
  expect((await owner.get('/contacts')).text).not.toContain('Kola Traders')
})

it('says at the field what is wrong with the file', async () => {
  const none = await owner.submit(newPath)
  expect(none.status).toBe(422)
  expect(none.text).toContain('Choose a file.')
  const columns = await owner.upload(newPath, csv('email\na@b.example\n'))
  expect(columns.status).toBe(422)
  expect(columns.text).toContain('These columns are missing: name.')
  const day = await owner.upload('/settings/imports/new/opening-balances', csv('account\n1000\n'))
  expect(day.text).toContain('Enter the day of the opening balances.')
})

it('is not for people who only read', async () => {
  expect((await viewer.get('/settings/imports')).text).not.toContain('/imports/new/')
  expect((await viewer.upload(newPath, csv(''), { token: 'a' })).status).toBe(403)
})

it.each(undoableNames)('has a template of %s that names the columns', async (name) => {
  const template = await viewer.get(`/settings/imports/templates/${name}`)
  expect(template.headers.get('content-type')).toContain('text/csv')
  expect(template.text.split('\r\n').length).toBeGreaterThan(2)
})
