// A ZIP archive as a stream: each file is stored as it is, since PDFs are compressed already. Node
// has checksums and compression, but no writer of archives; a stored one is a header before each
// file and a list at the end. Sizes are 32 bits, so an archive is far smaller than 4 GB.
import { crc32 } from 'node:zlib'
import { assert } from './assert.ts'

export type ZipEntry = { readonly name: string; readonly content: Uint8Array }

const entriesMax = 65_535
const bytesMax = 0xffff_ffff
// Names are UTF-8.
const flags = 1 << 11
const version = 20

export async function* zipOf(
  entries: AsyncIterable<ZipEntry>,
  modifiedAt: Date,
): AsyncIterable<Uint8Array> {
  const listed: Buffer[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const fields = fieldsOf(name, content, modifiedAt)
    const head = Buffer.concat([word32(0x04034b50), fields, Buffer.from(name)])
    listed.push(
      Buffer.concat([
        word32(0x02014b50),
        word16(version),
        fields,
        // No comment, the first disk, no attributes.
        Buffer.alloc(10),
        word32(offset),
        Buffer.from(name),
      ]),
    )
    offset += head.length + content.length
    assert(listed.length <= entriesMax && offset <= bytesMax, 'too much for one archive')
    yield head
    yield content
  }
  const list = Buffer.concat(listed)
  yield Buffer.concat([
    list,
    word32(0x06054b50),
    // One disk.
    Buffer.alloc(4),
    word16(listed.length),
    word16(listed.length),
    word32(list.length),
    word32(offset),
    word16(0),
  ])
}

// The same before the file and in the list.
function fieldsOf(name: string, content: Uint8Array, modifiedAt: Date): Buffer {
  return Buffer.concat([
    word16(version),
    word16(flags),
    // Stored.
    word16(0),
    ...dosTime(modifiedAt),
    word32(crc32(content)),
    word32(content.length),
    word32(content.length),
    word16(Buffer.byteLength(name)),
    word16(0),
  ])
}

// In UTC, to two seconds; the format knows no zone.
function dosTime(at: Date): [Buffer, Buffer] {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const year = Math.max(at.getUTCFullYear(), 1980) - 1980
  const date = (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return [word16(time), word16(date)]
}

function word16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function word32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
