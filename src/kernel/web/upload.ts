// File uploads. The form is read into memory up to a limit. A larger form is dropped, but read to
// its end up to a second limit, because a browser whose upload is cut off shows its own error page
// instead of ours. Node parses the form.
import type { Readable } from 'node:stream'
import { Fault, invalid } from '../basics/fault.ts'

export type UploadedFile = {
  // The name of the form field.
  readonly field: string
  readonly name: string
  readonly bytes: Buffer | 'too_large'
}

export type Upload =
  // The chosen files, possibly none.
  | { readonly kind: 'files'; readonly files: readonly UploadedFile[] }
  // The form as a whole was too large to read the files.
  | { readonly kind: 'too_large' }

export type UploadLimits = {
  // Per file.
  readonly bytesMax: number
  readonly filesMax: number
}

// For everything around the files in a form.
const framingBytes = 64 * 1024
// How many times the file limit is read and dropped before the connection is cut.
const drainedTimes = 10
// Our forms have few parts; parsing thousands of tiny ones would take long.
const partsMax = 10

export async function readUpload(
  stream: Readable,
  contentType: string,
  limits: UploadLimits,
): Promise<Upload> {
  const body = await readBounded(stream, limits)
  if (!body) return { kind: 'too_large' }
  const form = await parseForm(body, contentType)
  const files: UploadedFile[] = []
  for (const [field, file] of form) {
    // A browser sends an empty file without a name if none was chosen.
    if (typeof file === 'string' || (file.size === 0 && file.name === '')) continue
    if (files.length === limits.filesMax) throw unreadable()
    const isTooLarge = file.size > limits.bytesMax
    const bytes = isTooLarge ? 'too_large' : Buffer.from(await file.arrayBuffer())
    files.push({ field, name: file.name, bytes })
  }
  return { kind: 'files', files }
}

async function readBounded(
  stream: Readable,
  { bytesMax, filesMax }: UploadLimits,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const keptMax = bytesMax * filesMax + framingBytes
  const drainedMax = Math.max(keptMax, bytesMax * drainedTimes)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > drainedMax) {
      throw new Fault('payload_too_large', 'The file is too large.')
    }
    if (length <= keptMax) chunks.push(chunk)
    else chunks.length = 0
  }
  return length <= keptMax ? Buffer.concat(chunks) : undefined
}

async function parseForm(body: Buffer<ArrayBuffer>, contentType: string): Promise<FormData> {
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  const mark = boundary?.[1] ?? boundary?.[2]
  if (mark === undefined || hasMore(body, `--${mark}`, partsMax + 1)) throw unreadable()
  try {
    return await new Response(body, { headers: { 'content-type': contentType } }).formData()
  } catch (error) {
    throw unreadable(error)
  }
}

function hasMore(body: Buffer, mark: string, countMax: number): boolean {
  let at = body.indexOf(mark)
  for (let count = 1; at >= 0; count += 1) {
    if (count > countMax) return true
    at = body.indexOf(mark, at + mark.length)
  }
  return false
}

function unreadable(cause?: unknown): Fault {
  const fault = invalid('The form can’t be read. Go back and send it again.')
  return cause === undefined ? fault : new Fault(fault.kind, fault.error, { cause })
}
