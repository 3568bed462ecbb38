// PNG: header, palette, transparency and pixels are kept. The pixels are unpacked, compared with
// the size that the header promises, and packed again, so that a small file can't become gigabytes
// in a reader that trusts its header.
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { damaged, LogoProblem, type ReadImage } from './image-parts.ts'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

// By colour type: samples per pixel, and the possible bits per sample.
const layouts: Readonly<Record<number, { samples: number; bits: readonly number[] }>> = {
  0: { samples: 1, bits: [1, 2, 4, 8, 16] },
  2: { samples: 3, bits: [8, 16] },
  3: { samples: 1, bits: [1, 2, 4, 8] },
  4: { samples: 2, bits: [8, 16] },
  6: { samples: 4, bits: [8, 16] },
}

export function readPng(bytes: Buffer, sideMax: number): ReadImage {
  const chunks = chunksOf(bytes)
  const header = chunks[0]?.type === 'IHDR' ? chunks[0].data : undefined
  if (header?.length !== 13 || chunks.at(-1)?.type !== 'IEND') throw damaged()
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [bits = 0, colourType = 0, compression, filter, interlace] = header.subarray(8)
  const layout = layouts[colourType]
  if (!layout?.bits.includes(bits) || compression !== 0 || filter !== 0) throw damaged()
  if (interlace !== 0) throw new LogoProblem('Save the image without interlacing, then choose it.')
  if (width === 0 || height === 0) throw damaged()
  if (Math.max(width, height) > sideMax) {
    throw new LogoProblem(`Choose an image of at most ${sideMax} pixels on each side.`)
  }
  const palette = one(chunks, 'PLTE')
  if (colourType === 3 && (!palette || palette.length % 3 !== 0 || palette.length > 768)) {
    throw damaged()
  }
  const transparency = one(chunks, 'tRNS')
  const lineBytes = 1 + Math.ceil((width * layout.samples * bits) / 8)
  const pixels = unpacked(all(chunks, 'IDAT'), lineBytes * height)
  return {
    width,
    height,
    bytes: Buffer.concat([
      signature,
      chunk('IHDR', header),
      ...(colourType === 3 && palette ? [chunk('PLTE', palette)] : []),
      ...(transparency && colourType < 4 ? [chunk('tRNS', transparency)] : []),
      chunk('IDAT', deflateSync(pixels, { level: 9 })),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  }
}

type Chunk = { readonly type: string; readonly data: Buffer }

function chunksOf(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  let at = signature.length
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at)
    const end = at + 8 + length
    if (end + 4 > bytes.length) throw damaged()
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) throw damaged()
    const type = bytes.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: bytes.subarray(at + 8, end) })
    // What follows the end is not part of the image.
    if (type === 'IEND') return chunks
    at = end + 4
  }
  return chunks
}

function unpacked(packed: Buffer, length: number): Buffer {
  try {
    const pixels = inflateSync(packed, { maxOutputLength: length })
    if (pixels.length === length) return pixels
  } catch {
    // Not what zlib wrote, or longer than the header says: damaged as well.
  }
  throw damaged()
}

function one(chunks: readonly Chunk[], wanted: string): Buffer | undefined {
  return chunks.find(({ type }) => type === wanted)?.data
}

function all(chunks: readonly Chunk[], wanted: string): Buffer {
  return Buffer.concat(chunks.filter(({ type }) => type === wanted).map(({ data }) => data))
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, sum])
}
