// Why an attempt got no response, in one word for the log. Messages of the receiver or the network
// are not stored: they could reveal something about our own network.
export type Failure = 'url' | 'address' | 'name' | 'timeout' | 'tls' | 'connection' | 'protocol'

// A failure that our own checks found.
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
// undici's names for a response that is not HTTP/1.1, or whose headers are too long. For a status
// below 100 it has a bare assertion.
const protocolNames =
  /^(HTTPParserError|HeadersOverflowError|ResponseContentLengthMismatchError|AssertionError)$/
// For these, its error has the same name as for a closed connection.
const protocolMessages = /^bad (response|upgrade)$/

export function failureOf(error: unknown): Failure {
  if (error instanceof EgressError) return error.failure
  if (!(error instanceof Error)) return 'connection'
  if ('code' in error && tlsCodes.test(String(error.code))) return 'tls'
  const isProtocol = protocolNames.test(error.name) || protocolMessages.test(error.message)
  return isProtocol ? 'protocol' : 'connection'
}
