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
// Of head and body together. Each costs as much as a whole answer, and an honest receiver sends a
// handful: a head that came byte by byte would keep us busy for as long as a thousand others.
const piecesMax = 200
const headEnd = '\r\n\r\n'

export function createAnswerReader(): AnswerReader {
  let pieces = 0
  let text = ''
  // Where the end of the head is looked for: in what has just come, and what it may have begun in.
  let tail = ''
  let interimBytes = 0
  let bodyBytes = 0
  let statusCode = 0
  let body: Body | null = null

  function readHead(piece: string): Answer {
    const isBeginning = text.length < version.length
    text += piece
    tail = tail === '' ? piece : tail.slice(1 - headEnd.length) + piece
    if (isBeginning && !isHead(text)) return { state: 'garbage' }
    if (tail.includes(headEnd)) return readHeads()
    return { state: interimBytes + text.length > headBytesMax ? 'garbage' : 'head' }
  }

  // Interim answers come before the one that counts, whether asked for or not.
  function readHeads(): Answer {
    for (;;) {
      if (!isHead(text)) return { state: 'garbage' }
      const end = text.indexOf(headEnd)
      const headBytes = interimBytes + (end === -1 ? text.length : end)
      if (headBytes > headBytesMax) return { state: 'garbage' }
      if (end === -1) break
      const head = text.slice(0, end)
      text = text.slice(end + headEnd.length)
      const [, minor, status = ''] = /^HTTP\/1\.([01]) (\d{3})(?=[ \r]|$)/.exec(head) ?? []
      statusCode = Number.parseInt(status, 10)
      // Nor does anybody want to speak another language.
      if (!(statusCode >= 100) || statusCode === 101) return { state: 'garbage' }
      if (statusCode < 200) {
        interimBytes += end + headEnd.length
        continue
      }
      body = minor === '1' ? bodyOf(statusCode, head) : lost
      return readBody(body, text)
    }
    tail = text
    return { state: 'head' }
  }

  function readBody(read: Body, piece: string): Answer {
    bodyBytes += piece.length
    const state = read(piece)
    return { state: state === 'body' && bodyBytes > bodyBytesMax ? 'lost' : state, statusCode }
  }

  return {
    read(chunk) {
      pieces += 1
      if (pieces > piecesMax) return body ? { state: 'lost', statusCode } : { state: 'garbage' }
      // A character for each byte.
      const piece = chunk.toString('latin1')
      return body ? readBody(body, piece) : readHead(piece)
    },
  }
}

const version = 'HTTP/1.'

function isHead(text: string): boolean {
  return text.startsWith(version.slice(0, text.length))
}

// Takes what has come of a body, piece by piece, and tells whether that was all.
type Body = (piece: string) => BodyState
type BodyState = 'body' | 'end' | 'lost'

const lost: Body = () => 'lost'

function bodyOf(statusCode: number, head: string): Body {
  const lower = head.toLowerCase()
  // Headers that go on in the next line went out of use long ago.
  if (lower.includes('\r\n ') || lower.includes('\r\n\t')) return lost
  const connection = headerOf(lower, 'connection')
  if (connection !== undefined && connection !== 'keep-alive') return lost
  const length = headerOf(lower, 'content-length')
  const coding = headerOf(lower, 'transfer-encoding')
  // These have no body. Some send one nevertheless, and then the next answer would begin with it.
  if (statusCode === 204 || statusCode === 304) {
    return coding === undefined && (length === undefined || length === '0') ? bodyOfLength(0) : lost
  }
  if (length === undefined) return coding === 'chunked' ? bodyInChunks() : lost
  if (coding !== undefined || !/^\d{1,5}$/.test(length)) return lost
  return bodyOfLength(Number.parseInt(length, 10))
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

function bodyOfLength(bytes: number): Body {
  let left = bytes
  return (piece) => {
    left -= piece.length
    return left > 0 ? 'body' : left === 0 ? 'end' : 'lost'
  }
}

// Chunks, each after its length in hex, until an empty one. Trailers are unusual. What is complete
// is not read again, nor is a chunk before it is there.
function bodyInChunks(): Body {
  let text = ''
  let neededBytes = 0
  return (piece) => {
    text += piece
    if (text.length < neededBytes) return 'body'
    let at = 0
    for (;;) {
      const lineEnd = text.indexOf('\r\n', at)
      if (lineEnd === -1) {
        if (text.length - at > chunkLineMax) return 'lost'
        neededBytes = 0
        break
      }
      const [, size] = /^([0-9a-f]{1,5})(?:[;\t ].*)?$/i.exec(text.slice(at, lineEnd)) ?? []
      if (size === undefined) return 'lost'
      const end = lineEnd + 2 + Number.parseInt(size, 16)
      if (text.length < end + 2) {
        neededBytes = end + 2 - at
        break
      }
      if (!text.startsWith('\r\n', end)) return 'lost'
      at = end + 2
      if (end === lineEnd + 2) return at === text.length ? 'end' : 'lost'
    }
    text = text.slice(at)
    return 'body'
  }
}
