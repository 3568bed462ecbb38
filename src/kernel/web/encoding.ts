// Chooses the compression of a response by `Accept-Encoding`.
export type Encoding = 'br' | 'gzip'

const bestFirst: readonly Encoding[] = ['br', 'gzip']

export function preferredEncoding(header: string | string[] | undefined): Encoding | undefined {
  return bestFirst.find((encoding) => acceptsEncoding(header, encoding))
}

// A quality of zero is a refusal; other quality values are ignored.
export function acceptsEncoding(header: string | string[] | undefined, wanted: Encoding): boolean {
  const entries = (header ?? '').toString().toLowerCase().split(',')
  return entries.some((entry) => {
    const [coding, ...parameters] = entry.split(';').map((part) => part.trim())
    return coding === wanted && !parameters.some((text) => /^q=0(\.0*)?$/.test(text))
  })
}
