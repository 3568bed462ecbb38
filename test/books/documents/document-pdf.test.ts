// A document as PDF, read back by poppler.
import fc from 'fast-check'
import jsQR from 'jsqr'
import { describe, expect, it, test } from 'vitest'
import type {
  DocumentSnapshot,
  SnapshotLine,
  SnapshotParty,
} from '../../../src/books/documents/document-snapshot.ts'
import { renderDocumentPdf } from '../../../src/books/documents/pdf/document-pdf.ts'
import { imageOf, infoOf, textIn, type Word, wordsIn } from '../../support/pdf.ts'

const leftMargin = 48
const rightMargin = 547.28

const seller: SnapshotParty = {
  name: 'Northlight Studio B.V.',
  address: '12 Harbour Street\n1011 AB Amsterdam',
  taxNumber: 'NL123456789B01',
  email: 'billing@northlight.example',
}

const buyer: SnapshotParty = {
  name: 'Harbour & Sons Ltd',
  address: '9 Quay Road\nBristol',
  taxNumber: 'GB987654321',
  email: null,
}

const retainer: SnapshotLine = {
  description: 'Monthly retainer',
  quantity: '1',
  unitPrice: '4250.00',
  discountPct: null,
  taxCode: 'VAT standard',
  net: '4250.00',
}

const workshop: SnapshotLine = {
  description: 'Workshop of two and a half days with everybody who wants to come',
  quantity: '2.5',
  unitPrice: '980.00',
  discountPct: '10',
  taxCode: null,
  net: '2205.00',
}

function snapshot(overrides: Partial<DocumentSnapshot> = {}): DocumentSnapshot {
  return {
    version: 1,
    kind: 'invoice',
    number: 'INV-2026-00042',
    isSandbox: false,
    frozenAt: '2026-11-15T08:30:00.000Z',
    date: '2026-11-15',
    dueDate: '2026-12-05',
    reference: 'PO 4500012345',
    currency: 'EUR',
    organisation: seller,
    contact: buyer,
    lines: [retainer, workshop],
    taxes: [
      { taxCode: 'VAT standard', component: 'National', rate: '15', net: '4250.00', tax: '637.50' },
      { taxCode: 'VAT standard', component: 'City', rate: '6', net: '4250.00', tax: '255.00' },
    ],
    subtotal: '6455.00',
    taxTotal: '892.50',
    total: '7347.50',
    amountDue: '1347.50',
    notes: 'Thank you.',
    paymentDetails: 'IBAN NL91 ABNA 0417 1643 00\nBIC ABNANL2A',
    ...overrides,
  }
}

