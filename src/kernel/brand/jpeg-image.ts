// JPEG: tables, frame and scans are kept, and the marker that says how colours are stored. All
// other application data (camera, place, thumbnails, profiles) and comments are left out.
import { damaged, LogoProblem, type ReadImage } from './image-parts.ts'

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
// Baseline, extended and progressive: what every reader knows.
const frames = new Set([0xc0, 0xc1, 0xc2])
// Huffman tables, quantisation tables, restart interval, JFIF, and Adobe's colour transform.
const kept = new Set([0xc4, 0xdb, 0xdd, 0xe0, 0xee])

export function readJpeg(bytes: Buffer): ReadImage {
  const parts: Buffer[] = [Buffer.from([0xff, startOfImage])]
  let size: { width: number; height: number } | undefined
  let hasScan = false
  let at = 2
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) throw damaged()
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === endOfImage) break
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end < at + 4 || end > bytes.length) throw damaged()
    const segment = bytes.subarray(at, end)
    if (frames.has(marker)) {
      if (size || segment.length < 10) throw damaged()
      size = { height: segment.readUInt16BE(5), width: segment.readUInt16BE(7) }
      parts.push(segment)
    } else if (marker === startOfScan) {
      if (!size) throw damaged()
      hasScan = true
      const scanEnd = endOfScan(bytes, end)
      parts.push(bytes.subarray(at, scanEnd))
      at = scanEnd
      continue
    } else if (kept.has(marker)) {
      parts.push(segment)
    } else if (marker >= 0xc0 && marker <= 0xcf) {
      throw new LogoProblem('This kind of JPEG is not supported. Save the image as PNG.')
    }
    at = end
  }
  if (!size || !hasScan || size.width === 0 || size.height === 0) throw damaged()
  return { ...size, bytes: Buffer.concat([...parts, Buffer.from([0xff, endOfImage])]) }
}

// Inside a scan, 0xff is followed by zero or by a restart marker.
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = from; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at
  }
  throw damaged()
}
