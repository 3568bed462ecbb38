// The text of an error that is stored: enough to find the cause, without secrets. Messages can
// quote an address, a header or an account number, so anything that looks like a secret is cut out.
// Details of database errors (which quote the row) and causes are not stored.
const lengthMax = 500

const secrets: readonly [RegExp, string][] = [
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, '$1[redacted]@'],
  [/([?&][^\s=&#]+=)[^\s&#]+/g, '$1[redacted]'],
  [/\b(bearer|basic)\s+\S+/gi, '$1 [redacted]'],
  // Keys, tokens and hashes: long runs without the dashes of an id.
  [/[A-Za-z0-9_+/=]{32,}/g, '[redacted]'],
  // Card and bank account numbers. The dash keeps the groups of an id readable.
  [/(?<![\w-])\d{9,}(?![\w-])/g, '[redacted]'],
]

export function errorText(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : 'a non-error was thrown'
  return secrets
    .reduce((kept, [pattern, replacement]) => kept.replace(pattern, replacement), text)
    .slice(0, lengthMax)
}

// Where it happened, for the log: the stack without its first lines, which repeat the message.
export function errorFields(error: unknown): { error: string; at: string[] } {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const at = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return { error: errorText(error), at: at.map((line) => line.trim()) }
}