function render(overrides: Partial<DocumentSnapshot> = {}): Promise<Uint8Array> {
  return renderDocumentPdf(snapshot(overrides))
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

function named(words: readonly Word[], text: string): Word[] {
  return words.filter((word) => word.text === text)
}

test('everything that was frozen is on the page', async () => {
  const text = plain(textIn(await render()))
  for (const words of [
    ...['Invoice', 'INV-2026-00042', '15 November 2026', '5 December 2026', 'PO 4500012345'],
    ...['Northlight Studio B.V.', '12 Harbour Street', '1011 AB Amsterdam', 'NL123456789B01'],
    ...['billing@northlight.example', 'Harbour & Sons Ltd', '9 Quay Road', 'GB987654321'],
    'Monthly retainer 1 4,250.00 VAT standard 4,250.00',
    '2.5 980.00 10% 2,205.00',
    ...['Subtotal 6,455.00', 'Tax 892.50', 'Total EUR 7,347.50', 'Amount due EUR 1,347.50'],
    ...['VAT standard: National 15% 4,250.00 637.50', 'VAT standard: City 6% 4,250.00 255.00'],
    ...['IBAN NL91 ABNA 0417 1643 00 BIC ABNANL2A', 'Thank you.', 'Page 1 of 1'],
  ]) {
    expect(text).toContain(words)
  }
})

describe('the same snapshot', () => {
  it('gives the same bytes', async () => {
    const [first, second] = [await render(), await render()]
    expect(Buffer.from(first).equals(second)).toBe(true)
  })

  it('is dated when it was frozen', async () => {
    const info = infoOf(await render(), '-isodates')
    expect(info).toMatch(/CreationDate: +2026-11-15T08:30:00/)
    expect(info).not.toContain('ModDate')
  })

  it('gives other bytes when one figure differs', async () => {
    const [first, second] = [await render(), await render({ taxTotal: '892.51' })]
    expect(Buffer.from(first).equals(second)).toBe(false)
  })
})

describe('money', () => {
  it('stands on the right, each column under its head', async () => {
    const words = wordsIn(await render())
    const ends = (...texts: string[]) =>
      new Set(texts.flatMap((text) => named(words, text).map(({ right }) => right.toFixed(2))))
    const nets = ends('2,205.00', '6,455.00', '892.50', '7,347.50', '1,347.50', '637.50', '255.00')
    expect([...nets]).toEqual([rightMargin.toFixed(2)])
    const lines = named(words, '4,250.00').slice(0, 2)
    expect(lines[1]?.right).toBeCloseTo(rightMargin, 2)
    expect(named(words, '980.00')[0]?.right).toBeCloseTo(lines[0]?.right ?? 0, 2)
    expect(named(words, 'PRICE')[0]?.right).toBeCloseTo(lines[0]?.right ?? 0, 0)
  })

  it('has figures of one width', async () => {
    const words = wordsIn(await render({ subtotal: '1111.11', taxTotal: '8888.88' }))
    const [ones, eights] = [named(words, '1,111.11')[0], named(words, '8,888.88')[0]]
    expect(ones?.left).toBeCloseTo(eights?.left ?? 0, 2)
  })

  it.each([
    ['JPY', '1235', '1,235'],
    ['KWD', '1234567.235', '1,234,567.235'],
    ['EUR', '-2.67', '-2.67'],
    ['EUR', '0.00', '0.00'],
  ])('in %s keeps the decimals of the currency: %s', async (currency, net, shown) => {
    const words = wordsIn(await render({ currency, lines: [{ ...retainer, net }], total: net }))
    expect(named(words, shown)).toHaveLength(2)
    expect(named(words, currency).length).toBeGreaterThan(2)
  })

  it('is never broken or cut, however large', async () => {
    const net = '999999999999999.999'
    const line = {
      ...workshop,
      unitPrice: '123456789012345.678901',
      quantity: '98765432.123456',
      net,
    }
    const words = wordsIn(
      await render({ lines: [line], subtotal: net, total: net, amountDue: net }),
    )
    expect(named(words, '999,999,999,999,999.999')).toHaveLength(4)
    expect(named(words, '123,456,789,012,345.678901')).toHaveLength(1)
    const [quantity] = named(words, '98,765,432.123456')
    // What is bought can still be read beside it.
    expect(quantity?.left).toBeGreaterThan(leftMargin + 130)
    expectInsideMargins(words)
    expectNoOverlap(words)
  })
})

describe('many lines', () => {
  const lines = Array.from({ length: 200 }, (_, index) => ({
    ...retainer,
    description: `Position-${index + 1} ${'of several words '.repeat(index % 4)}`,
  }))

  it('go over pages that are numbered and repeat the head', async () => {
    const pdf = await render({ lines })
    const words = wordsIn(pdf)
    const count = Math.max(...words.map(({ page }) => page))
    expect(count).toBeGreaterThan(5)
    const text = textIn(pdf).split('\f')
    for (let page = 1; page <= count; page += 1) {
      expect(text[page - 1]).toContain(`Page ${page} of ${count}`)
      const own = words.filter((word) => word.page === page)
      if (!own.some((word) => word.text.startsWith('Position-'))) continue
      expect(named(own, 'DESCRIPTION')).toHaveLength(1)
      expect(text[page - 1]?.includes('INV-2026-00042, continued')).toBe(page > 1)
    }
  })

  it('are all there, once and in order', async () => {
    const words = wordsIn(await render({ lines }))
    const positions = words.map(({ text }) => text).filter((text) => text.startsWith('Position-'))
    expect(positions).toEqual(lines.map((_, index) => `Position-${index + 1}`))
    expectInsideMargins(words)
  })

  it('leave the sums in one piece, wherever on a page they begin', { tags: ['long'] }, async () => {
    const pagesOfSums: number[] = []
    for (let count = 10; count <= 20; count += 1) {
      const words = wordsIn(await render({ lines: lines.slice(0, count) }))
      const pages = ['Subtotal', '6,455.00', '7,347.50', '1,347.50'].flatMap((text) =>
        named(words, text).map(({ page }) => page),
      )
      expect(new Set(pages).size).toBe(1)
      pagesOfSums.push(...new Set(pages))
      expectInsideMargins(words)
    }
    expect(pagesOfSums).toContain(1)
    expect(pagesOfSums).toContain(2)
  })
})

describe('text', () => {
  it('is readable in Greek and Cyrillic', async () => {
    const text = plain(
      textIn(
        await render({
          organisation: { ...seller, name: 'ООО «Северный ветер»', address: 'улица Тверская, 7' },
          contact: { ...buyer, name: 'Παπαδόπουλος & Υιοί Α.Ε.', address: 'Λεωφόρος Κηφισίας 44' },
          notes: 'Łódź, Đà Nẵng, ąęžšğ, ₦ ₵ €',
        }),
      ),
    )
    expect(text).toContain('ООО «Северный ветер»')
    expect(text).toContain('улица Тверская, 7')
    expect(text).toContain('Παπαδόπουλος & Υιοί Α.Ε.')
    expect(text).toContain('Λεωφόρος Κηφισίας 44')
    expect(text).toContain('Łódź, Đà Nẵng, ąęžšğ, ₦ ₵ €')
    expect(text).not.toContain('□')
  })

  it('shows a box for each sign that the font lacks', async () => {
    const text = textIn(await render({ contact: { ...buyer, name: 'A 株式会社 B 👩‍👩‍👧 C שלום' } }))
    expect(plain(text)).toContain('A □□□□ B □ C □□□□')
  })

  it('breaks words that are longer than a line, and loses nothing', async () => {
    const word = Array.from({ length: 400 }, (_, index) => String(index % 10)).join('')
    const pdf = await render({
      lines: [{ ...retainer, description: word, taxCode: `T${word.slice(0, 79)}` }],
      contact: { ...buyer, name: word.slice(0, 160), address: word, taxNumber: word.slice(0, 50) },
      organisation: { ...seller, name: word.slice(0, 160) },
      reference: word.slice(0, 255),
      notes: word,
    })
    const words = wordsIn(pdf)
    expectInsideMargins(words)
    // Each of the long ones, put together again from the pieces that begin at its margin.
    const pieces = words.filter(({ left }) => Math.abs(left - leftMargin) < 0.5)
    const together = pieces.map(({ text }) => text).join('')
    expect(together.split(word)).toHaveLength(4)
  })

  it('of one line may be longer than a page', async () => {
    const description = Array.from({ length: 700 }, (_, index) => `w${index}`).join(' ')
    const pdf = await render({ lines: [retainer, { ...workshop, description }, retainer] })
    const words = wordsIn(pdf)
    const shown = words.map(({ text }) => text).filter((text) => /^w\d+$/.test(text))
    expect(shown).toEqual(description.split(' '))
    const pages = new Set(words.filter(({ text }) => /^w\d+$/.test(text)).map(({ page }) => page))
    expect(pages.size).toBeGreaterThan(1)
    for (const page of pages) {
      expect(named(words, 'DESCRIPTION').filter((word) => word.page === page)).toHaveLength(1)
    }
    expectInsideMargins(words)
  })

  it('of an address with very many lines stays on the page', async () => {
    const address = Array.from({ length: 250 }, (_, index) => index % 10).join('\n')
    const words = wordsIn(await render({ contact: { ...buyer, address } }))
    expectInsideMargins(words)
    expect(named(words, 'DESCRIPTION')[0]?.page).toBe(1)
  })

  it('is drawn whatever it is', { tags: ['long'] }, async () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 })
    await fc.assert(
      fc.asyncProperty(text, text, async (name, description) => {
        const pdf = await render({
          number: name,
          contact: { ...buyer, name, address: description },
          lines: [{ ...retainer, description }],
          notes: description + name,
        })
        expectInsideMargins(wordsIn(pdf))
      }),
      { numRuns: 15 },
    )
    const broken = 'a\ud800b\udc00\0c\u0007\tend'
    expect(textIn(await render({ notes: broken }))).toContain('a□b□□c□ end')
  })
})

