// Why an attempt got no answer, in one word for the people who read the log. What the receiver or
// the network said is not kept: it could reveal something about our own network.
export type Failure = 'url' | 'address' | 'name' | 'timeout' | 'tls' | 'connection' | 'protocol'

// A failure that we found ourselves.
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure)
    this.failure = failure
  }
}

const tlsCodes =
  /^(ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_|INVALID_|EPROTO)/
// undici's names for an answer that is not HTTP/1.1, or whose head is too long. It has a bare
// assertion for a status below 100.
const protocolNames =
  /^(HTTPParserError|HeadersOverflowError|ResponseContentLengthMismatchError|AssertionError)$/
// For these its error has the same name as for a connection that was closed.
const protocolMessages = /^bad (response|upgrade)$/

export function failureOf(error: unknown): Failure {
  if (error instanceof EgressError) return error.failure
  if (!(error instanceof Error)) return 'connection'
  if ('code' in error && tlsCodes.test(String(error.code))) return 'tls'
  const isProtocol = protocolNames.test(error.name) || protocolMessages.test(error.message)
  return isProtocol ? 'protocol' : 'connection'
}
