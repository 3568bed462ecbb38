// Small images for uploads.
import { crc32, deflateSync } from 'node:zlib'

// A PNG in one colour, with further parts between its header and its pixels.
export function png(
  { width = 32, height = 32, pixels }: { width?: number; height?: number; pixels?: Buffer } = {},
  more: readonly Buffer[] = [],
): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits for each of red, green, blue and alpha.
  header.set([8, 6, 0, 0, 0], 8)
  const lines = pixels ?? Buffer.alloc((1 + 4 * width) * height, 0x40)
  if (!pixels) for (let y = 0; y < height; y += 1) lines[y * (1 + 4 * width)] = 0
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngPart('IHDR', header),
    ...more,
    pngPart('IDAT', deflateSync(lines)),
    pngPart('IEND', Buffer.alloc(0)),
  ])
}

export function pngPart(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, sum])
}

// The shape of a JPEG; its one scan is not a picture.
export function jpeg(more: readonly Buffer[] = [], width = 40, height = 30): Buffer {
  const frame = Buffer.from([8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...more,
    jpegPart(0xdb, Buffer.alloc(65, 1)),
    jpegPart(0xc0, frame),
    jpegPart(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd9]),
  ])
}

export function jpegPart(marker: number, data: Buffer): Buffer {
  const length = data.length + 2
  return Buffer.concat([Buffer.from([0xff, marker, length >> 8, length & 255]), data])
}