describe('what it is', () => {
  it.each([
    ['invoice', 'INV-1', ['Invoice', 'BILLED TO', 'Due date']],
    ['credit_note', 'CN-1', ['Credit note', 'CREDITED TO', 'Credit left EUR']],
    ['quote', 'QU-1', ['Quote', 'PREPARED FOR', 'Valid until']],
    ['invoice', null, ['Draft invoice']],
  ] as const)('is said: %s %s', async (kind, number, wanted) => {
    const pdf = await render({ kind, number })
    const text = plain(textIn(pdf))
    for (const words of wanted) expect(text).toContain(words)
    expect(text).not.toContain('SANDBOX')
    const title = number === null ? wanted[0] : `${wanted[0]} ${number}`
    expect(infoOf(pdf)).toMatch(new RegExp(`Title: +${title}\\n`))
  })

  it('leaves out what it does not have', async () => {
    const empty = { address: null, taxNumber: null, email: null }
    const text = textIn(
      await render({
        ...{ dueDate: null, reference: null, taxes: [], notes: null, paymentDetails: null },
        ...{ amountDue: null, lines: [{ ...retainer, taxCode: null }] },
        organisation: { ...seller, ...empty },
        contact: { ...buyer, ...empty },
      }),
    )
    expect(text).not.toMatch(/Due date|Reference|Tax summary|Notes|Payment details|Amount due/)
    expect(text).not.toMatch(/DISCOUNT|Tax number|null|undefined/)
  })

  it('of a sandbox warns on every page', async () => {
    const lines = Array.from({ length: 60 }, () => retainer)
    const pages = textIn(await render({ lines, isSandbox: true }))
      .split('\f')
      .slice(0, -1)
    expect(pages.length).toBeGreaterThan(1)
    for (const text of pages) expect(text).toContain('SANDBOX: THIS IS NOT A REAL DOCUMENT')
  })

  it('is told to screen readers, as a table with heads', async () => {
    const pdf = await render()
    expect(infoOf(pdf)).toMatch(/Tagged: +yes/)
    const structure = infoOf(pdf, '-struct-text')
    expect(structure).toMatch(/H1 \(block\)\s+"Invoice"/)
    for (const tag of ['Table', 'THead', 'TBody', 'TH', 'TD']) expect(structure).toContain(tag)
    expect(structure).toMatch(/"4,250\.00"/)
    // Page numbers and repeated heads are not read out.
    expect(structure).not.toContain('Page 1')
    expect(Buffer.from(pdf).toString('latin1')).toContain('/Lang (en)')
  })

  it('is described in XML that no name can break', async () => {
    const pdf = await render({ number: '<a>&b', organisation: { ...seller, name: 'R&D <Ltd>' } })
    const [metadata = ''] = infoOf(pdf, '-meta').match(/<x:xmpmeta.*<\/x:xmpmeta>/s) ?? []
    expect(metadata).toContain('Invoice')
    expect(metadata).not.toMatch(/&(?!\w+;)|<a>|<Ltd>/)
    expect(textIn(pdf)).toContain('<a>&b')
  })
})

