// File uploads. The form is parsed while it arrives, and its files are kept in memory up to a
// limit. A larger form is dropped, but read to its end up to a second limit, because a browser
// whose upload is cut off shows its own error page instead of ours. @fastify/busboy parses the
// form.
import type { Readable } from 'node:stream'
import { Busboy, type BusboyConfig, type BusboyInstance } from '@fastify/busboy'
import { Fault, invalid } from '../basics/fault.ts'

export type UploadedFile = {
  // The name of the form field.
  readonly field: string
  readonly name: string
  readonly bytes: Buffer | 'too_large'
}

export type Upload =
  // The chosen files, possibly none, and the other fields of the form.
  | {
      readonly kind: 'files'
      readonly files: readonly UploadedFile[]
      readonly fields: URLSearchParams
    }
  // The form as a whole was too large to read the files.
  | { readonly kind: 'too_large' }

export type UploadLimits = {
  // Per file.
  readonly bytesMax: number
  readonly filesMax: number
  // For a form with many fields beside its files, such as an editor. They are read even if a file
  // is too large, so that nothing typed is lost.
  readonly fields?: {
    readonly countMax: number
    // Of one field, and of all together.
    readonly bytesMax: number
    readonly totalMax: number
  }
}

// For everything around the files in a form.
const framingBytes = 64 * 1024
// How many times the file limit is read and dropped before the connection is cut.
const drainedTimes = 10
// Our forms have few parts with few and short headers; parsing thousands would take long.
const partLimits = { parts: 20, fieldSize: 4096, headerPairs: 10, headerSize: 4096 }

export async function readUpload(
  stream: Readable,
  contentType: string,
  limits: UploadLimits,
): Promise<Upload> {
  const { bytesMax, filesMax } = limits
  const smallMax = bytesMax * filesMax + framingBytes
  const drainedMax = Math.max(smallMax, bytesMax * drainedTimes)
  // The parser keeps the beginning of a large file only.
  const keptMax = limits.fields ? drainedMax : smallMax
  let form: FormParser | undefined = createFormParser(contentType, limits)
  let isTooLarge = false
  let length = 0
  for await (const chunk of arrivingChunks(stream)) {
    length += chunk.length
    if (length > drainedMax) throw new Fault('payload_too_large', 'The file is too large.')
    isTooLarge ||= length > keptMax
    if (isTooLarge) form = undefined
    await form?.write(chunk)
  }
  return form ? { kind: 'files', ...(await form.end()) } : { kind: 'too_large' }
}

// A visitor who leaves during an upload is no failure of ours.
async function* arrivingChunks(stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stream as AsyncIterable<Buffer>
  } catch (error) {
    if (!isGone(error)) throw error
    throw new Fault('invalid_request', 'The upload ended before it was complete.', { cause: error })
  }
}

function isGone(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false
  return error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

type FormParser = {
  write(chunk: Buffer): Promise<void>
  end(): Promise<{ files: readonly UploadedFile[]; fields: URLSearchParams }>
}

function createFormParser(contentType: string, limits: UploadLimits): FormParser {
  const files: UploadedFile[] = []
  const fields = new URLSearchParams()
  const { parts, fieldSize: ownSize } = partLimits
  const {
    countMax = parts,
    bytesMax: fieldSize = ownSize,
    totalMax = parts * ownSize,
  } = limits.fields ?? {}
  const parser = openParser(contentType, {
    ...partLimits,
    fieldSize,
    parts: countMax,
    fields: countMax,
    files: limits.filesMax,
    fileSize: limits.bytesMax,
  })
  const { promise: finished, resolve, reject } = Promise.withResolvers<void>()
  // The rest of a form that is refused is read, but not parsed.
  let refusal: Fault | undefined
  const refuse = (cause?: unknown) => {
    refusal ??= unreadable(cause)
    reject(refusal)
  }
  // While the form arrives, no one awaits it.
  finished.catch(() => undefined)
  parser.on('file', (field, file, name) => {
    const chunks: Buffer[] = []
    file.on('data', (chunk: Buffer) => chunks.push(chunk))
    file.on('error', refuse)
    file.on('end', () => {
      const bytes = file.truncated ? 'too_large' : Buffer.concat(chunks)
      // A browser sends an empty file without a name if none was chosen.
      if (name !== '' || bytes.length > 0) files.push({ field, name, bytes })
    })
  })
  let fieldsLength = 0
  parser.on('field', (name, value, _isNameCut, isValueCut) => {
    fieldsLength += name.length + value.length
    if (isValueCut || fieldsLength > totalMax) refuse()
    else fields.append(name, value)
  })
  parser.on('partsLimit', () => refuse())
  parser.on('filesLimit', () => refuse())
  parser.on('fieldsLimit', () => refuse())
  parser.on('error', refuse)
  parser.on('finish', () => resolve())
  return {
    async write(chunk) {
      if (refusal) return
      const written = Promise.withResolvers<void>()
      parser.write(chunk, () => written.resolve())
      // A parser that has failed does not say that it has taken the chunk.
      await Promise.race([written.promise, finished]).catch(() => undefined)
    },
    async end() {
      if (!refusal) parser.end()
      await finished
      return { files, fields }
    },
  }
}

function openParser(
  contentType: string,
  limits: NonNullable<BusboyConfig['limits']>,
): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits })
  } catch (error) {
    throw unreadable(error)
  }
}

function unreadable(cause?: unknown): Fault {
  const fault = invalid('The form can’t be read. Go back and send it again.')
  return cause === undefined ? fault : new Fault(fault.kind, fault.error, { cause })
}
