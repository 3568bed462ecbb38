import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCsv } from '../../../src/books/imports/csv-table.ts'
import { Fault } from '../../../src/kernel/basics/fault.ts'
import { csvLine } from '../../../src/kernel/http/csv.ts'

const rowsMax = 10_000
const read = (text: string) => readCsv(Buffer.from(text, 'utf8'))

describe('a table', () => {
  it('has the columns of its head and numbers its rows as a spreadsheet does', () => {
    expect(read('Name,Tax Number\nAnna,12\nBert,34\n')).toEqual({
      columns: ['name', 'tax_number'],
      headings: ['Name', 'Tax Number'],
      rows: [
        { number: 2, cells: { name: 'Anna', tax_number: '12' } },
        { number: 3, cells: { name: 'Bert', tax_number: '34' } },
      ],
    })
  })

  it.each([
    ['a byte order mark', '\ufeffname,email\r\nAnna,a@b.example\r\n'],
    ['semicolons', 'name;email\nAnna;a@b.example\n'],
    ['tabs', 'name\temail\nAnna\ta@b.example'],
    ['carriage returns alone', 'name,email\rAnna,a@b.example\r'],
    ['quotes around everything', '"name","email"\n"Anna","a@b.example"\n'],
    ['empty lines', 'name,email\n\nAnna,a@b.example\n,\n'],
  ])('is read with %s', (_what, text) => {
    const cells = read(text).rows.map((row) => row.cells)
    expect(cells).toEqual([{ name: 'Anna', email: 'a@b.example' }])
  })

  it('keeps commas, quotes and line ends inside quotes', () => {
    const { rows } = read('name,notes\n"Doe, Jane","says ""hi""\nand goes"\n')
    expect(rows).toEqual([
      { number: 2, cells: { name: 'Doe, Jane', notes: 'says "hi"\nand goes' } },
    ])
  })

  it('keeps a quote inside a cell that is not quoted', () => {
    const { rows } = read('name\n5" pipe\n"""big"" pipe"\n')
    expect(rows.map(({ cells }) => cells.name)).toEqual(['5" pipe', '"big" pipe'])
  })

  it('has empty cells where a row is short', () => {
    expect(read('name,email\nAnna\n').rows[0]?.cells).toEqual({ name: 'Anna', email: '' })
  })

  it('gives back what was written, whatever it is', () => {
    const cell = fc.string({ unit: 'grapheme' }).map((text) => text.trim())
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 20 }), (pairs) => {
        const wanted = pairs.filter(([left, right]) => left !== '' || right !== '')
        // What starts like a formula is guarded when written, so it is not compared here.
        fc.pre(wanted.flat().every((text) => !/^[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text)))
        const text = csvLine(['left', 'right']) + pairs.map((pair) => csvLine(pair)).join('')
        const found = read(text).rows.map(({ cells }) => [cells.left, cells.right])
        expect(found).toEqual(wanted)
      }),
    )
  })
})

describe('what cannot be read says why', () => {
  it.each([
    ['nothing', '', 'The file is empty.'],
    ['a blank head', ',\nAnna,1\n', 'The file is empty.'],
    ['two columns of one name', 'name,Name\nA,B\n', 'Two columns are named name or Name.'],
    ['a row that is too long', 'name\nAnna,1\n', 'Row 2 has 2 cells, but there are 1 columns.'],
    ['an open quote', 'name\n"Anna\n', 'Row 2: a quote is not closed.'],
    ['an open quote further down', 'name\n5" x\n"Anna\n', 'Row 3: a quote is not closed'],
    ['text behind a quote', 'name\n"Anna" x\n', 'Row 2: there is text after a closing quote.'],
  ])('%s', (_what, text, message) => {
    expect(() => read(text)).toThrow(Fault)
    expect(() => read(text)).toThrow(message)
  })

  it('bytes that are not UTF-8', () => {
    expect(() => readCsv(Buffer.from('name\nJos\xe9\n', 'latin1'))).toThrow('not UTF-8')
  })

  it(`more than ${rowsMax} rows`, () => {
    expect(read(`name\n${'A\n'.repeat(rowsMax)}`).rows).toHaveLength(rowsMax)
    expect(() => read(`name\n${'A\n'.repeat(rowsMax + 1)}`)).toThrow('at most 10000')
  })
})