describe('the page of the invoice', () => {
  const url = 'https://books.example.com/i/5VZ3kAb2Qm1xYw8nT0rLcEl6UfHsPd4Gj9Kt7RvNzBo1'

  it('is named in words and as a code to scan', async () => {
    const pdf = await render({ page: { url, takesPayments: true } })
    expect(textIn(pdf)).toContain('Pay this invoice online')
    expect(textIn(pdf)).toContain(url)
    const { data, width, height } = imageOf(pdf)
    expect(jsQR.default(data, width, height)?.data).toBe(url)
    expectInsideMargins(wordsIn(pdf))
    expectNoOverlap(wordsIn(pdf))
  })

  it('offers no payment where none is taken, and is not on a void invoice', async () => {
    const pdf = await render({ page: { url, takesPayments: false } })
    expect(textIn(pdf)).toContain('See this invoice online')
    const voided = await renderDocumentPdf(snapshot({ page: { url, takesPayments: true } }), true)
    expect(textIn(voided)).not.toContain(url)
  })
})

function expectInsideMargins(words: readonly Word[]): void {
  const outside = words.filter(
    ({ left, right, top }) =>
      left < leftMargin - 0.5 || right > rightMargin + 0.5 || top < 15 || top > 812,
  )
  expect(outside).toEqual([])
}

function expectNoOverlap(words: readonly Word[]): void {
  const overlapping = words.filter((word) =>
    words.some(
      (other) =>
        other !== word &&
        other.page === word.page &&
        Math.abs(other.top - word.top) < 1 &&
        other.left < word.right - 0.1 &&
        word.left < other.right - 0.1,
    ),
  )
  expect(overlapping).toEqual([])
}
