// The content of a PDF, read by poppler and not by the library that wrote it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Word = {
  readonly page: number
  readonly text: string
  readonly left: number
  readonly right: number
  readonly top: number
}

// Every word with its place, in points.
export function wordsIn(pdf: Uint8Array): Word[] {
  const words: Word[] = []
  let page = 0
  for (const line of poppler('pdftotext', ['-bbox'], pdf, '-').split('\n')) {
    if (/<page /.test(line)) page += 1
    const [, left, top, right, text = ''] =
      /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)".*?>(.*)<\/word>/.exec(line) ?? []
    if (text === '') continue
    const place = { left: Number(left), right: Number(right), top: Number(top) }
    words.push({ page, text: unescaped(text), ...place })
  }
  return words
}

// With the lines and columns as they are seen.
export function textIn(pdf: Uint8Array): string {
  return poppler('pdftotext', ['-layout'], pdf, '-')
}

export function infoOf(pdf: Uint8Array, ...options: string[]): string {
  return poppler('pdfinfo', options, pdf)
}

// The first page as an image, four bytes a pixel.
export function imageOf(pdf: Uint8Array) {
  const ppm = popplerBytes('pdftoppm', ['-r', '150', '-singlefile'], pdf)
  const [header = '', width = '', height = ''] =
    /^P6\s(\d+) (\d+)\s255\s/.exec(ppm.subarray(0, 40).toString('latin1')) ?? []
  const data = new Uint8ClampedArray(Number(width) * Number(height) * 4)
  for (let at = header.length, to = 0; at < ppm.length; at += 3, to += 4) {
    data.set([ppm[at] ?? 0, ppm[at + 1] ?? 0, ppm[at + 2] ?? 0, 255], to)
  }
  return { data, width: Number(width), height: Number(height) }
}

function poppler(program: string, options: string[], pdf: Uint8Array, ...last: string[]): string {
  return popplerBytes(program, options, pdf, ...last).toString()
}

function popplerBytes(
  program: string,
  options: string[],
  pdf: Uint8Array,
  ...last: string[]
): Buffer {
  const directory = mkdtempSync(join(tmpdir(), 'tillbook-pdf-'))
  try {
    const path = join(directory, 'a.pdf')
    writeFileSync(path, pdf)
    const maxBuffer = 64 * 1024 * 1024
    return execFileSync(program, [...options, path, ...last], { maxBuffer })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
