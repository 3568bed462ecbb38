// What can be entered and uploaded, at every limit, and hostile files.
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { cleanFileName } from '../../../src/kernel/basics/file-type.ts'
import { manualClock } from '../../support/clock.ts'
import {
  type Applicant,
  applicant,
  details,
  jpeg,
  multipart,
  owner,
  pdf,
  png,
} from '../../support/verification.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld({ clock: manualClock(new Date('2026-03-01T12:00:00Z')) })

const documentsOf = ({ tenant }: Applicant) => world().database.sql`
  select kind, file_name, content_type, byte_count
  from merchant.verification_documents
  where business_id = ${tenant.businessId}
  order by uploaded_at, id`

describe('business details', () => {
  it('are saved, shown again, and can be corrected', async () => {
    const one = await applicant(world())
    const saved = await one.post('/details', { ...details, legalName: '  <b>Shop</b> & Söhne ' })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, `${one.path}/documents`])
    const { text } = await one.view('/details')
    expect(text).toContain('value="&lt;b>Shop&lt;/b> &amp; Söhne"')
    await one.post('/details', { ...details, city: 'Ibadan' })
    expect((await one.view('/details')).text).toContain('value="Ibadan"')
  })

  it('begin with the name of the business', async () => {
    expect((await (await applicant(world())).view('/details')).text).toContain(
      'value="Corner shop"',
    )
  })

  it.each([
    ['legalName', 160],
    ['registrationNumber', 50],
    ['street', 200],
    ['city', 100],
    ['activity', 300],
  ])('take a %s of up to %d characters', async (name, max) => {
    const one = await applicant(world())
    const fits = await one.post('/details', { ...details, [name]: '🎈'.repeat(max) })
    expect(fits.status).toBe(303)
    const wrong = ['🎈'.repeat(max + 1), '', '   ', 'two\nlines', 'nul\u0000']
    for (const value of wrong) {
      const { status, text } = await one.post('/details', { ...details, [name]: value })
      expect(status, JSON.stringify(value)).toBe(422)
      expect(text).toContain(`id="${name}-error"`)
      expect(text).toContain(`aria-describedby="`)
      expect(text).toContain('value="RC 123456"'.slice(0, name === 'registrationNumber' ? 6 : 99))
    }
  })

  it('need a number of everybody but sole traders', async () => {
    const one = await applicant(world())
    const without = { ...details, registrationNumber: ' ' }
    expect((await one.post('/details', without)).text).toContain('registrationNumber-error')
    expect((await one.post('/details', { ...without, kind: 'sole_trader' })).status).toBe(303)
  })

  it.each(['', 'toString', 'COMPANY', '__proto__'])('know no kind of business %j', async (kind) => {
    const one = await applicant(world())
    const { status, text } = await one.post('/details', { ...details, kind })
    expect(status).toBe(422)
    expect(text).toContain('Choose the kind of business.')
  })
})

const threeFiles = [
  fileOf('registration', pdf),
  fileOf('address', png),
  fileOf('identity', jpeg),
] as const
const fourFiles = [...threeFiles, fileOf('address', jpeg)]
const oneFile = multipart(fileOf('address', pdf))
// What the quotes hold is the same mark.
const escapedMark = 'multipart/form-data; boundary="a-mark-between\\-parts"'

