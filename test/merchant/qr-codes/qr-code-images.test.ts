import jsQR from 'jsqr'
import { PNG } from 'pngjs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createQrDrawing } from '../../../src/merchant/qr-codes/qr-drawing.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

async function newCode(environment: 'live' | 'test' = 'live') {
  const { text } = await world().key({ service: 'merchant', environment })
  const { body } = await world().call('POST', '/merchant/api/v1/qr-codes', {
    key: text,
    body: { mode: 'open_amount', currency: 'NGN' },
  })
  return body as { url: string; png_url: string; svg_url: string }
}

const get = (address: string, headers = {}) =>
  fetch(world().baseUrl + new URL(address).pathname, { headers })

// The dark modules of our SVG are strokes: `M x y` goes there, `h n` draws n modules, `m n 0`
// leaves n out.
function pixelsOf(svg: string): { data: Uint8ClampedArray; width: number } {
  const side = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1])
  const scale = 4
  const width = side * scale
  const data = new Uint8ClampedArray(width * width * 4).fill(255)
  const path = /stroke="#000000" d="([^"]+)"/.exec(svg)?.[1] ?? ''
  let [x, y] = [0, 0]
  for (const [, command, first, second] of path.matchAll(/([Mmh])([\d.]+)(?: ([\d.]+))?/g)) {
    if (command === 'M') [x, y] = [Number(first), Math.floor(Number(second))]
    else if (command === 'm') x += Number(first)
    else for (const end = x + Number(first); x < end; x += 1) fill(x, y)
  }
  return { data, width }

  function fill(column: number, row: number) {
    for (let down = row * scale; down < (row + 1) * scale; down += 1) {
      const start = (down * width + column * scale) * 4
      for (let at = start; at < start + scale * 4; at += 4) data.fill(0, at, at + 3)
    }
  }
}

describe('the images of a QR code', () => {
  it.each(['live', 'test'] as const)('as PNG are read as its page (%s)', async (environment) => {
    const code = await newCode(environment)
    const response = await get(code.png_url)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/png')
    const image = PNG.sync.read(Buffer.from(await response.arrayBuffer()))
    expect(image.width).toBeGreaterThanOrEqual(500)
    const read = jsQR.default(new Uint8ClampedArray(image.data), image.width, image.height)
    expect(read?.data).toBe(code.url)
  })

  it('as SVG are read as its page', async () => {
    const code = await newCode()
    const response = await get(code.svg_url)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
    const { data, width } = pixelsOf(await response.text())
    expect(jsQR.default(data, width, width)?.data).toBe(code.url)
  })

  it('are drawn in a thread, and kept', async () => {
    const threads: unknown[] = []
    const note = (thread: unknown) => void threads.push(thread)
    process.on('worker', note)
    const { draw, close } = createQrDrawing(world().context)
    onTestFinished(async () => {
      process.off('worker', note)
      await close()
    })
    const wanted = { url: 'https://tillbook.example/pay/q/x', format: 'png' } as const
    const first = await draw(wanted, { owner: 'a' })
    expect(await draw(wanted, { owner: 'b' })).toBe(first)
    expect(Buffer.from(first).subarray(1, 4).toString()).toBe('PNG')
    expect(threads).toHaveLength(1)
  })

  it('are sent uncompressed even if the caller accepts compression', async () => {
    const { png_url } = await newCode()
    const response = await get(png_url, { 'accept-encoding': 'gzip' })
    expect(response.headers.get('content-encoding')).toBeNull()
    expect(response.headers.get('content-length')).toBe(
      String((await response.arrayBuffer()).byteLength),
    )
  })

  it('may be kept, and shown in the pages of others', async () => {
    const { png_url, svg_url } = await newCode()
    for (const address of [png_url, svg_url]) {
      const { headers } = await get(address)
      expect(headers.get('cache-control')).toBe('public, max-age=86400')
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('set-cookie')).toBeNull()
    }
  })

  it('are there for codes only', async () => {
    const { png_url } = await newCode()
    const reference = png_url.slice(png_url.lastIndexOf('/') + 1, -'.png'.length)
    const otherEnvironment = `${reference.slice(0, 22)}t${reference.slice(23)}`
    const unknown = reference.slice(0, 23) + reference.slice(23).replace(/.$/, nextDigit)
    const swapped = `${reference.slice(23)}l${reference.slice(0, 22)}`
    for (const name of [otherEnvironment, unknown, swapped, reference.slice(1), '', '%00']) {
      for (const ending of ['png', 'svg']) {
        const response = await get(`https://any.example/pay/q/${name}.${ending}`)
        expect(response.status, name).toBe(404)
      }
    }
    expect((await get(`https://any.example/pay/q/${reference}.gif`)).status).toBe(404)
  })
})

function nextDigit(digit: string): string {
  return digit === '0' ? '1' : '0'
}
