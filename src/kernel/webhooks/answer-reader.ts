// Reads the answer to one request off a connection, as HTTP/1.1 has it. Only two things are asked
// of it: the status, which decides, and where the answer ends, so that the connection can be used
// for the next request. Whatever is unusual about the second is no failure, but the connection is
// not used again: nobody's answer can be taken for another's.
export type AnswerReader = {
  // Takes what has come; answers what is known now.
  read(chunk: Buffer): Answer
}

export type Answer =
  | { readonly state: 'head' }
  | { readonly state: 'garbage' }
  // `body`: there is more to come; `end`: that was all; `lost`: nobody can say, or it is too long.
  | { readonly state: 'body' | 'end' | 'lost'; readonly statusCode: number }

// Of all interim answers and the one that counts together. Otherwise somebody who sends small ones
// without end would have us read nothing else until the deadline.
const headBytesMax = 16 * 1024
const bodyBytesMax = 16 * 1024
const chunkLineMax = 100

export function createAnswerReader(): AnswerReader {
  let text = ''
  let interimBytes = 0
  let statusCode = 0
  let bodyEnd: BodyEnd | null = null

  // Interim answers come before the one that counts, whether asked for or not.
  function readHead(): Answer {
    for (;;) {
      if (!isHead(text)) return { state: 'garbage' }
      const end = text.indexOf('\r\n\r\n')
      const headBytes = interimBytes + (end === -1 ? text.length : end)
      if (headBytes > headBytesMax) return { state: 'garbage' }
      if (end === -1) return { state: 'head' }
      const head = text.slice(0, end)
      text = text.slice(end + 4)
      const [, minor, status = ''] = /^HTTP\/1\.([01]) (\d{3})(?=[ \r]|$)/.exec(head) ?? []
      statusCode = Number.parseInt(status, 10)
      // Nor does anybody want to speak another language.
      if (!(statusCode >= 100) || statusCode === 101) return { state: 'garbage' }
      if (statusCode < 200) {
        interimBytes += end + 4
        continue
      }
      bodyEnd = minor === '1' ? bodyEndOf(statusCode, head) : lost
      return readBody(bodyEnd)
    }
  }

  function readBody(endOf: BodyEnd): Answer {
    const end = endOf(text)
    if (end === null && text.length <= bodyBytesMax) return { state: 'body', statusCode }
    return { state: end === text.length ? 'end' : 'lost', statusCode }
  }

  return {
    read(chunk) {
      // A character for each byte.
      text += chunk.toString('latin1')
      return bodyEnd ? readBody(bodyEnd) : readHead()
    },
  }
}

const version = 'HTTP/1.'

function isHead(text: string): boolean {
  return text.startsWith(version.slice(0, text.length))
}

// Where in what has come of it a body ends: null while that is not there, NaN when nobody can say.
type BodyEnd = (text: string) => number | null

const lost: BodyEnd = () => Number.NaN

function bodyEndOf(statusCode: number, head: string): BodyEnd {
  const lower = head.toLowerCase()
  // Headers that go on in the next line went out of use long ago.
  if (lower.includes('\r\n ') || lower.includes('\r\n\t')) return lost
  const connection = headerOf(lower, 'connection')
  if (connection !== undefined && connection !== 'keep-alive') return lost
  const length = headerOf(lower, 'content-length')
  const coding = headerOf(lower, 'transfer-encoding')
  // These have no body. Some send one nevertheless, and then the next answer would begin with it.
  if (statusCode === 204 || statusCode === 304) {
    return coding === undefined && (length === undefined || length === '0') ? () => 0 : lost
  }
  if (length === undefined) return coding === 'chunked' ? chunkedEnd() : lost
  if (coding !== undefined || !/^\d{1,5}$/.test(length)) return lost
  const bytes = Number.parseInt(length, 10)
  return (text) => (text.length >= bytes ? bytes : null)
}

// Several of the same name have no value that anybody knows.
function headerOf(head: string, name: string): string | undefined {
  const line = `\r\n${name}:`
  const at = head.indexOf(line)
  if (at === -1) return undefined
  if (head.includes(line, at + 1)) return 'several'
  const begin = at + line.length
  const end = head.indexOf('\r\n', begin)
  return head.slice(begin, end === -1 ? head.length : end).trim()
}

// Chunks, each after its length in hex, until an empty one. Trailers are unusual. What is complete
// is not read again, or a body that comes byte by byte would keep us busy.
function chunkedEnd(): BodyEnd {
  let at = 0
  return (text) => {
    for (;;) {
      const lineEnd = text.indexOf('\r\n', at)
      if (lineEnd === -1) return text.length - at > chunkLineMax ? Number.NaN : null
      const [, size] = /^([0-9a-f]{1,5})(?:[;\t ].*)?$/i.exec(text.slice(at, lineEnd)) ?? []
      if (size === undefined) return Number.NaN
      const end = lineEnd + 2 + Number.parseInt(size, 16)
      if (text.length < end + 2) return null
      if (!text.startsWith('\r\n', end)) return Number.NaN
      at = end + 2
      if (end === lineEnd + 2) return at
    }
  }
}