describe('documents', () => {
  it.each([
    ['application/pdf', pdf],
    ['image/png', png],
    ['image/jpeg', jpeg],
  ])('may be %s, by their first bytes', async (type, bytes) => {
    const one = await applicant(world())
    const { status } = await one.upload('address', bytes, 'whatever.exe')
    expect(status).toBe(303)
    expect(await documentsOf(one)).toMatchObject([
      { kind: 'address', fileName: 'whatever.exe', contentType: type, byteCount: bytes.length },
    ])
    expect((await one.view('/documents')).text).toContain('whatever.exe')
  })

  it.each([
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a drawing with scripts', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a program', Buffer.from('MZ%PDF-1.7')],
    ['a PDF after something else', Buffer.from(' %PDF-1.7')],
    ['an animation', Buffer.from('GIF89a')],
    ['the beginning of a signature', Buffer.from([0xff, 0xd8])],
    ['zeros', Buffer.alloc(1000)],
  ])('are refused when they are %s, whatever their name', async (_, bytes) => {
    const one = await applicant(world())
    const { status, text } = await one.upload('registration', bytes, 'certificate.pdf')
    expect(status).toBe(422)
    expect(text).toContain('Choose a PDF, PNG or JPEG file.')
    expect(text).toContain('id="file-registration-error"')
    expect(await documentsOf(one)).toEqual([])
  })

  it('of all kinds are taken from one form', async () => {
    const one = await applicant(world())
    const { status } = await one.uploadAll(...threeFiles)
    expect(status).toBe(303)
    const taken = (await documentsOf(one)).map(({ kind }) => kind)
    expect(taken.toSorted()).toEqual(['address', 'identity', 'registration'])
  })

  it('are uploaded by Continue, which goes on with or without new files', async () => {
    const one = await applicant(world())
    const [registration, address] = threeFiles
    const taken = await one.uploadAndContinue(registration)
    expect([taken.status, taken.headers.get('location')]).toEqual([303, `${one.path}/owners`])
    expect(await documentsOf(one)).toHaveLength(1)
    const nothing = { ...address, name: '', bytes: Buffer.alloc(0) }
    expect((await one.uploadAndContinue(nothing)).headers.get('location')).toBe(
      `${one.path}/owners`,
    )
    const wrong = await one.uploadAndContinue({ ...address, bytes: Buffer.from('GIF89a') })
    expect(wrong.status).toBe(422)
    expect(await documentsOf(one)).toHaveLength(1)
  })

  it('that are right are kept beside one that is not', async () => {
    const one = await applicant(world())
    const [registration, address, identity] = threeFiles
    const wrong = { ...address, bytes: Buffer.from('GIF89a') }
    const large = { ...identity, bytes: Buffer.alloc(5 * 1024 * 1024 + 1, pdf) }
    const { status, text } = await one.uploadAll(registration, wrong, large)
    expect(status).toBe(422)
    expect(text).toContain('id="file-address-error"')
    expect(text).toContain('id="file-identity-error"')
    expect(text).not.toContain('id="file-registration-error"')
    expect(text).toContain('1 of at most 10')
    expect(await documentsOf(one)).toMatchObject([{ kind: 'registration' }])
  })

  it('may have 5 MB and not a byte more', async () => {
    const one = await applicant(world())
    const bytes = Buffer.alloc(5 * 1024 * 1024, pdf)
    expect((await one.upload('registration', bytes)).status).toBe(303)
    const larger = await one.upload('registration', Buffer.concat([bytes, Buffer.of(1)]))
    expect(larger.status).toBe(422)
    expect(larger.text).toContain('Choose a file of at most 5 MB.')
    const huge = await one.upload('registration', Buffer.alloc(20 * 1024 * 1024, pdf))
    expect(huge.status).toBe(422)
    expect(huge.text).toContain('Choose a file of at most 5 MB.')
    expect(await documentsOf(one)).toHaveLength(1)
  })

  it('are cut off when they are far too large', async () => {
    const one = await applicant(world())
    expect((await one.upload('registration', Buffer.alloc(60 * 1024 * 1024, pdf))).status).toBe(413)
  })

  it('are at most ten, and a removed one makes room', async () => {
    const one = await applicant(world())
    const numbered = (number: number) => Buffer.concat([pdf, Buffer.from(String(number))])
    for (let number = 0; number < 10; number += 1) {
      expect((await one.upload('identity', numbered(number))).status).toBe(303)
    }
    const { status, text } = await one.upload('address', png)
    expect(status).toBe(422)
    expect(text).toContain('You can upload at most 10 documents. Remove one first.')
    const id = /name="id" value="([^"]+)"/.exec(text)?.[1] ?? ''
    expect((await one.post('/remove-document', { id })).status).toBe(303)
    expect((await one.upload('address', png)).status).toBe(303)
    expect(await documentsOf(one)).toHaveLength(10)
  })

  it('are sealed, each for its own row', async () => {
    const one = await applicant(world())
    const secret = Buffer.concat([pdf, Buffer.from('A9182736 passport number')])
    await one.upload('identity', secret)
    const [row] = await world().database.sql<{ documentId: string; contentSealed: Buffer }[]>`
      select document_id, content_sealed
      from merchant.verification_document_contents
      where business_id = ${one.tenant.businessId}`
    if (!row) throw new Error('no content')
    expect(row.contentSealed.includes('passport')).toBe(false)
    const { secrets } = world().context
    const boundTo = `merchant.verification_document_contents/${row.documentId}`
    expect(secrets.open(row.contentSealed, boundTo)).toEqual(secret)
    expect(() => secrets.open(row.contentSealed, boundTo.replace(/.$/, 'x'))).toThrow()
  })

  it('of someone else are not removed', async () => {
    const [one, other] = [await applicant(world()), await applicant(world())]
    await one.upload('address', pdf)
    const id = /name="id" value="([^"]+)"/.exec((await one.view('/documents')).text)?.[1] ?? ''
    const rehearsal = await applicant(world(), { ...one.tenant, environment: 'test' })
    for (const stranger of [other, rehearsal]) {
      expect((await stranger.post('/remove-document', { id })).status).toBe(303)
    }
    expect(await documentsOf(one)).toHaveLength(1)
    expect((await one.post('/remove-document', { id: 'x' })).status).toBe(303)
  })

  it('need a file, a kind that is known, and a form that can be read', async () => {
    const one = await applicant(world())
    const none = await one.upload('address', Buffer.alloc(0), '')
    expect([none.status, none.text.includes('Choose a file first.')]).toEqual([422, true])
    expect((await one.upload('address', Buffer.alloc(0), 'a.pdf')).status).toBe(422)
    for (const kind of ['toString', '__proto__', 'other']) {
      expect((await one.upload(kind, pdf)).status).toBe(422)
    }
    expect(await documentsOf(one)).toEqual([])
    const urlencoded = await one.post('/documents', { file: 'text' })
    expect(urlencoded.text).toContain('Choose a file first.')
  })

  it.each([
    ['without a boundary', 'multipart/form-data', oneFile.body],
    ['that ends in the middle', oneFile.type, oneFile.body.subarray(0, 90)],
    ['with a hundred parts', oneFile.type, manyParts(100)],
    ['with many parts and a boundary in another spelling', escapedMark, manyParts(100_000)],
    ['with many parts and two boundaries', `${oneFile.type}; boundary=other`, manyParts(100_000)],
    ['with more files than there are kinds', oneFile.type, multipart(...fourFiles).body],
    ['of another type', 'application/json', Buffer.from('{}')],
  ])('are not taken from a form %s', async (_, type, body) => {
    const one = await applicant(world())
    const { status } = await world().call('POST', `${one.path}/documents`, {
      rawBody: body,
      headers: { 'content-type': type, origin: new URL(world().context.publicUrl).origin },
    })
    expect(status).toBe(400)
    expect(await documentsOf(one)).toEqual([])
  })

  it('whose sender goes away are no failure of ours', async () => {
    const one = await applicant(world())
    const { hostname, port } = new URL(world().baseUrl)
    const socket = connect({ host: hostname, port: Number.parseInt(port, 10) })
    const { origin } = new URL(world().context.publicUrl)
    const path = `${one.path}/documents`
    const lines = [`origin: ${origin}`, `content-type: ${oneFile.type}`, 'content-length: 5000000']
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\n${lines.join('\r\n')}\r\n\r\n`)
    // Until it is on its way: what a closed socket still holds is lost.
    const { promise: isSent, resolve } = Promise.withResolvers<void>()
    socket.write(oneFile.body.subarray(0, 90), () => resolve())
    await isSent
    const before = world().logLines.length
    socket.destroy()
    const logged = () =>
      world()
        .logLines.slice(before)
        .map((each) => JSON.parse(each))
    const route = '/verify/:address/documents'
    await expect.poll(() => logged().find((each) => each.route === route)?.status).toBe(400)
    expect(logged().filter(({ level }) => level === 'error')).toEqual([])
  })

  it('are taken from two uploads of one session at a time', async () => {
    const one = await applicant(world())
    const { hostname, port } = new URL(world().baseUrl)
    const { origin } = new URL(world().context.publicUrl)
    const lines = [`origin: ${origin}`, `content-type: ${oneFile.type}`, 'content-length: 5000000']
    const head = `POST ${one.path}/documents HTTP/1.1\r\nhost: x\r\n${lines.join('\r\n')}\r\n\r\n`
    const slow = new Set<Socket>()
    // One that comes while the request below has its place is refused, and comes again.
    const begin = () => {
      const socket = connect({ host: hostname, port: Number.parseInt(port, 10) })
      slow.add(socket)
      socket.write(head)
      socket.once('data', () => {
        slow.delete(socket)
        socket.destroy()
        begin()
      })
    }
    begin()
    begin()
    // Without a file, so that nothing is added while the others arrive.
    const status = async () => (await one.uploadAll()).status
    await expect.poll(status).toBe(429)
    for (const socket of slow) socket.destroy()
    await expect.poll(status).not.toBe(429)
    expect((await one.uploadAll(...threeFiles)).status).toBe(303)
  })

  it('are read from no one who has no address', async () => {
    // Only the head is sent: an answer shows that no one waited for the rest.
    const { hostname, port } = new URL(world().baseUrl)
    const socket = connect({ host: hostname, port: Number.parseInt(port, 10) })
    const { type } = oneFile
    const { origin } = new URL(world().context.publicUrl)
    const lines = [`origin: ${origin}`, `content-type: ${type}`, 'content-length: 5000000']
    socket.write(`POST /verify/x/documents HTTP/1.1\r\nhost: x\r\n${lines.join('\r\n')}\r\n\r\n`)
    const answer = await new Promise<string>((resolve) => {
      socket.once('data', (data) => resolve(data.toString()))
    })
    socket.destroy()
    expect(answer).toMatch(/^HTTP\/1\.1 404 /)
  })

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\Ada\\passport.pdf', 'passport.pdf'],
    ['a\u0000b\u0007\r\nc.pdf', 'abc.pdf'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['', 'document'],
    ['/', 'document'],
    [`${'x'.repeat(200)}.pdf`, `${'x'.repeat(96)}.pdf`],
    ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ])('called %j are shown as %j', (name, shown) => {
    expect(cleanFileName(name)).toBe(shown)
  })

  it('are shown with their name as text', async () => {
    const one = await applicant(world())
    await one.upload('address', pdf, '<img src=x onerror=alert(1)>')
    const { text } = await one.view('/documents')
    expect(text).not.toContain('<img')
    expect(text).toContain('&lt;img src=x')
  })
})

describe('owners', () => {
  it.each([
    ['0', '0'],
    ['0.01', '0.01'],
    ['33.33', '33.33'],
    ['33,5', '33.5'],
    ['100', '100'],
    [' 25 %', '25'],
  ])('may have a share of %j', async (share, shown) => {
    const one = await applicant(world())
    expect((await one.post('/owners', { ...owner, share })).status).toBe(303)
    expect((await one.view('/owners')).text).toContain(`born 1980-12-31, ${shown} %`)
  })

  it.each(['', '-1', '100.01', '101', '1000', '25.005', '1e1', 'half', '٢٥'])(
    'have no share of %j',
    async (share) => {
      const one = await applicant(world())
      const { status, text } = await one.post('/owners', { ...owner, share })
      expect(status).toBe(422)
      expect(text).toContain('id="share-error"')
      expect(text).toContain('value="Ada Obi"')
    },
  )

  it('have at most the whole together, also when one is changed', async () => {
    const one = await applicant(world())
    await one.post('/owners', { ...owner, share: '60' })
    const over = await one.post('/owners', { ...owner, name: 'Bola Ade', share: '40.01' })
    expect(over.text).toContain('40 % is left')
    const fits = await one.post('/owners', { ...owner, name: 'Bola Ade', share: '40' })
    expect(fits.status).toBe(303)
    const { text } = await one.view('/owners')
    const id = /change=([^#]+)#owner" aria-label="Change Ada Obi"/.exec(text)?.[1] ?? ''
    expect((await one.view(`/owners?change=${id}`)).text).toContain('value="60"')
    expect((await one.post('/owners', { ...owner, id, share: '60.01' })).status).toBe(422)
    expect((await one.post('/owners', { ...owner, id, share: '59' })).status).toBe(303)
    expect((await one.view('/owners')).text).toContain('99 of 100 % entered')
  })

  it.each(['2008-03-01', '1906-03-01', '2004-02-29'])('may be born on %s', async (bornOn) => {
    const one = await applicant(world())
    expect((await one.post('/owners', { ...owner, bornOn })).status).toBe(303)
  })

  it.each(['2008-03-02', '2030-01-01', '1906-02-28', '2001-02-29', '1980-13-01', '31.12.1980', ''])(
    'cannot be born on %j',
    async (bornOn) => {
      const one = await applicant(world())
      const { status, text } = await one.post('/owners', { ...owner, bornOn })
      expect(status).toBe(422)
      expect(text).toContain('id="bornOn-error"')
    },
  )

  it('are at most ten', async () => {
    const one = await applicant(world())
    for (let number = 0; number < 10; number += 1) {
      const { status } = await one.post('/owners', {
        ...owner,
        name: `Owner ${number}`,
        share: '10',
      })
      expect(status).toBe(303)
    }
    const { status, text } = await one.post('/owners', { ...owner, name: 'One more', share: '0' })
    expect(status).toBe(422)
    expect(text).toContain('You can add at most 10 owners.')
  })

  it('have a birthday that is sealed', async () => {
    const one = await applicant(world())
    await one.post('/owners', owner)
    const [row] = await world().database.sql<{ bornOnSealed: Buffer }[]>`
      select *
      from merchant.beneficial_owners
      where business_id = ${one.tenant.businessId}`
    expect(JSON.stringify(row)).not.toContain('1980')
    expect(row?.bornOnSealed.includes('1980')).toBe(false)
  })
})

function fileOf(kind: string, bytes: Buffer) {
  return { field: `file-${kind}`, name: `${kind}.pdf`, bytes }
}

function manyParts(count: number): Buffer {
  const part = '--a-mark-between-parts\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n'
  return Buffer.from(`${part.repeat(count)}--a-mark-between-parts--\r\n`)
}
